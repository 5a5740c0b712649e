"""The pages of a project, and the tables that it hands out."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from naturalness.annotate.pages import keys as keyboard
from naturalness.annotate.pages.learned import describe, export_command, train_command
from naturalness.annotate.pages.pages import render
from naturalness.annotate.pages.scales import LONGEST_NOTE, steps_of
from naturalness.annotate.project import PAIRS
from naturalness.annotate.project.settings import LONGEST_NAME
from naturalness.explaining.causes import TITLES

if TYPE_CHECKING:
    from naturalness.annotate.pages.desk import Desk

TABLE = "rated.csv"
EXPORTS: Mapping[str, str] = {
    TABLE: "text/csv; charset=utf-8",
    "rated.jsonl": "application/jsonl; charset=utf-8",
    "rated.parquet": "application/vnd.apache.parquet",
}
"""Tables to download, and their types."""
PAIRS_TABLE = "rated.pairs.csv"


def exports_of(desk: Desk) -> dict[str, str]:
    """The tables of a project, and their types."""
    pairs = {PAIRS_TABLE: EXPORTS[TABLE]} if desk.project.scale.kind == PAIRS else {}
    return {**EXPORTS, **pairs}


def _shared(desk: Desk, rater: str, here: str) -> dict[str, Any]:
    """What all pages show."""
    return {
        "name": desk.project.path.stem,
        "path": str(desk.project.path),
        "rater": rater,
        "here": here,
        "project": desk.identity,
    }


def _scale(desk: Desk, rater: str) -> dict[str, Any]:
    """What pages show on which something is rated."""
    scale = desk.project.scale
    kept = desk.project.keys(rater) if rater else {}
    return {
        "kind": scale.kind,
        "steps": steps_of(scale),
        "keys": keyboard.bound(scale, {**keyboard.usual(scale), **kept}),
        "key_titles": keyboard.titles(scale),
        "titles": ("First", "Second") if scale.kind == PAIRS else ("Sentence",),
        "longest_note": LONGEST_NOTE,
    }


def rating_page(desk: Desk, rater: str) -> str:
    """The page on which one rates."""
    return render(
        "rate.html.j2",
        **_shared(desk, rater, "/"),
        **_scale(desk, rater),
        causes=list(TITLES.items()),
        several=len(desk.project.raters()) > 1,
        **_commands(desk),
    )


def rater_page(desk: Desk, rater: str) -> str:
    """The page that asks for a name."""
    raters = [(name, desk.project.progress(name).ratings) for name in desk.project.raters()]
    return render("rater.html.j2", **_shared(desk, rater, "/rater"), raters=raters, longest=LONGEST_NAME)


def learned_page(desk: Desk, rater: str) -> str:
    """The page on what was learned."""
    return render("learned.html.j2", **_shared(desk, rater, "/learned"), version=desk.version, data=describe(desk))


def learned_part(desk: Desk, rater: str) -> str:
    """What changes of it."""
    return render("learned_part.html.j2", data=describe(desk))


def disagreements_page(desk: Desk, rater: str) -> str:
    """The page on which disagreements are settled."""
    return render(
        "disagreements.html.j2",
        **_shared(desk, rater, "/disagreements"),
        **_scale(desk, rater),
        data=describe(desk),
        may=desk.project.may_settle(rater),
    )


def export_page(desk: Desk, rater: str) -> str:
    """The page with the tables."""
    return render(
        "export.html.j2",
        **_shared(desk, rater, "/export"),
        exports=list(exports_of(desk)),
        ratings=len(desk.project.ratings()),
        **_commands(desk),
    )


def _commands(desk: Desk) -> dict[str, str]:
    return {"export_command": export_command(desk), "train_command": train_command(desk)}


def export(desk: Desk, name: str) -> bytes:
    """The bytes of a table."""
    with tempfile.TemporaryDirectory(prefix="naturalness-") as folder:
        wanted = Path(folder) / name
        made = Path(folder) / (TABLE if name == PAIRS_TABLE else name)
        desk.project.export(str(made))
        return wanted.read_bytes()
