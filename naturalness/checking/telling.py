"""What is said of a sentence below the score: one line, and where it points."""

from __future__ import annotations

from naturalness.checking.check import Checked, Flaw
from naturalness.checking.places import Region
from naturalness.explaining import wording
from naturalness.explaining.explanation import SURE, Finding

MOST = 3
"""Findings that are told."""


def sure(flaw: Flaw) -> list[Finding]:
    """Findings that are likelier right than wrong; those of the cause that is named come first."""
    found = [one for one in flaw.explained.findings if one.weight >= SURE]
    return sorted(found, key=lambda one: one.cause != flaw.explained.cause)


def pointed(flaw: Flaw) -> Region:
    """The place of the first of them, else the sentence."""
    found = sure(flaw)
    return flaw.sentence.region(*((found[0].start, found[0].end) if found else ()))


def score(flaw: Flaw) -> str:
    """``0.113 (0.05 to 0.19)``."""
    interval = wording.interval(flaw.explained)
    return f"{flaw.explained.naturalness:.3f}" + (f" ({interval})" if interval else "")


def reasons(flaw: Flaw) -> list[str]:
    """Sure findings, then the causes that lower the score unless a finding is of the one that is
    named, then what makes the score doubtful.
    """
    explained, findings = flaw.explained, sure(flaw)[:MOST]
    told = [wording.in_a_line(one, explained.text) for one in findings]
    if all(one.cause != explained.cause for one in findings):
        told.append(wording.why(explained, lowering=True))
    unlike = [f"unlike the texts of training: {one}" for one in explained.unlike]
    return [line for line in [*told, *unlike] if line]


def summary(checked: Checked) -> str:
    """One line of counts."""
    told = (
        f"{_many(checked.n_files, 'file')}, {_many(checked.n_sentences, 'sentence')}: "
        f"{len(checked.flaws):,} below {checked.least:g}"
    )
    for what, sentences in (("without a score", checked.unscored), ("scored with a reservation", checked.noted)):
        if sentences:
            why = ", ".join(dict.fromkeys(one.reason for one in sentences))
            told += f"; {len(sentences):,} {what} ({why})"
    return told


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s'[: number != 1]}"
