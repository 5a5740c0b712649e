"""Flaws: failing sentences, the findings reported for them, and the codes that are switched off."""

from __future__ import annotations

from dataclasses import dataclass, replace

from naturalness.checking.plain import Region
from naturalness.checking.sources import FileSentence
from naturalness.checking.words import Spans, without
from naturalness.explaining import wording
from naturalness.explaining.codes import code_of, is_off
from naturalness.explaining.explanation import Explanation, Finding
from naturalness.explaining.findings import RULES
from naturalness.explaining.phrasing import VOICE
from naturalness.explaining.shown import SURE

SUFFICIENT = frozenset({RULES, VOICE})
"""Sources whose sure findings are flaws, whatever the score."""
MAX_FINDINGS = 3
"""The largest number of findings in one line."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence that fails, with its explanation."""

    sentence: FileSentence
    explained: Explanation
    by_rule: bool = False
    """Whether the sentence reaches the minimum score and fails only because of a rule."""

    @property
    def by_voice(self) -> bool:
        """Whether it is a passage that fails by its phrasing."""
        return self.sentence.is_passage

    @property
    def codes(self) -> list[str]:
        """The codes of the sure findings, those of the main cause first; if there are none, the main cause's code."""
        sure = dict.fromkeys(finding.code for finding in sure_findings(self) if finding.code)
        return [*sure] or [code_of(self.explained.cause)]

    @property
    def code(self) -> str:
        """The first of the codes, under which the flaw is listed."""
        return self.codes[0]


def sure_findings(flaw: Flaw) -> list[Finding]:
    """Return the findings that are more likely right than wrong, those of the main cause first."""
    sure = [finding for finding in flaw.explained.findings if finding.weight >= SURE]
    return sorted(sure, key=lambda finding: finding.cause != flaw.explained.cause)


def explanation_to_report(
    explained: Explanation, off: frozenset[str], accepted: Spans, *, low: bool
) -> Explanation | None:
    """Return the explanation to report for a text that fails, or None if its flaws are switched off.

    A text with a ``low`` score fails because of its sure findings or, if it has none, because of its main cause; any
    other text fails because of the sure findings of `SUFFICIENT`, the first of which has the main cause. A finding that
    concerns only accepted words counts as switched off.
    """
    rest = without(explained, accepted)
    active = tuple(finding for finding in rest.findings if not is_off(finding.code, finding.cause, off))
    if not low:
        active = tuple(finding for finding in active if finding.source in SUFFICIENT and finding.weight >= SURE)
        return replace(explained, findings=active, cause=active[0].cause) if active else None
    if not any(finding.weight >= SURE for finding in active):
        cause = code_of(explained.cause)
        if is_off(cause, cause, off) or any(finding.weight >= SURE for finding in explained.findings):
            return None
    return replace(rest, findings=active)


def flaw_region(flaw: Flaw) -> Region:
    """Return the region of the first sure finding, or of the whole sentence if there is none."""
    sure = sure_findings(flaw)
    return flaw.sentence.region(*((sure[0].start, sure[0].end) if sure else ()))


def score_text(flaw: Flaw) -> str:
    """Return the score with its interval, such as ``0.113 (0.05 to 0.19)``, or the voice, such as ``voice 0.031``."""
    if flaw.by_voice:
        return f"voice {flaw.explained.voice:.3f}"
    interval = flaw.explained.interval
    return f"{flaw.explained.naturalness:.3f}" + (f" ({interval})" if interval else "")


def named_score(flaw: Flaw) -> str:
    """Return the score with its name: ``naturalness 0.113 (0.05 to 0.19)`` or ``voice 0.031``."""
    return score_text(flaw) if flaw.by_voice else f"naturalness {score_text(flaw)}"


def title(flaw: Flaw) -> str:
    """Return score, cause and codes, such as ``0.113 (0.05 to 0.19) verb forms [he-go]``."""
    return f"{score_text(flaw)} {wording.title_of(flaw.explained)} [{', '.join(flaw.codes)}]"


def coded(finding: Finding, text: str) -> str:
    """Return a finding on one line, followed by its code."""
    line = wording.in_a_line(finding, text)
    return f"{line} [{finding.code}]" if finding.code else line


def reasons(flaw: Flaw) -> list[str]:
    """Return up to three sure findings, differences from the training texts, and the causes that lower the score.

    The causes are left out if one of the findings already names the main cause.
    """
    explained, findings = flaw.explained, sure_findings(flaw)[:MAX_FINDINGS]
    lines = [wording.in_a_line(finding, explained.text) for finding in findings]
    if all(finding.cause != explained.cause for finding in findings):
        lines.append(wording.why(explained, lowering=True))
    lines += [f"unlike the training texts: {difference}" for difference in explained.unlike]
    return [line for line in lines if line]
