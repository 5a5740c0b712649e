"""Findings: merging, order, and each finder on a sentence made for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from naturalness.explaining.causes import KINDS
from naturalness.explaining.explanation import Finding
from naturalness.explaining.findings import MARKS, long, merge_findings, spanned
from naturalness.text.parsing import parse
from naturalness.text.view import view

HERE = Finding(4, 9, "mango", "article", "small_words", "a message", "rules", 0.9, ("a mango",))


def detected(start: int, end: int, kind: str, weight: float) -> Finding:
    """Return a finding of the detector."""
    return Finding(start, end, "", kind, KINDS[kind], MARKS[f"suspect-{kind}"]["message"], "detector", weight)


@pytest.mark.parametrize(("text", "shown"), [("It ain't broke.", "ain't"), ("It isn't broke.", "is")])
def test_no_half_of_a_contraction_is_marked(text: str, shown: str) -> None:
    """The first half of *ain't* is never marked alone; that of *isn't* is a word and may be marked."""
    (doc,) = parse([text])
    assert spanned(doc, view(doc), 1, 1, "suspect-wrong", 0.5).text == shown


def test_a_rules_finding_absorbs_the_detectors() -> None:
    """A rule's finding absorbs the detector's in the same place, and its weight rises."""
    one, other = merge_findings([detected(4, 9, "noun", 0.5), HERE, detected(20, 25, "noun", 0.5)])
    assert one == replace(HERE, weight=pytest.approx(0.95))
    assert (other.start, other.source) == (20, "detector")


def test_sure_findings_replace_doubtful_ones() -> None:
    """A sure finding removes a doubtful one of another cause in the same place; two doubtful ones stay."""
    sure, faint = detected(4, 9, "order", 0.8), detected(8, 12, "wrong", 0.3)
    assert merge_findings([faint, sure]) == [sure]
    apart = detected(10, 12, "wrong", 0.3)
    assert merge_findings([apart, sure]) == [sure, apart]
    both = [detected(4, 9, "order", 0.4), detected(8, 12, "wrong", 0.3)]
    assert merge_findings(both) == both


def test_long_sentences() -> None:
    """The finding for a long sentence covers it and states its number of words."""
    long_one = "He said " + "that we know " * 14 + "it."
    (doc,) = parse([f"The plan failed. {long_one}"])
    (found,) = long(doc, view(doc))
    assert found.text == long_one and "45 words" in found.message
