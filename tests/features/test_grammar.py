"""The grammar group on chosen findings, with values calculated by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from spacy.tokens import Doc

from naturalness.features import extract, gaps, resolve
from naturalness.features.base import FeatureGroup, WithGaps
from naturalness.features.grammar import GrammarFeatures
from naturalness.text.matches import Match, Matches, Severity
from naturalness.text.parsing import parse
from tests.support.values import VALUES

TEXT = "He go home and teh dog colour it."  # eight words


def match(category: str, severity: Severity, start: int = 0) -> Match:
    """Return a match of a category."""
    return Match(start, start + 1, "RULE", category, "Wrong.", (), severity)


MATCHES = (
    match("GRAMMAR", "error"),
    match("COLLOCATIONS", "error"),
    match("TYPOS", "error"),
    match("TYPOS", "error"),
    match("PUNCTUATION", "warning"),
    match("STYLE", "hint"),
    match("REDUNDANCY", "hint"),
    match("MISC", "warning"),
    match("CASING", "warning"),
)
# 4 errors; 4 * 1 + 3 * .5 + 2 * .25 = 6.
CHOSEN = VALUES["grammar"]["chosen"]


@dataclass
class Chosen:
    """A checker that returns chosen findings, and records the Docs."""

    findings: Matches
    name: str = "chosen"
    signature: str = "chosen"
    asked: list[str] = field(default_factory=list)

    def check(self, docs: Sequence[Doc]) -> list[Matches]:
        """Return the same findings for every Doc."""
        self.asked += [doc.text for doc in docs]
        return [self.findings for _ in docs]


def group(findings: Matches) -> tuple[GrammarFeatures, Chosen]:
    """Return the group over chosen findings."""
    checker = Chosen(findings)
    return GrammarFeatures(open=lambda: checker), checker


def test_values_by_hand() -> None:
    """Counts are divided by words, and unlisted categories are counted together."""
    feature_group, _ = group(Matches(MATCHES))
    assert isinstance(feature_group, FeatureGroup) and isinstance(feature_group, WithGaps)
    row = dict(zip([f.name for f in feature_group.features], feature_group.extract(parse([TEXT]))[0], strict=True))
    assert row == pytest.approx(CHOSEN)


def test_a_text_that_could_not_be_checked_has_a_reason() -> None:
    """An unchecked text has a reason and no values in this group, but values in others."""
    feature_group, _ = group(Matches((), "took too long"))
    docs, groups = parse([TEXT]), [feature_group, *resolve(["surface"])]
    table = extract(docs, groups)
    assert np.isnan(table[:, : len(GrammarFeatures.features)]).all() and not np.isnan(table[:, -1]).any()
    assert gaps(docs, groups) == ["no values of grammar: took too long"]


def test_texts_without_words_are_not_checked() -> None:
    """Texts without words are undefined and not sent to the checker."""
    feature_group, checker = group(Matches(MATCHES))
    docs = parse(["...", TEXT, ""])
    table = feature_group.extract(docs)
    assert np.isnan(table[[0, 2]]).all() and not np.isnan(table[1]).any()
    assert feature_group.gaps(docs) == ["", "", ""]
    assert checker.asked == [TEXT]
    assert GrammarFeatures().extract([]).shape == (0, len(GrammarFeatures.features))
    assert np.isnan(GrammarFeatures().extract(parse(["", "?!"]))).all()
