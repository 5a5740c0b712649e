"""Numbers by which candidates are ranked: those of whole sentences, the same in any company."""

from __future__ import annotations

import numpy as np
import pytest

from naturalness.explaining.candidates import candidates
from naturalness.explaining.ranking import (
    BY_COUNTS,
    BY_NETWORKS,
    COUNTED,
    MENDS,
    MIN_DAMAGE,
    OF_EDITS,
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


def made(text: str) -> tuple[Text, list[Candidate]]:
    """A text and some of its candidates, of every kind."""
    docs = parse([text])
    own = Text(docs[0])
    return own, candidates(own, marks(docs)[0])


@pytest.fixture(scope="module")
def some() -> tuple[Text, list[Candidate]]:
    """Of one sentence, every 40th."""
    own, found = made(SENTENCE)
    return own, found[::40]


def test_tables_name_every_kind() -> None:
    """Of edits, and kinds of the detector."""
    assert set(MENDS) == set(OF_EDITS)
    assert {kind for kinds in MENDS.values() for kind in kinds} <= set(KINDS[1:])


def test_counts_around_an_edit_are_those_of_the_sentence(some: tuple[Text, list[Candidate]]) -> None:
    """A window of words on each side loses nothing."""
    own, found = some
    table = by_counts(own, found)
    model = shipped.words()
    (plain,) = model.token_logprobs([own.doc])
    for row, one in zip(table, found, strict=True):
        (edited,) = model.token_logprobs(parse([own.rewrite(one).text]))
        assert row[0] == pytest.approx(edited.logprobs.sum() - plain.logprobs.sum())
        assert row[1] == edited.unknown.sum() - plain.unknown.sum()
        assert row[COUNTED.index(one.kind)] == 1 and row[-len(OF_EDITS) :].sum() == 1


def test_the_detector_speaks_for_edits_that_mend_what_it_sees() -> None:
    """What it calls *has* speaks for other words there, since it mostly calls it agreement."""
    own, found = made(SENTENCE)
    table = by_counts(own, found)
    (seen,) = detect([own.doc])
    place = own.seen.lower.index("has")
    forms = [i for i, one in enumerate(found) if (one.start, one.end) == (place, place + 1)]
    mended = [KINDS.index(kind) for kind in MENDS["replace"]]
    expected = np.log(np.exp(seen.logs[place, mended]).sum() + MIN_DAMAGE)
    assert {found[i].kind for i in forms} >= {"replace", "drop"}
    for i in forms:
        if found[i].kind == "replace":
            assert table[i, COUNTED.index("marked")] == pytest.approx(expected)


def test_networks_read_the_whole_sentence(some: tuple[Text, list[Candidate]]) -> None:
    """Differences between the sentence with an edit and without."""
    own, found = some
    counted = np.arange(float(len(found)))
    table = by_networks(own, found, counted)
    (plain,) = shipped.neural().foretell([own.doc])
    assert table.shape == (len(found), len(READ))
    np.testing.assert_array_equal(table[:, 0], counted)
    for row, one in zip(table, found, strict=True):
        (edited,) = shipped.neural().foretell(parse([own.rewrite(one).text]))
        assert row[1] == pytest.approx(edited.mixed.logprobs.sum() - plain.mixed.logprobs.sum())
        assert row[READ.index("words")] == len(one.words) - (one.end - one.start)


def test_other_sentences_and_candidates_change_nothing(some: tuple[Text, list[Candidate]]) -> None:
    """A candidate's numbers are its own."""
    own, found = some
    few = [0, 3, 7]
    chosen = [found[i] for i in few]
    np.testing.assert_array_equal(by_counts(own, chosen), by_counts(own, found)[few])
    zeros = np.zeros(len(found))
    np.testing.assert_array_equal(by_networks(own, chosen, zeros[few]), by_networks(own, found, zeros)[few])
    longer, more = made(f"It rained. {SENTENCE} We left.")
    words = [(one.kind, one.start + 3, one.end + 3, one.words) for one in chosen]
    same = [one for one in more if (one.kind, one.start, one.end, one.words) in words]
    assert len(same) == len(chosen)
    np.testing.assert_allclose(by_counts(longer, same)[:, :2], by_counts(own, chosen)[:, :2], atol=1e-9)


def test_nothing_to_rank() -> None:
    """No candidates, no rows."""
    own, _ = made("Fine.")
    assert by_counts(own, []).shape == (0, len(COUNTED))
    assert by_networks(own, [], np.empty(0)).shape == (0, len(READ))


def test_weights_are_those_of_the_columns() -> None:
    """No misspelt name, and what is likelier, sounder and less damaged goes first."""
    assert set(BY_COUNTS) == set(COUNTED) and set(BY_NETWORKS) == set(READ)
    assert min(BY_COUNTS["likelihood"], BY_COUNTS["marked"], BY_NETWORKS["likelihood"]) > 0
    assert BY_NETWORKS["soundness"] > 0 > BY_NETWORKS["damage"]
    assert np.isfinite([*BY_COUNTS.values(), *BY_NETWORKS.values()]).all()
