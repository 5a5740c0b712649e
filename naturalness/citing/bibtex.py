"""A citation as BibTeX entries."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from naturalness.citing.citation import Citation, Data
from naturalness.citing.papers import AUTHORS, CODE_LICENCE, SUBTITLE, TITLE, Paper

_SPECIAL = re.compile(r"([&%$#_])")


def as_bibtex(citation: Citation) -> str:
    """`@misc` for package and data, `@inproceedings` for papers.

    Pages and DOIs are left out: the address leads to them.
    """
    entries = [_package(citation), *map(_paper, citation.papers), *map(_data, citation.data)]
    return "\n\n".join(entries) + "\n"


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    width = max(map(len, fields))
    lines = [f"  {name:{width}} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _package(citation: Citation) -> str:
    names = ", ".join(asset.name for asset in citation.assets)
    shipped = f"; shipped models and tables: {names}" if names else ""
    return _entry(
        "misc",
        TITLE,
        {
            "author": f"{{{AUTHORS}}}",
            "title": f"{TITLE}: {SUBTITLE}",
            "year": citation.released[:4],
            "note": _escaped(f"Computer software, version {citation.version}, {CODE_LICENCE}{shipped}"),
        },
    )


def _paper(paper: Paper) -> str:
    return _entry(
        "inproceedings",
        paper.key,
        {
            "author": " and ".join(f"{family}, {given}" for given, family in paper.authors),
            "title": f"{{{_escaped(paper.title)}}}",
            "booktitle": _escaped(paper.venue),
            "year": str(paper.year),
            "url": paper.url,
        },
    )


def _data(data: Data) -> str:
    licences = " / ".join(data.licences)
    by, where = data.origin or ("", "")
    fields = {
        "author": f"{{{_escaped(by)}}}",
        "title": f"{{{_escaped(data.name)}}}",
        "howpublished": _escaped(where),
        "note": _escaped(f"Licence: {licences}. Behind: {', '.join(data.assets)}"),
    }
    known = {name: value for name, value in fields.items() if value not in ("", "{}")}
    return _entry("misc", f"data-{_slug(data.name)}", known)


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:4])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
