"""The contract of all feature groups."""

from __future__ import annotations

import time
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from naturalness.errors import NaturalnessError, UnknownName
from naturalness.features import (
    ALL,
    APART,
    DEFAULT,
    EVERY,
    FAST,
    GROUPS,
    FeatureGroup,
    check_requirements,
    column_names,
    extract,
    resolve,
    round_significant,
)
from naturalness.features.base import needs_parse
from naturalness.features.measuring import ANNOTATION
from naturalness.features.requirements import asset, package
from naturalness.features.selected import select
from naturalness.text.parsing import parse, tokenise

SENTENCES = [
    "The tall woman who lives next door quickly gave the old book to her brother.",
    "i likes cat .",
    "He go to to the the school yesterday and and he was happy.",
    "Yes",
    "",
    "12 !",
    "Why?",
    "Because it rained, we stayed in.\n\nThen it stopped.",
    "She said that what he wanted was never what, in the end, he got.",
    "No verb here at all",
    "مرحبا بالعالم",
    "A (b) c - d; e: f!",
    "word " * 60,
    "“Quoted,” she said.",
    "Don't go.",
    "The report was written by the committee, which met twice.",
    "TOO LOUD, YOU'RE",
    "e-mail me at 5pm",
    "There are three reasons for this, and none of them is good.",
    "um well i mean it was like",
]
SEVERAL = "The men sat down. Then they slept; it was 5 p.m. She woke them again and again."
GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=list(GROUPS))
NAMED = pytest.mark.parametrize("group", EVERY.values(), ids=list(EVERY))
ALIKE = ("passage", "voice", "embedding:shipped")
"""Groups that are quick, although they are measured only if named."""


READ = [name for name in EVERY if name != "grammar"]


@pytest.mark.parametrize("name", READ)
def test_columns_that_need_no_parse_are_the_same_without_one(name: str) -> None:
    """Columns that need no parse have the same values without one, and only groups without other columns need none."""
    group = EVERY[name]
    free = [feature.name for feature in group.features if not needs_parse(select(group, feature.name))]
    assert needs_parse(group) == (len(free) < len(group.features))
    if free:
        places = [feature.name in free for feature in group.features]
        texts = [*SENTENCES, SEVERAL]
        parsed, read = group.extract(parse(texts)), group.extract(list(tokenise(texts)))
        assert np.array_equal(parsed[:, places], read[:, places], equal_nan=True)


def test_annotation_of_parsed_groups_is_known() -> None:
    """Every group that needs a parse says which annotation it reads; `gruen` reads sentences alone."""
    parsed = {name for name, group in EVERY.items() if needs_parse(group)}
    assert parsed - {"gruen"} == set(ANNOTATION) & set(EVERY)


def test_models_that_ship_score_without_a_parse() -> None:
    """The default and the fast model read only token counts and networks."""
    for names in (FAST, DEFAULT):
        assert not any(map(needs_parse, resolve(names)))


@NAMED
def test_a_group_is_described_completely(group: FeatureGroup) -> None:
    """Names, descriptions and requirements are complete."""
    assert isinstance(group, FeatureGroup)
    assert EVERY[group.name] is group
    names = [feature.name for feature in group.features]
    assert len(set(names)) == len(names)
    assert all(getattr(feature, entry.name) != "" for feature in group.features for entry in fields(feature))
    for feature in group.features:
        assert feature.name.replace("_", "").isalnum() and feature.name.islower()
    if group.name not in APART:  # nothing that is installed apart
        assert all(not need.problem() for need in group.requires)


@pytest.mark.parametrize("name", [*GROUPS, *ALIKE])
@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.sampled_from([*SENTENCES, SEVERAL]) | st.text(max_size=40), max_size=4))
def test_rows_do_not_depend_on_other_rows(name: str, texts: list[str]) -> None:
    """A document of any characters gets the same numbers alone and with others."""
    (group,) = resolve([name])
    batch = group.extract(parse(texts))
    assert batch.shape == (len(texts), len(group.features))
    assert not np.isinf(batch).any()
    for text, row in zip(texts, batch, strict=True):
        np.testing.assert_array_equal(group.extract(parse([text]))[0], row)


@pytest.fixture(scope="module")
def together() -> np.ndarray:
    """Return all features of the sentences above, parsed in one batch."""
    return extract(parse(SENTENCES), resolve())


