"""Which sentences and changes count, by hand."""

from __future__ import annotations

from training.mender.edits import Edited, Tally
from training.mender.sets import HARPER, by_kind, compare


def row(text: str, reference: str) -> Edited:
    """Return a sentence with one correction."""
    return Edited(text, (reference,), "eracond", "test", real=True)


def test_kinds_of_change() -> None:
    """By what is put in, left out, replaced or moved."""
    rows = [
        row("he go at bed", "He goes to bed."),
        row("I like green very the tea", "I like very green tea"),
        row("They left me house", "They left to my house"),
    ]
    outputs = ["he goes in bed", "I like green the tea", "They left my house"]
    assert by_kind(rows, compare(HARPER, rows, outputs)) == {
        "case, punctuation, spacing": Tally(0, 0, 2),
        "form, spelling": Tally(1, 0, 0),
        "missing function word": Tally(0, 0, 1),
        "order": Tally(0, 0, 1),
        "other function word": Tally(1, 1, 1),
        "superfluous function word": Tally(0, 1, 1),
    }
