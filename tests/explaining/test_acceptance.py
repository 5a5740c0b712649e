"""The probability that an edit is accepted: its signs by hand, and forged files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from naturalness.english.wordlist import load_wordlist
from naturalness.explaining.acceptance import EDIT_KINDS, FILE, MAX_CHANGE, SIGNS, Edits, read_trees, signs, weigh
from naturalness.explaining.candidates import UNLIKELY, Proposal, proposals
from naturalness.explaining.rewriting import Candidate, EditableText
from naturalness.features import round_significant
from naturalness.features.rules import rule_checker
from naturalness.files.resources import locate
from naturalness.models.mender import ASSET, mender
from naturalness.text.matches import checked
from naturalness.text.parsing import parse


def columns_of(text: str, *some: Proposal) -> dict[str, list[float]]:
    """Return the signs of proposals for a text, by name."""
    table = signs(EditableText(parse([text])[0]), some)
    assert table.shape == (len(some), len(SIGNS))
    return dict(zip(SIGNS, table.T.tolist(), strict=True))


def edit(kind: Any, start: int, end: int, *words: str, sentence: tuple[int, int]) -> Candidate:
    """Return an edit of a sentence."""
    return Candidate(kind, start, end, words, sentence)


TEXT = "He go to Paris. we stay"
FIRST, SECOND = (0, 5), (5, 7)


def test_signs_that_a_proposal_states() -> None:
    """Signs include the proposal's probabilities, severity, spelling and kind; extreme values are clipped."""
    seen = columns_of(
        TEXT,
        Proposal(edit("inflect", 1, 2, "goes", sentence=FIRST), -0.5, -2.0, "error", "HE_GO"),
        Proposal(edit("spelling", 6, 7, "stays", sentence=SECOND), -40.0, -30.0, None, "", 0.75, 1.5),
    )
    assert seen["mended"] == [-0.5, UNLIKELY]
    assert seen["sound"] == [-2.0, UNLIKELY]
    assert (seen["error"], seen["warning"], seen["hint"]) == ([1, 0], [0, 0], [0, 0])
    assert seen["spelling_share"] == [0, 0.75]
    assert seen["misspelt"] == [-MAX_CHANGE, 1.5]
    assert (seen["inflect"], seen["spelling"]) == ([1, 0], [0, 1])
    assert all(seen[kind] == [0, 0] for kind in EDIT_KINDS if kind not in ("inflect", "spelling"))


def test_signs_of_the_words() -> None:
    """Frequencies are those of the rarest word; a capital counts inside a sentence; a sentence has its length."""
    known = load_wordlist()
    seen = columns_of(
        TEXT,
        Proposal(edit("replace", 2, 4, "Rome", sentence=FIRST)),
        Proposal(edit("delete", 0, 1, sentence=FIRST)),
        Proposal(edit("insert", 7, 7, ".", sentence=SECOND)),
    )
    assert seen["zipf_before"] == [min(known.lookup("to"), known.lookup("paris")), known.lookup("he"), 0]
    assert seen["zipf_after"] == [known.lookup("rome"), 0, known.lookup(".")]
    assert seen["capital"] == [1, 0, 0]
    assert seen["length"] == [5, 5, 2]
    assert seen["words"] == [-1, -1, 1]
    assert seen["lower"] == [0, 0, 0]


def test_rivals_are_edits_of_the_same_place() -> None:
    """An edit is compared with the best edit that touches it; without rivals, the difference is the largest."""
    seen = columns_of(
        TEXT,
        Proposal(edit("inflect", 1, 2, "goes", sentence=FIRST), -0.5),
        Proposal(edit("inflect", 1, 2, "went", sentence=FIRST), -1.5),
        Proposal(edit("insert", 1, 1, "can", sentence=FIRST), -3.0),
        Proposal(edit("inflect", 6, 7, "stayed", sentence=SECOND), -4.0),
    )
    assert seen["rival_mended"] == [1.0, -1.0, -2.5, MAX_CHANGE]
    for name in ("likelihood", "soundness"):
        changes, rivals = seen[name], seen[f"rival_{name}"]
        others = [max(changes[1:3]), max(changes[0], changes[2]), max(changes[:2])]
        assert rivals[:3] == pytest.approx([a - b for a, b in zip(changes, others, strict=False)], abs=1e-9)
        assert rivals[3] == MAX_CHANGE


TEXTS = ["He go to school every day.", "We recieve alot of leters", "They the sold boat. We listened the radio."]


def edits_of(texts: Iterable[str]) -> list[Edits]:
    """Return the proposals for each text."""
    docs = parse(texts)
    both = zip(docs, mender().read(docs), checked(rule_checker(), docs), strict=True)
    return [
        Edits(text, proposals(text, parts, mender(), of_doc.matches))
        for doc, parts, of_doc in both
        for text in [EditableText(doc)]
    ]


def weighed(several: list[Edits]) -> list[list[float]]:
    """Return the probabilities of all edits of texts."""
    return [p.tolist() for p in weigh(several, [np.zeros(len(edits.proposed)) for edits in several])]


def test_probabilities_do_not_depend_on_the_batch() -> None:
    """Probabilities lie between 0 and 1 and are the same for a text alone and in a batch."""
    trees = read_trees(locate(ASSET) / FILE)
    together = edits_of(TEXTS)
    for text, edits, of_text in zip(TEXTS, together, weighed(together), strict=True):
        (alone,) = edits_of([text])
        table = signs(alone.text, alone.proposed)
        np.testing.assert_array_equal(table, signs(edits.text, edits.proposed))
        assert of_text == weighed([alone])[0]
        assert len(of_text) == len(table) > 0 and all(0 < p < 1 for p in of_text)
        log_odds = np.concatenate([trees.decide(row[None]) for row in table])
        assert of_text == round_significant(1 / (1 + np.exp(-log_odds))).tolist()
    assert weighed([]) == []
