"""GRUEN's parts: each fault changes its own sub-score only, as in the paper's tables."""

from __future__ import annotations

import math

import pytest

from naturalness.metrics.gruen.judges import shipped_judges
from naturalness.metrics.gruen.parts import GruenParts, gruen_parts
from naturalness.text.parsing import parse

FLOODS = (
    "The river rose by two metres on Monday night. Firemen took forty people out of their houses "
    "in boats. They spent the night in a school on the hill. On Tuesday the water began to fall."
)
BAKER = (
    "Maria Lindt was born in a small village in 1931. She learned to bake in her uncle's shop. "
    "After the war she opened a bakery of her own. Later her two sons took over the business."
)
BRIDGE = (
    "The city council has approved a plan for a new bridge. The bridge will carry cyclists and "
    "trams over the canal. However, people who live nearby say that it will be too noisy. The "
    "council wants to answer their questions in May."
)
GOOD = (FLOODS, BAKER, BRIDGE)
ELSEWHERE = "Sharks have several rows of teeth."
NOISE = 0.03
"""How much grammaticality may change when a sentence is added."""


def parts_of(*texts: str) -> list[GruenParts]:
    """Return the sub-scores by left-to-right likelihood."""
    return gruen_parts(parse(texts), shipped_judges())


def sentences(text: str) -> list[str]:
    """Split one of the texts above into sentences."""
    return [f"{part.rstrip('.')}." for part in text.split(". ")]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("The tall man in the grey coat left early.", "The tall man in the grey coat of."),
        ("A man was arrested after a fire in the port.", "A man arrested after fire in port."),
        (
            "The flights to Oslo have been cancelled because of snow.",
            "The flights to Oslo been cancelled because of snow.",
        ),
        ("She asked whether the shop was open.", "She asked whether the shop open was it."),
        ("The room costs fifty euros a night.", "The room the room costs fifty euros a night a."),
    ],
)
def test_broken_grammar_lowers_only_grammaticality(good: str, bad: str) -> None:
    """Fragments, missing auxiliaries, wrong order and doubled words lower grammaticality only."""
    sound, broken = parts_of(good, bad)
    assert broken.acceptability < sound.acceptability - 0.15
    assert broken.grammaticality < sound.grammaticality - 0.1
    for one in (sound, broken):
        assert (one.repeated, one.unrelated) == (0, 0) and math.isnan(one.disorder)


@pytest.mark.parametrize("text", GOOD)
def test_a_repeated_sentence_raises_redundancy(text: str) -> None:
    """All four tests of redundancy fire; focus and grammaticality do not change."""
    sents = sentences(text)
    before, after = parts_of(text, " ".join([*sents, sents[-1]]))
    assert (before.repeated, after.repeated) == (0, 4)
    assert after.unrelated == before.unrelated
    assert after.grammaticality == pytest.approx(before.grammaticality, abs=NOISE)


@pytest.mark.parametrize("text", GOOD)
def test_an_unrelated_neighbour_lowers_focus(text: str) -> None:
    """A sound sentence that is related to no other lowers only focus."""
    sents = sentences(text)
    before, after = parts_of(text, " ".join([*sents, ELSEWHERE]))
    assert after.unrelated == before.unrelated + 1
    assert after.repeated == 0
    assert after.grammaticality == pytest.approx(before.grammaticality, abs=NOISE)


@pytest.mark.parametrize("text", GOOD)
def test_shuffling_changes_only_coherence(text: str) -> None:
    """Shuffling changes neither the sentences' quality nor redundancy."""
    a, b, c, d = sentences(text)
    before, after = parts_of(text, " ".join([c, d, b, a]))
    assert after.repeated == 0
    assert after.grammaticality == pytest.approx(before.grammaticality)


def test_decimals_and_abbreviations_do_not_end_a_sentence() -> None:
    """Full stops in decimals and abbreviations do not end a sentence, as they do in the published code."""
    (parts,) = parts_of("Prices rose by 3.5 percent in the U.S. last year. Wages rose by 2.1 percent.")
    assert len(parts.likelihoods) == 2