@pytest.mark.parametrize("size", [1, 7, 64])
def test_the_batch_size_does_not_matter(size: int, together: np.ndarray) -> None:
    """Batches of 1, 7 and 64 give the same numbers to the last digit."""
    np.testing.assert_array_equal(extract(parse(SENTENCES, batch_size=size), resolve()), together)


@pytest.mark.slow
@settings(deadline=None, max_examples=3)
@given(order=st.permutations(range(len(SENTENCES))))
def test_the_order_does_not_matter(order: list[int], together: np.ndarray) -> None:
    """Shuffling the texts shuffles the rows."""
    shuffled = extract(parse([SENTENCES[i] for i in order]), resolve())
    np.testing.assert_array_equal(shuffled, together[order])


@pytest.mark.parametrize("name", ["constituency", "damage", "rating", "neural_lm", "gleu", "gruen"])
def test_a_text_that_cannot_be_measured_has_a_reason(name: str) -> None:
    """A text that cannot be measured has NaN and a reason; a text without words has no reason."""
    group = EVERY[name]
    docs = parse(["so it goes " * 400, "It rained.", ""])
    undefined = np.isnan(group.extract(docs))
    assert undefined[[0, 2], -1].all() and not undefined[1].all()
    assert [bool(reason) for reason in group.gaps(docs)] == [True, False, False]  # type: ignore[attr-defined]


LONG = ["a" * 49_999, "a\n\n" * 16_000, "a" + " " * 49_000 + "b", "so it goes " * 4_500]


@pytest.mark.slow
@pytest.mark.parametrize("text", LONG, ids=["one word", "paragraphs", "spaces", "words"])
def test_time_grows_with_length(text: str) -> None:
    """Eight times the length takes far less than 64 times as long."""

    def seconds(text: str) -> float:
        docs = parse([text])
        started = time.process_time()  # of this process: others may keep the machine busy
        extract(docs, resolve())
        return time.process_time() - started

    seconds(SENTENCES[0])  # opens the networks
    assert seconds(text) < 20 * seconds(text[: len(text) // 8]) + 0.5


def test_shares_and_flags_are_between_0_and_1(together: np.ndarray) -> None:
    """The values of a feature whose range is 0 to 1 are in this range."""
    features = [feature for group in resolve() for feature in group.features]
    for feature, column in zip(features, together.T, strict=True):
        if feature.range in {"[0, 1]", "[0, 1)", "(0, 1]", "0..1", "0, 1"}:
            defined = column[~np.isnan(column)]
            assert ((defined >= 0) & (defined <= 1)).all(), feature.name


def test_plain_sentences_have_nearly_all_values(together: np.ndarray) -> None:
    """Only features of repetition, length or absent phrases are undefined for an ordinary sentence."""
    names = np.array(column_names(resolve()))
    undefined = set(names[np.isnan(together[0])])
    assert undefined <= {"lexical__mtld", "constituency__adjp_length_mean"}


def test_groups_are_resolved_by_name_or_passed_as_objects() -> None:
    """Names are looked up, objects are returned unchanged, and an unknown name gets a suggestion."""
    group = GROUPS["lexical"]
    assert resolve(["surface", group]) == [GROUPS["surface"], group]
    assert resolve([ALL, "grammar"]) == [*GROUPS.values(), APART["grammar"]]
    assert resolve([ALL]) == resolve()
    assert resolve(["surface", ALL, group, "surface"])[1:] == resolve()[1:]
    with pytest.raises(UnknownName, match="did you mean 'lexical'"):
        resolve(["lexcal"])
    with pytest.raises(TypeError, match="single string"):
        resolve("lexical")


def test_everything_missing_is_reported_at_once() -> None:
    """One error lists all requirements that are not met."""

    class Needy:
        """A group with requirements that are never met."""

        name = "needy"
        features = ()
        requires = (asset("gold"), package("no_such", "ray"))

        def extract(self, docs):  # type: ignore[no-untyped-def]
            """Return nothing."""

    with pytest.raises(NaturalnessError, match=r"asset 'gold'.*package 'no_such'.*\[ray\]"):
        check_requirements([Needy()])


def test_rounding_keeps_six_significant_digits() -> None:
    """Large, small, negative and undefined numbers are rounded correctly."""
    table = np.array([[123456.789, 0.000123456789, -9.99999949, 0.0, np.nan]])
    expected = [[123457.0, 0.000123457, -9.99999949, 0.0, np.nan]]
    np.testing.assert_allclose(round_significant(table), expected, rtol=1e-6)
