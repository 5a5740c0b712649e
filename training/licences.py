"""Write a licence file for each asset: `python -m training.licences`.

`training.manifest.record` calls it, so that files and manifest agree; a test compares them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from naturalness.files.resources import Asset, assets_folder, load_manifest

ORIGINS = {
    name: entry
    for entry in tomllib.loads(Path(__file__).with_name("origins.toml").read_text(encoding="utf-8"))["origins"]
    for name in entry["names"]
}
"""The authors of each data source and the place where it can be found, by the source's name in the manifest."""

FOLDER = "licences"
"""Beside the manifest; it also holds the full texts, and `attribution.tsv`, every work by name."""
UNSTATED = "not stated"
FULL = {
    "CC BY-SA 4.0": (
        "Creative Commons Attribution-ShareAlike 4.0 International",
        "https://creativecommons.org/licenses/by-sa/4.0/",
        "CC-BY-SA-4.0.txt",
    ),
    "Apache-2.0": ("Apache License 2.0", "https://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0.txt"),
}
"""Name, address and text of each licence that an asset, or weights that it began with, is under."""


def write_licences(folder: Path) -> None:
    """Write the licence file of every asset of a folder, and remove those of removed assets."""
    manifest = load_manifest(folder)
    pages = folder / FOLDER
    pages.mkdir(exist_ok=True)
    for asset in manifest.values():
        (pages / f"{asset.name}.md").write_text(licence_page(asset), encoding="utf-8")
    for page in pages.glob("*.md"):
        if page.stem not in manifest:
            page.unlink()


def licence_page(asset: Asset) -> str:
    """Return the page: licence, attribution, sources with their licences, and changes."""
    terms = asset.licence
    if asset.licence in FULL:
        name, address, text = FULL[asset.licence]
        terms = f"{name}, <{address}>; the full text is in `{text}`"
    lines = [
        f"# Licence of `{asset.name}`",
        "",
        f"{asset.kind[0].upper()}{asset.kind[1:]}: {asset.description}.",
        f"Files: {', '.join(f'`{file.path}`' for file in asset.files)}.",
        "",
        f"**{asset.licence}**: {terms}.",
        "",
        f"Attribute it as: *{asset.name}*, a part of naturalness by The naturalness developers, {asset.licence}, "
        "made from the sources below.",
        "",
        "| made from | licence of that | by | where |",
        "| --- | --- | --- | --- |",
        *(f"| {s['name']} | {s['licence']} | {{by}} | {{where}} |".format(**ORIGINS[s["name"]]) for s in asset.sources),
        "",
        *_notes(asset),
    ]
    return "\n".join(lines) + "\n"


def _notes(asset: Asset) -> Iterable[str]:
    yield (
        f"What was changed: by `{asset.command}` on {asset.date} the sources were made into "
        "numbers, or into lists of counted words and short sequences of them. No document of "
        "theirs is in these files. `attribution.tsv` names the works and repositories of the texts."
    )
    if any(UNSTATED in source["licence"] for source in asset.sources):
        yield ""
        yield "Sources whose licence is not stated lent weights alone, and no text."
    if any(source["licence"] == "Apache-2.0" for source in asset.sources):
        yield ""
        yield f"The text of the Apache licence is in `{FULL['Apache-2.0'][2]}`."


if __name__ == "__main__":
    write_licences(assets_folder())
