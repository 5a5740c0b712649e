"""Mended texts: which edits are chosen, and which rules' matches are confirmed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from naturalness.explaining import acceptance, mending
from naturalness.explaining.candidates import UNLIKELY, Proposal
from naturalness.explaining.mending import (
    ACCEPTED,
    MIN_MENDED,
    SHOWN,
    TRIED,
    Attempt,
    Correction,
    attempts,
    composed,
    confirmed,
    mend,
    read_again,
    worth_trying,
)
from naturalness.explaining.rewriting import Candidate, replaced
from naturalness.text.matches import Match, Matches
from naturalness.text.parsing import parse
from tests.support.lines import rows

Chosen = tuple[Correction, ...]
_WRONG = """
He go to school every day. | He goes to school every day.
We was suprised by the begining of the film. | We were surprised by the beginning of the film.
I recieve alot of leters. | I receive a lot of letters.
They discussed about the plan. | They discussed the plan.
The the lamp is broken. | The lamp is broken.
My frend lives in paris. | My friend lives in Paris.
She depends of her brother. | She depends on her brother.
We listened the radio all night. | We listened to the radio all night.
He put the on keys the table. | He put the keys on the table.
I has been here since yesterday | I have been here since yesterday.
It are late. | It is late.
I did not went home. | I did not go home.
"""
WRONG = dict(rows(_WRONG)) | {"  He can speaks\tEnglish very  well.": "  He can speak\tEnglish very  well."}
SOUND = [
    "The committee will meet again on Thursday morning.",
    "We had lunch in the garden.",
    "Nobody knew why the old lamp had been left on the stairs.",
    "He left. She stayed.",
]
ODD = ["", "...", "😀", "We left.\n\n* * *\n\nShe stayed."]


def text_of(text: str, chosen: Chosen) -> str:
    """Return a text with the chosen edits."""
    return replaced(text, [correction.change for correction in chosen])


@pytest.fixture(scope="module")
def mended() -> dict[str, Chosen]:
    """Return the edits of each text's repair."""
    texts = [*WRONG, *SOUND, *ODD]
    return dict(zip(texts, mend(parse(texts)), strict=True))


@pytest.mark.parametrize("text", WRONG)
def test_clear_errors_are_mended(mended: dict[str, Chosen], text: str) -> None:
    """The chosen edits together make the right text."""
    assert text_of(text, mended[text]) == WRONG[text]


@pytest.mark.parametrize("text", [*SOUND, *ODD])
def test_sound_texts_are_left_alone(mended: dict[str, Chosen], text: str) -> None:
    """Sound texts, texts without words and marks between sentences are not changed."""
    assert mended[text] == ()


def test_results_do_not_depend_on_the_batch(mended: dict[str, Chosen]) -> None:
    """A text is mended in the same way alone, in another order, and twice in one batch."""
    texts = list(mended)[::-1]
    assert mend(parse(texts)) == [mended[text] for text in texts]
    for text in texts[-3:]:
        assert mend(parse([text])) == [mended[text]]
        assert mend(parse([text, text])) == [mended[text]] * 2
    assert mend([]) == []


HIDDEN = {
    "The cats was sleeping when the dog come in the room.": "The cats were sleeping when the dog came in the room.",
    "The childrens was playing in the garden when it start to rain.": (
        "The children were playing in the garden when it started to rain."
    ),
}


@pytest.mark.parametrize("text", HIDDEN)
def test_repaired_texts_are_read_once_more(text: str) -> None:
    """Edits that are likely only once others are made have their place in the text as it was."""
    docs = parse([text])
    (first,) = mend(docs)
    (repair,) = read_again(docs, [first])
    assert set(first) < set(repair)
    assert text_of(text, first) != text_of(text, repair) == HIDDEN[text]
    assert all(one.end < other.start for one, other in pairwise(repair))
    assert read_again(docs, [()]) == [()]


