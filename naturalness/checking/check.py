"""Check files sentence by sentence: what falls below a score, why, and how it is put in one line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from naturalness.checking.sources import By, Region, Sentence, Source, sentences
from naturalness.explaining import wording
from naturalness.explaining.explanation import SURE, Explanation, Finding

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

MAX_FINDINGS = 3
"""Findings named in one line."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A sentence below the minimum score, and why."""

    sentence: Sentence
    explained: Explanation


@dataclass(frozen=True, slots=True)
class Noted:
    """A sentence without a score, or with one that means little."""

    sentence: Sentence
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking files."""

    model: str
    min_score: float
    """Sentences that score below it are flaws."""
    n_files: int
    n_sentences: int
    flaws: tuple[Flaw, ...]
    """In the order of the files."""
    unscored: tuple[Noted, ...]
    noted: tuple[Noted, ...] = ()
    """Scored sentences with a reservation: that they are not English, say."""


def check(
    model: NaturalnessModel,
    sources: Sequence[Source],
    *,
    min_score: float = 0.5,
    by: By = "sentence",
    edits: int = 0,
    register: str | None = None,
    batch_size: int = 64,
) -> Checked:
    """Score each sentence on its own, within a ``register`` if one is named; explain those below ``min_score``."""
    checked = [
        sentence for source in sources for sentence in sentences(source, by=by, nlp=model.nlp, batch_size=batch_size)
    ]
    # A repeated sentence is scored once.
    texts = list(dict.fromkeys(sentence.text for sentence in checked))
    scores = model.score(texts, batch_size=batch_size, register=register)
    reasons = {text: reason for text, reason in zip(texts, scores.reasons, strict=True) if reason}
    unscored = {text for text, value in zip(texts, scores.naturalness, strict=True) if value != value}
    low = [text for text, value in zip(texts, scores.naturalness, strict=True) if value < min_score]
    explanations = model.explain(low, edits=edits, batch_size=batch_size, register=register) if low else []
    explained = dict(zip(low, explanations, strict=True))
    noted = [Noted(sentence, reasons[sentence.text]) for sentence in checked if sentence.text in reasons]
    return Checked(
        model.name,
        min_score,
        len(sources),
        len(checked),
        tuple(Flaw(sentence, explained[sentence.text]) for sentence in checked if sentence.text in explained),
        tuple(note for note in noted if note.sentence.text in unscored),
        tuple(note for note in noted if note.sentence.text not in unscored),
    )


def sure_findings(flaw: Flaw) -> list[Finding]:
    """Return the findings that are more likely right than wrong, those of the named cause first."""
    sure = [finding for finding in flaw.explained.findings if finding.weight >= SURE]
    return sorted(sure, key=lambda finding: finding.cause != flaw.explained.cause)


def flaw_region(flaw: Flaw) -> Region:
    """Return where the first sure finding stands, or else the sentence."""
    sure = sure_findings(flaw)
    return flaw.sentence.region(*((sure[0].start, sure[0].end) if sure else ()))


def score_text(flaw: Flaw) -> str:
    """Return the score with its interval: ``0.113 (0.05 to 0.19)``."""
    interval = wording.interval(flaw.explained)
    return f"{flaw.explained.naturalness:.3f}" + (f" ({interval})" if interval else "")


def reasons(flaw: Flaw) -> list[str]:
    """Return sure findings, causes that lower the score unless a finding names the main one, and doubts."""
    explained, findings = flaw.explained, sure_findings(flaw)[:MAX_FINDINGS]
    lines = [wording.in_a_line(finding, explained.text) for finding in findings]
    if all(finding.cause != explained.cause for finding in findings):
        lines.append(wording.why(explained, lowering=True))
    lines += [f"unlike the training texts: {difference}" for difference in explained.unlike]
    return [line for line in lines if line]


def summary(checked: Checked) -> str:
    """Return the counts in one line."""
    line = (
        f"{_count(checked.n_files, 'file')}, {_count(checked.n_sentences, 'sentence')}: "
        f"{len(checked.flaws):,} below {checked.min_score:.3g}"
    )
    for kind, notes in (("without a score", checked.unscored), ("scored with a reservation", checked.noted)):
        if notes:
            line += f"; {len(notes):,} {kind} ({', '.join(dict.fromkeys(note.reason for note in notes))})"
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"
