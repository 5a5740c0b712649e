"""Which sentences and changes count, by hand."""

from __future__ import annotations

from pathlib import Path

from tests.support.edited import write
from training.mender.edits import Edited, Tally
from training.mender.sets import ERACOND, HARPER, OF_RULE, TETRA, by_kind, compare, corrected_sets, left_alone


def row(text: str, reference: str) -> Edited:
    """Return a sentence with one correction."""
    return Edited(text, (reference,), "eracond", "test", real=True)


def test_few_pairs_of_a_rule_and_all_turns(tmp_path: Path) -> None:
    """Sentences of Harper that should stay as they are stand apart."""
    write(tmp_path / "eracond.tsv", "id|bad|good|kind|source|span|level", "era1-0-0|hi you|Hi you|R:ORTH|x||1")
    write(tmp_path / "tetra.tsv.gz", "id|bad|good|kind|source|span|rationale")
    pairs = [f"harper-{n}|I seen {n} men.|I saw {n} men.|seen|x||Grammar|t|1" for n in range(OF_RULE + 2)]
    kept = "harper-99|I saw the men.|I saw the men.|seen|x||Grammar|t|1"
    write(tmp_path / "harper.tsv.gz", "id|bad|good|kind|source|span|lint_kind|test|tidy", *pairs, kept)
    parts = ("development", "test")
    sizes = [{name: len(rows) for name, rows in corrected_sets(tmp_path, part).items()} for part in parts]
    assert {name: sum(size[name] for size in sizes) for name in sizes[0]} == {ERACOND: 1, TETRA: 0, HARPER: OF_RULE}
    assert [text for part in parts for text in left_alone(tmp_path, part)] == ["I saw the men."]


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