def made_of(text: str, *changes: tuple[str, str, float]) -> Chosen:
    """Return corrections of a text, each of the first place where its old words stand."""
    return tuple(
        Correction(text.index(old), text.index(old) + len(old), new, p, "replace", "wrong") for old, new, p in changes
    )


@pytest.mark.parametrize(
    ("text", "first", "second", "expected"),
    [
        # Apart: the second has its place in the text as it was.
        ("a bb cc", [("a", "long", 0.9)], [("cc", "d", 0.5)], [("a", "long", 0.9), ("cc", "d", 0.5)]),
        # The second continues the first.
        ("yea so", [("yea", "yeah", 0.8)], [("yeah", "Yeah", 0.9)], [("yea", "Yeah", 0.8)]),
        ("may be so", [("may be", "maybe", 0.9)], [("maybe so", "Yes", 0.4)], [("may be so", "Yes", 0.4)]),
        # The second undoes the first.
        ("we are", [("are", "is", 0.5)], [("is", "are", 0.6)], []),
        # Side by side, and around a deletion.
        ("ab cd", [("ab", "x", 0.9)], [(" cd", " y", 0.5)], [("ab", "x", 0.9), (" cd", " y", 0.5)]),
        ("ab cd", [(" cd", "", 0.9)], [("ab", "x", 0.5)], [("ab cd", "x", 0.5)]),
    ],
)
def test_edits_of_two_readings_are_composed(
    text: str, first: list[Any], second: list[Any], expected: list[Any]
) -> None:
    """Together they make the text that both readings make one after the other."""
    made = made_of(text, *first)
    repaired = text_of(text, made)
    more = made_of(repaired, *second)
    both = composed(text, made, more)
    assert [(text[edit.start : edit.end], edit.after, edit.probability) for edit in both] == expected
    assert text_of(text, both) == text_of(repaired, more)


MORE = ["I look forward to meet you and I am agree with him.", "He said me that he have a big dogs."]


@pytest.mark.parametrize("least", [SHOWN, ACCEPTED, 0.6, 0.9])
def test_variants_that_cannot_be_accepted_are_not_read(monkeypatch: pytest.MonkeyPatch, least: float) -> None:
    """Reading fewer variants finds the same edits with the same probabilities."""
    read: list[object] = []

    def noted(reader: Any) -> Any:
        def reading(docs: list[Any]) -> Any:
            read.extend(docs)
            return reader(docs)

        return reading

    for name in ("_detected", "_foretold"):
        monkeypatch.setattr(acceptance, name, noted(getattr(acceptance, name)))

    def found(smallest: float) -> tuple[list[list[Attempt]], int]:
        read.clear()
        tried = attempts(parse([*WRONG, *SOUND, *MORE]), least=smallest)
        return [[(p, c) for p, c in of_text if c.probability >= least] for of_text in tried], len(read)

    (some, number), (every, of_all) = found(least), found(0.0)
    assert some == every
    assert sum(map(len, every)) >= 8
    assert 0 < number < of_all


class FakeChecker:
    """A checker that finds the same matches in every Doc."""

    name = "made up"

    def __init__(self, *matches: Match) -> None:
        self.matches = matches
        self.signature = repr(matches)

    def check(self, docs: list[Any]) -> list[Matches]:
        """Return the matches for each Doc."""
        return [Matches(self.matches) for _ in docs]


