"""What GRUEN does not see."""

from __future__ import annotations

import pytest

from naturalness.metrics.gruen.beyond import lost_pronouns, paraphrases, repeats_within
from naturalness.text.parsing import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The inn is near the park and near the park it has a pool.", 1),
        ("The the dog barked.", 1),
        ("It was very very cold.", 0),
        ("The dog barked at the cat, and the cat ran from the dog.", 2),
        ("She ran home. She ran home.", 0),
        ("The red house is big.", 0),
    ],
)
def test_repeats_inside_a_sentence(text: str, expected: int) -> None:
    """Phrases with content, or a word twice in a row; what another sentence says is another's."""
    assert repeats_within(parse([text])[0]) == expected


def test_paraphrases() -> None:
    """The same in other words; the same in the same words is for GRUEN's own tests."""
    said = "The restaurant serves cheap Italian food."
    texts = [
        f"{said} Cheap dishes from Italy are served at this restaurant.",
        f"{said} {said}",
        f"{said} Buses leave the station every hour.",
    ]
    assert [paraphrases(doc) for doc in parse(texts)] == [1, 0, 0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She gave him a letter.", 2),
        ("When he came, Paul was tired.", 0),
        ("Anna left because she was ill.", 0),
        ("He slept. Then he woke up.", 1),
        ("Some stayed, but they were cold.", 0),
        ("It was raining.", 0),
    ],
)
def test_pronouns_without_an_antecedent(text: str, expected: int) -> None:
    """Each once; *it* often needs none."""
    assert lost_pronouns(parse([text])[0]) == expected
