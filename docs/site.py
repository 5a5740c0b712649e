"""What the site takes from outside this folder: README, training, changes, tables of results. A hook of MkDocs."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "training/README.md": "training.md",
    "naturalness/models/assets/en/LICENSES.md": "LICENSES.md",
    **{f"benchmarks/results/{p.name}": f"results/{p.name}" for p in ROOT.glob("benchmarks/results/*.md")},
}
"""Files of the repository, and where they stand in the site."""
SOURCES = {page: source for source, page in PAGES.items()}
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=(?:#[^)\s]*)?\))")


TABLES = "results/index.md"
"""The list of all tables of results."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add them."""
    contents = {page: (ROOT / source).read_text(encoding="utf-8") for source, page in PAGES.items()}
    for page, content in contents.items():
        files.append(File.generated(config, page, content=content))
    files.append(File.generated(config, TABLES, content=tables(contents)))
    return files


def tables(contents: Mapping[str, str]) -> str:
    """Every page of results, by its heading."""
    pages = sorted(page for page in contents if page.startswith("results/"))
    titles = {page: contents[page].splitlines()[0].removeprefix("# ") for page in pages}
    rows = [f"- [{titles[page]}]({posixpath.basename(page)})" for page in pages]
    return "\n".join(["# All tables of results", "", "Each printed by one command, which it names.", "", *rows, ""])


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Point links at the pages of the site; what is code or a folder keeps its name and has no link."""
    here = page.file.src_uri
    if here == TABLES:
        return markdown
    source = SOURCES.get(here, f"docs/{here}")

    def moved(match: re.Match[str]) -> str:
        link = match[1]
        if ":" in link:
            return link
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        site = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        return posixpath.relpath(site, posixpath.dirname(here) or ".") if site else CODE + target

    return DEAD.sub(r"`\1`", LINK.sub(moved, markdown))


CODE = "code:"
DEAD = re.compile(rf"\[[^\]]*\]\({CODE}([^)]*)\)")
"""Links to files that are no pages."""

SHIM = "https://unpkg.com/iframe-worker/shim"
"""What lets the search work in pages that are opened as files; a copy ships, so that they load nothing."""


def on_post_build(config: MkDocsConfig) -> None:
    """Load the copy."""
    folder = Path(config.site_dir)
    for page in folder.rglob("*.html"):
        copy = "../" * (len(page.relative_to(folder).parts) - 1) + "javascripts/iframe-worker.js"
        page.write_text(page.read_text(encoding="utf-8").replace(SHIM, copy), encoding="utf-8")
