"""Flaws: sentences below the minimum score, what is said of each, and what is switched off."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from naturalness.checking.plain import Region
from naturalness.checking.sources import Sentence
from naturalness.checking.words import Spans, without
from naturalness.explaining import wording
from naturalness.explaining.codes import code_of, is_off
from naturalness.explaining.explanation import Explanation, Finding
from naturalness.explaining.findings import RULES
from naturalness.explaining.shown import SURE

MAX_FINDINGS = 3
"""Findings named in one line."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence below the minimum score, or with an error by the rules, and why."""

    sentence: Sentence
    explained: Explanation
    by_rule: bool = False
    """Whether it reaches the minimum, and only rules speak against it."""

    @property
    def codes(self) -> list[str]:
        """What speaks against it: its sure findings, those of the named cause first, or else its cause."""
        sure = dict.fromkeys(finding.code for finding in sure_findings(self) if finding.code)
        return [*sure] or [code_of(self.explained.cause)]

    @property
    def code(self) -> str:
        """What it is filed under: the first of its codes."""
        return self.codes[0]


def sure_findings(flaw: Flaw) -> list[Finding]:
    """Return the findings that are more likely right than wrong, those of the named cause first."""
    sure = [finding for finding in flaw.explained.findings if finding.weight >= SURE]
    return sorted(sure, key=lambda finding: finding.cause != flaw.explained.cause)


def reported(explained: Explanation, off: frozenset[str], accepted: Spans) -> Explanation | None:
    """Return what is reported of a low sentence; None where all that speaks against it is switched off.

    What speaks against a sentence are its sure findings, and without any its cause; a finding about accepted
    words alone counts as switched off.
    """
    rest = without(explained, accepted)
    active = tuple(finding for finding in rest.findings if not is_off(finding.code, finding.cause, off))
    if not any(finding.weight >= SURE for finding in active):
        cause = code_of(explained.cause)
        if is_off(cause, cause, off) or any(finding.weight >= SURE for finding in explained.findings):
            return None
    return replace(rest, findings=active)


def reported_by_rules(explained: Explanation, off: frozenset[str], accepted: Spans) -> Explanation | None:
    """Return what rules are sure of in a sentence that reaches the minimum; None where that is switched off.

    Its cause is that of the first of these findings: what speaks against it, not what moves its score.
    """
    active = tuple(
        finding
        for finding in without(explained, accepted).findings
        if finding.source == RULES and finding.weight >= SURE and not is_off(finding.code, finding.cause, off)
    )
    return replace(explained, findings=active, cause=active[0].cause) if active else None


def flaw_region(flaw: Flaw) -> Region:
    """Return where the first sure finding stands, or else the sentence."""
    sure = sure_findings(flaw)
    return flaw.sentence.region(*((sure[0].start, sure[0].end) if sure else ()))


def score_text(flaw: Flaw) -> str:
    """Return the score with its interval: ``0.113 (0.05 to 0.19)``."""
    interval = flaw.explained.interval
    return f"{flaw.explained.naturalness:.3f}" + (f" ({interval})" if interval else "")


ERROR_SHARE = 0.5
"""A sentence is an error below this share of the minimum score, and a warning above."""


def severity(flaw: Flaw, min_score: float) -> Literal["error", "warning"]:
    """Return how bad a flaw is."""
    return "error" if flaw.explained.naturalness < ERROR_SHARE * min_score else "warning"


def title(flaw: Flaw) -> str:
    """Return score, cause and codes: ``0.113 (0.05 to 0.19) verb forms [he-go]``."""
    return f"{score_text(flaw)} {wording.title_of(flaw.explained)} [{', '.join(flaw.codes)}]"


def coded(finding: Finding, text: str) -> str:
    """Return a finding in a line, with its code after it."""
    line = wording.in_a_line(finding, text)
    return f"{line} [{finding.code}]" if finding.code else line


def reasons(flaw: Flaw) -> list[str]:
    """Return sure findings, causes that lower the score unless a finding names the main one, and doubts."""
    explained, findings = flaw.explained, sure_findings(flaw)[:MAX_FINDINGS]
    lines = [wording.in_a_line(finding, explained.text) for finding in findings]
    if all(finding.cause != explained.cause for finding in findings):
        lines.append(wording.why(explained, lowering=True))
    lines += [f"unlike the training texts: {difference}" for difference in explained.unlike]
    return [line for line in lines if line]
