"""Edited sentences: reading the sets, extracting changes, and scoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.edited import write
from training.mender.edits import Change, Tally, changes, read_edits, tally, tokens

WRONG, RIGHT = "She go to school by the bus .", "She goes to school by bus."


def made(text: str, other: str) -> list[Change]:
    """Return the changes from one text to another in order."""
    return sorted(changes(tokens(text), tokens(other)))


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        (RIGHT, RIGHT, []),
        (WRONG, RIGHT, [(1, 2, ("goes",)), (5, 6, ())]),
        ("It is the the end.", "It is the end.", [(2, 3, ())]),  # the first of the two
        ("the the dog bark", "the dog barks", [(0, 1, ()), (3, 4, ("barks",))]),
        ("He is good very.", "He is very good.", [(2, 4, ("very", "good"))]),
        ("alot of rain", "a lot of rain", [(0, 1, ("a", "lot"))]),
        ("a week end", "a weekend", [(1, 3, ("weekend",))]),
        ("It rains , we stay.", "It rains. We stay.", [(2, 4, (".", "We"))]),
        ("lamp is on", "The lamp is on", [(0, 0, ("The",))]),
        ("Lamp is on", "The lamp is on", [(0, 1, ("The", "lamp"))]),
        ("his uncles boat", "his uncle's boat", [(1, 2, ("uncle", "'s"))]),
        ("We stop to laugh", "We stop laughing", [(2, 4, ("laughing",))]),
        ("She came to Oslo", "She came in the Oslo", [(2, 3, ("in",)), (3, 3, ("the",))]),
        ("he wrot slow", "he wrote slowly.", [(1, 2, ("wrote",)), (2, 3, ("slowly",)), (3, 3, (".",))]),
    ],
)
def test_changes(text: str, other: str, expected: list[Change]) -> None:
    """Adjacent operations are merged or kept apart as in ERRANT."""
    assert made(text, other) == expected


def test_tally() -> None:
    """Precision, recall and F0.5 are those worked out by hand, and 1 if there are no changes."""
    counts = Tally(3, 1, 2) + Tally(0, 0, 1)
    assert counts == Tally(3, 1, 3)
    assert (counts.precision, counts.recall) == (0.75, 0.5)
    assert counts.f() == pytest.approx(1.25 * 0.75 * 0.5 / (0.25 * 0.75 + 0.5))
    assert Tally().f() == 1
    assert Tally(0, 1, 1).f() == 0


def test_trivial_changes_do_not_count() -> None:
    """With ``real_only``, trivial changes and other changes at the same place do not count."""
    text, reference = "its late and he go home", "It's late and he goes home."
    assert tally([text], ["Its late and he goes home!"], [[reference]], real_only=True) == Tally(1, 0, 0)
    assert tally([text], ["that late and he go home"], [[reference]], real_only=True) == Tally(0, 0, 1)
    assert tally([text], ["that late and he go home"], [[reference]]) == Tally(0, 1, 3)


def test_annotators_of_a_turn_are_references(tmp_path: Path) -> None:
    """Each annotator's version is a reference, a dialogue stays in one part, and level 3 marks a real error."""
    write(
        tmp_path / "eracond.tsv",
        "id|bad|good|kind|source|span|level",
        "era1-0-0|hi|Hi|R:ORTH|x||1",
        "era2-0-1-a0|I likes it|I like it.|R:VERB;M:PUNCT|x||3;1",
        "era2-0-1-a1|I likes it|I like this.|R:VERB|x||3",
    )
    rows = [row for part in ("development", "test") for row in read_edits(tmp_path, "eracond", part)]
    found = {row.text: (row.references, row.real) for row in rows}
    assert found == {"hi": (("Hi",), False), "I likes it": (("I like it.", "I like this."), True)}
