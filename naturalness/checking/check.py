"""Check files sentence by sentence: what falls below a score, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from naturalness.checking.baseline import Baseline
from naturalness.checking.flaws import Flaw, reported
from naturalness.checking.sources import By, Sentence, Source, sentences
from naturalness.checking.words import AcceptedWords

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel


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
    n_ignored: int = 0
    """Sentences that are no flaws for what is switched off, ignored in a comment, or an accepted word."""
    n_old: int = 0
    """Flaws of the baseline."""
    n_gone: int = 0
    """Entries of the baseline that no longer occur."""


def check(
    model: NaturalnessModel,
    sources: Sequence[Source],
    *,
    min_score: float = 0.5,
    by: By = "sentence",
    edits: int = 0,
    batch_size: int = 64,
    off: Collection[str] = (),
    words: Sequence[str] = (),
) -> Checked:
    """Score each sentence on its own, and explain those below ``min_score``.

    ``off`` are codes that are switched off, ``words`` names and terms that are accepted: with one of them, a
    sentence is scored with familiar words in its place too, and the best score counts.
    """
    checked = [
        sentence for source in sources for sentence in sentences(source, by=by, nlp=model.nlp, batch_size=batch_size)
    ]
    # A repeated sentence is scored once.
    texts = list(dict.fromkeys(sentence.text for sentence in checked))
    scores = model.score(texts, batch_size=batch_size)
    reasons = {text: reason for text, reason in zip(texts, scores.reasons, strict=True) if reason}
    unscored = {text for text, value in zip(texts, scores.naturalness, strict=True) if value != value}
    every_low = [text for text, value in zip(texts, scores.naturalness, strict=True) if value < min_score]
    accepted = AcceptedWords(tuple(words))
    fine = _fine(model, every_low, accepted, min_score, batch_size)
    low = [text for text in every_low if text not in fine]
    explained = dict(zip(low, model.explain(low, edits=edits, batch_size=batch_size) if low else [], strict=True))
    all_low = set(every_low)
    flaws = [
        Flaw(sentence, report)
        for sentence in checked
        if sentence.text in explained
        and (report := reported(explained[sentence.text], sentence.ignored.union(off), accepted))
    ]
    noted = [Noted(sentence, reasons[sentence.text]) for sentence in checked if sentence.text in reasons]
    return Checked(
        model.name,
        min_score,
        len(sources),
        len(checked),
        tuple(flaws),
        tuple(note for note in noted if note.sentence.text in unscored),
        tuple(note for note in noted if note.sentence.text not in unscored),
        sum(sentence.text in all_low for sentence in checked) - len(flaws),
    )


def _fine(
    model: NaturalnessModel, low: Sequence[str], accepted: AcceptedWords, min_score: float, batch_size: int
) -> set[str]:
    """Return the low texts that reach the minimum with a familiar word for each accepted one."""
    variants = [(text, variant) for text in low for variant in accepted.variants(text)]
    scores = model.score([variant for _, variant in variants], batch_size=batch_size).naturalness if variants else []
    return {text for (text, _), value in zip(variants, scores, strict=True) if value >= min_score}


def since(checked: Checked, baseline: Baseline, sources: Sequence[Source]) -> Checked:
    """Return a result without the flaws of a baseline."""
    new, n_old, n_gone = baseline.split(checked.flaws, [source.name for source in sources])
    return replace(checked, flaws=tuple(new), n_old=n_old, n_gone=n_gone)


def summary(checked: Checked) -> str:
    """Return the counts in one line."""
    line = (
        f"{_count(checked.n_files, 'file')}, {_count(checked.n_sentences, 'sentence')}: "
        f"{len(checked.flaws):,} below {checked.min_score:.3g}"
    )
    for kind, number in (
        ("ignored", checked.n_ignored),
        ("old (in the baseline)", checked.n_old),
        ("of the baseline gone", checked.n_gone),
    ):
        line += f"; {number:,} {kind}" if number else ""
    for kind, notes in (("without a score", checked.unscored), ("scored with a reservation", checked.noted)):
        if notes:
            line += f"; {len(notes):,} {kind} ({', '.join(dict.fromkeys(note.reason for note in notes))})"
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"
