"""Features that rank candidates: those of whole sentences, whatever the batch."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.candidates import candidates
from naturalness.explaining.ranking import (
    BY_COUNTS,
    BY_NETWORKS,
    COUNTED,
    EDIT_KINDS,
    MENDS,
    MIN_DAMAGE,
    READ,
    by_counts,
    by_networks,
)
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.models.detector import KINDS, detect
from naturalness.models.language import shipped
from naturalness.models.marks import marks
from naturalness.text.parsing import parse

SENTENCE = "The gray cats of our old neighbour has never been been in the small garden ."


def text_and_candidates(text: str) -> tuple[Text, list[Candidate]]:
    """Return a text and some of its candidates, of every kind."""
    docs = parse([text])
    original = Text(docs[0])
    return original, candidates(original, marks(docs)[0])


@pytest.fixture(scope="module")
def some() -> tuple[Text, list[Candidate]]:
    """Return every 40th candidate of a sentence."""
    original, edits = text_and_candidates(SENTENCE)
    return original, edits[::40]


def test_tables_name_every_kind() -> None:
    """The tables list every kind of edit and of the detector."""
    assert set(MENDS) == set(EDIT_KINDS)
    assert {kind for kinds in MENDS.values() for kind in kinds} <= set(KINDS[1:])


def test_counts_around_an_edit_are_those_of_the_sentence(some: tuple[Text, list[Candidate]]) -> None:
    """A window of words on each side gives the same counts as the sentence."""
    original, edits = some
    table = by_counts(original, edits)
    model = shipped.words()
    (plain,) = model.token_logprobs([original.doc])
    for row, one in zip(table, edits, strict=True):
        (edited,) = model.token_logprobs(parse([original.rewrite(one).text]))
        assert row[0] == pytest.approx(edited.logprobs.sum() - plain.logprobs.sum())
        assert row[1] == edited.unknown.sum() - plain.unknown.sum()
        assert row[COUNTED.index(one.kind)] == 1 and row[-len(EDIT_KINDS) :].sum() == 1


def test_the_detector_speaks_for_edits_that_mend_what_it_sees() -> None:
    """A doubted *has* supports other words there, since the detector mostly calls it agreement."""
    original, edits = text_and_candidates(SENTENCE)
    table = by_counts(original, edits)
    (seen,) = detect([original.doc])
    position = original.seen.lower.index("has")
    forms = [i for i, one in enumerate(edits) if (one.start, one.end) == (position, position + 1)]
    mended = [KINDS.index(kind) for kind in MENDS["replace"]]
    expected = np.log(np.exp(seen.logs[position, mended]).sum() + MIN_DAMAGE)
    assert {edits[i].kind for i in forms} >= {"replace", "drop"}
    for i in forms:
        if edits[i].kind == "replace":
            assert table[i, COUNTED.index("marked")] == pytest.approx(expected)


def test_networks_read_the_whole_sentence(some: tuple[Text, list[Candidate]]) -> None:
    """Features are differences between the sentences with and without the edit."""
    original, edits = some
    counted = np.arange(float(len(edits)))
    table = by_networks(original, edits, counted)
    (plain,) = shipped.neural().foretell([original.doc])
    assert table.shape == (len(edits), len(READ))
    np.testing.assert_array_equal(table[:, 0], counted)
    for row, one in zip(table, edits, strict=True):
        (edited,) = shipped.neural().foretell(parse([original.rewrite(one).text]))
        assert row[1] == pytest.approx(edited.mixed.logprobs.sum() - plain.mixed.logprobs.sum())
        assert row[READ.index("words")] == len(one.words) - (one.end - one.start)


def test_other_sentences_and_candidates_change_nothing(some: tuple[Text, list[Candidate]]) -> None:
    """A candidate's features do not depend on others."""
    original, edits = some
    few = [0, 3, 7]
    chosen = [edits[i] for i in few]
    np.testing.assert_array_equal(by_counts(original, chosen), by_counts(original, edits)[few])
    zeros = np.zeros(len(edits))
    np.testing.assert_array_equal(by_networks(original, chosen, zeros[few]), by_networks(original, edits, zeros)[few])
    longer, more = text_and_candidates(f"It rained. {SENTENCE} We left.")
    words = [(one.kind, one.start + 3, one.end + 3, one.words) for one in chosen]
    same = [one for one in more if (one.kind, one.start, one.end, one.words) in words]
    assert len(same) == len(chosen)
    np.testing.assert_allclose(by_counts(longer, same)[:, :2], by_counts(original, chosen)[:, :2], atol=1e-9)


def test_nothing_to_rank() -> None:
    """Without candidates there are no rows."""
    original, _ = text_and_candidates("Fine.")
    assert by_counts(original, []).shape == (0, len(COUNTED))
    assert by_networks(original, [], np.empty(0)).shape == (0, len(READ))


def test_weights_are_those_of_the_columns() -> None:
    """Names match, and likelier, sounder, less damaged candidates rank higher."""
    assert set(BY_COUNTS) == set(COUNTED) and set(BY_NETWORKS) == set(READ)
    assert min(BY_COUNTS["likelihood"], BY_COUNTS["marked"], BY_NETWORKS["likelihood"]) > 0
    assert BY_NETWORKS["soundness"] > 0 > BY_NETWORKS["damage"]
    assert np.isfinite([*BY_COUNTS.values(), *BY_NETWORKS.values()]).all()
