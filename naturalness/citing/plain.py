"""A citation as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill

from naturalness.citing.citation import Citation, Data
from naturalness.citing.papers import AUTHORS, CODE_LICENCE, SUBTITLE, TITLE, Paper
from naturalness.files.resources import Asset

WIDTH = 88


def as_text(citation: Citation) -> str:
    """Package, papers, assets and their data, a paragraph each."""
    return "\n".join(_lines(citation)) + "\n"


def _lines(citation: Citation) -> Iterator[str]:
    yield "The package"
    yield _entry(
        f"{AUTHORS} ({citation.released[:4]}). {TITLE}: {SUBTITLE} (version {citation.version}). "
        f"Computer software, {CODE_LICENCE}."
    )
    yield from ("", _heading(citation))
    for paper in citation.papers:
        yield _entry(_reference(paper))
        yield _entry(f"Here: {paper.gives}.", "    ")
    yield from ("", "Shipped models and tables")
    if not citation.assets:
        yield "  none is read"
    for licence in dict.fromkeys(asset.licence for asset in citation.assets):
        yield _entry(_listed(licence, citation.assets))
    for own in citation.own:
        yield _entry(f"Not shipped, and read by it: {own}")
    if citation.data:
        yield from ("", "The data that these learned from")
    for data in citation.data:
        yield _entry(_source(data, citation.assets))


def _heading(citation: Citation) -> str:
    if not citation.model:
        return "The papers whose methods it has"
    learned = f" ({citation.learner})" if citation.learner else ""
    return f"The papers whose methods the model {citation.model}{learned} rests on"


def _reference(paper: Paper) -> str:
    """Authors (year). Title. Venue. Address."""
    names = [f"{given} {family}" for given, family in paper.authors]
    authors = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    mark = "" if paper.title.endswith(("!", "?")) else "."
    return f"{authors} ({paper.year}). {paper.title}{mark} {paper.venue}. {paper.url}"


def _listed(licence: str, assets: Sequence[Asset]) -> str:
    names = ", ".join(asset.name for asset in assets if asset.licence == licence)
    return f"{licence}, by {AUTHORS}: {names}"


def _source(data: Data, assets: Sequence[Asset]) -> str:
    by = f" By {data.origin.by}; {data.origin.where}." if data.origin else ""
    return f"{data.name} ({' / '.join(data.licences)}).{by} Taught: {_taught(data, assets)}."


def _taught(data: Data, assets: Sequence[Asset]) -> str:
    """Names of assets; of most of them, those that are left out."""
    others = [asset.name for asset in assets if asset.name not in data.assets]
    if len(others) >= len(data.assets):
        return ", ".join(data.assets)
    return f"all but {', '.join(others)}" if others else "all"


def _entry(text: str, indent: str = "  ") -> str:
    return fill(
        text, WIDTH, initial_indent=indent, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
