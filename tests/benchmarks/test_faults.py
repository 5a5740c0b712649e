"""Faults of learners: the file is well formed, and faults are counted by part."""

from __future__ import annotations

from collections import Counter

from benchmarks.faults import PARTS, Fault, Result, counts, measured, read_faults, summary

FAULTS = read_faults()


def test_each_kind_has_two_faults_or_more_in_each_part() -> None:
    """So that parts can be compared."""
    by_kind = Counter((fault.part, fault.kind) for fault in FAULTS)
    kinds = {fault.kind for fault in FAULTS}
    assert len(kinds) >= 50
    assert by_kind == {(part, kind): n for part, n in zip(PARTS, (4, 2), strict=True) for kind in kinds}


def test_sentences_are_tidy() -> None:
    """No sentence occurs twice; each ends in a mark, and a correction differs from the fault."""
    sentences = [text for fault in FAULTS for text in (fault.wrong, fault.right)]
    assert len({fault.wrong for fault in FAULTS}) == len(FAULTS)
    assert all(text == " ".join(text.split()) and text[-1] in ".!?" and text.isascii() for text in sentences)
    assert all(fault.wrong != fault.right for fault in FAULTS)


def test_most_kinds_of_faults_are_found_and_no_correction_is() -> None:
    """At least 64 % of the kinds, in every part, at least once; without an alarm in any correction."""
    results = measured(FAULTS)
    for part in PARTS:
        of_part = [result for result in results if result.fault.part == part]
        kinds = {result.fault.kind for result in of_part}
        assert len({result.fault.kind for result in of_part if result.is_found}) >= 0.64 * len(kinds)
    assert [result.fault.right for result in results if result.in_right] == []


def test_a_fault_without_a_match_is_not_found() -> None:
    """The counts of parts, and the table."""
    lost = Result(Fault("held", "spelling", "a", "b"), (), ())
    assert counts([lost]) == ["0 of 0", "0 of 1"]
    assert not lost.is_repaired
    assert summary([lost]).count("\n") >= len(PARTS)