def test_matches_that_the_networks_contradict_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match is dropped if all its suggestions are unlikely; one without suggestions for whole words stays."""
    text = "We had lunch in the garden."
    wrong = Match(7, 12, "MANGO", "family", "", ("mango", "stapler"), "warning")
    silent = Match(20, 26, "STYLE", "family", "")
    part = Match(20, 23, "PART", "family", "", ("jar",))
    checker = FakeChecker(wrong, silent, part)
    monkeypatch.setattr(mending, "rule_checker", lambda: checker)
    monkeypatch.setattr(mending, "CONTRADICTED", 0.1)
    assert confirmed(parse([text])) == [[silent, part]]
    right = Match(3, 5, "MADE_UP", "family", "", ("mango", "goes"), "warning")
    checker = FakeChecker(right)
    docs = parse(["He go to school every day."])
    assert confirmed(docs) == [[right]]
    of_rule = {c.after: c.probability for p, c in attempts(docs)[0] if p.rule == "MADE_UP"}
    assert of_rule["mango"] < 0.1 < of_rule["goes"]


def proposal(start: int, end: int, mended: float = -1.0, kind: Any = "replace", **signs: Any) -> Proposal:
    """Return a proposal in a sentence of ninety tokens."""
    return Proposal(Candidate(kind, start, end, ("x",), (0, 90)), mended, **signs)


def test_edits_that_are_tried() -> None:
    """Only a few likely edits of the mender are tried, but every edit of rules, speller and list of capitals."""
    likely = [proposal(i, i + 1, -0.1 * i) for i in range(TRIED + 3)]
    assert worth_trying(reversed(likely)) == likely[:TRIED]
    faint = proposal(0, 1, MIN_MENDED - 0.01)
    assert worth_trying([faint]) == []
    sure = [
        proposal(0, 1, UNLIKELY, severity="hint"),
        proposal(1, 2, UNLIKELY, spelling=0.1),
        proposal(2, 3, UNLIKELY, kind="case"),
    ]
    assert worth_trying([*sure, faint, *likely]) == [*likely[:TRIED], *sure]


def correction(start: int, end: int, after: str, p: float = 0.5, kind: Any = "replace") -> Correction:
    """Return a correction."""
    return Correction(start, end, after, p, kind, "wrong")


CHOSEN = """
2-3 0.9, 0-1 0.8, 3-4 0.7 | delete delete delete | 0-1, 2-3, 3-4
3-3 0.9, 3-4 0.8, 5-6 0.7 | delete delete delete | 3-3, 5-6
0-2 0.9, 1-3 0.8 | delete delete | 0-2
0-1 0.9, 1-2 0.8 | replace inflect | 0-1
3-3 0.9, 2-3 0.8 | punctuation inflect | 2-3, 3-3
3-3 0.9, 3-3 0.8 | punctuation punctuation | 3-3
0-1 0.9, 8-9 0.34 | delete delete | 0-1
"""
"""Spans of edits with their probabilities, their kinds, and the spans that are chosen."""


@pytest.mark.parametrize(("edits", "kinds", "expected"), rows(CHOSEN))
def test_the_likeliest_edits_that_do_not_touch_are_chosen(edits: str, kinds: str, expected: str) -> None:
    """Neighbouring words may both be edited, unless both are inflected or replaced; a mark may stand beside an edit."""
    tried = [
        (proposal(int(edit[0]), int(edit[2]), kind=kind), correction(int(edit[0]), int(edit[2]), "x", float(edit[4:])))
        for edit, kind in zip(edits.split(", "), kinds.split(), strict=True)
    ]
    assert ", ".join(f"{edit.start}-{edit.end}" for edit in mending.choose(tried)) == expected


@pytest.mark.parametrize(("fault", "expected"), [("agreement", ["were"]), ("verb", ["It", "were"])])
def test_a_pronoun_is_kept_if_the_next_word_is_made_to_agree(fault: str, expected: list[str]) -> None:
    """*They was* becomes *they were*: neither *it was*, though it is likelier, nor *it were*."""
    edits = (Correction(0, 4, "It", 0.9, "replace", "pronoun"), Correction(5, 8, "were", 0.8, "replace", fault))
    tried = [(proposal(i, i + 1), edit) for i, edit in enumerate(edits)]
    assert [edit.after for edit in mending.choose(tried)] == expected
    assert [edit.after for edit in mending.choose(tried, least=0.85)] == ["It"]
