"""Build the documentation as a site that loads nothing from a network.

`pip install '.[docs]' && python docs/site.py [FOLDER]`, then open FOLDER/index.html (site/index.html if none is named).
The pages of this folder are joined by README, training, changes and tables of results, then built by Zensical.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "training/README.md": "training.md",
    "naturalness/models/assets/en/LICENSES.md": "LICENSES.md",
    **{f"benchmarks/results/{p.name}": f"results/{p.name}" for p in ROOT.glob("benchmarks/results/*.md")},
    **{f"docs/{p.name}": p.name for p in ROOT.glob("docs/*.md")},
}
"""Files of the repository, and their places in the site."""
LINK = re.compile(r"(?<=\]\()([^)#\s]+)(?=(?:#[^)\s]*)?\))")
CODE = "code:"
DEAD = re.compile(rf"\[[^\]]*\]\({CODE}([^)]*)\)")
"""Links to files that are no pages."""
SHIM = re.compile(r"https://unpkg\.com/iframe-worker/shim")
"""The script that makes the search work in pages that are opened as files; a copy ships with the pages."""


def write_pages(folder: Path) -> None:
    """Write all pages, with links between them, and what they show."""
    contents = {page: moved((ROOT / source).read_text(encoding="utf-8"), source) for source, page in PAGES.items()}
    for page, content in {**contents, "results/index.md": tables(contents)}.items():
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(content, encoding="utf-8")
    for name in ("pictures", "stylesheets", "javascripts"):
        shutil.copytree(ROOT / "docs" / name, folder / name, ignore=shutil.ignore_patterns("*.py", "__pycache__"))


def tables(contents: Mapping[str, str]) -> str:
    """Return a list of all pages of results, by their headings."""
    pages = sorted(page for page in contents if page.startswith("results/"))
    titles = {page: contents[page].splitlines()[0].removeprefix("# ") for page in pages}
    rows = [f"- [{titles[page]}]({posixpath.basename(page)})" for page in pages]
    return "\n".join(["# All tables of results", "", "Each printed by one command, which it names.", "", *rows, ""])


def moved(markdown: str, source: str) -> str:
    """Point links at pages of the site; a link to code or a folder becomes its name."""
    here = posixpath.dirname(PAGES[source]) or "."

    def target(match: re.Match[str]) -> str:
        link = match[1]
        if ":" in link:
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link))
        page = PAGES.get(path) or (path.removeprefix("docs/") if path.startswith("docs/pictures/") else None)
        return posixpath.relpath(page, here) if page else CODE + path

    return DEAD.sub(r"`\1`", LINK.sub(target, markdown))


def build(site: Path) -> None:
    """Build the site; a warning is an error."""
    with tempfile.TemporaryDirectory() as work:
        write_pages(Path(work) / "docs")
        shutil.copy(ROOT / "docs" / "zensical.toml", work)
        subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=work, check=True)
        for page in (Path(work) / "site").rglob("*.html"):
            copy = "../" * (len(page.relative_to(work).parts) - 2) + "javascripts/iframe-worker.js"
            page.write_text(SHIM.sub(copy, page.read_text(encoding="utf-8")), encoding="utf-8")
        shutil.copytree(Path(work) / "site", site, dirs_exist_ok=True)


if __name__ == "__main__":
    build(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "site").resolve())
