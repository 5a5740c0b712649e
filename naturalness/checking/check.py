"""Check files sentence by sentence: what falls below a score, and why."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from naturalness.checking.baseline import Baseline
from naturalness.checking.flaws import Flaw, hides, reported, reported_by_rules
from naturalness.checking.sources import By, Sentence, Source, ignoring, sentences
from naturalness.checking.words import AcceptedWords, Spans, familiar, merged
from naturalness.errors import ModelError
from naturalness.explaining.codes import EVERYTHING
from naturalness.explaining.explanation import Explanation
from naturalness.explaining.shown import SURE

if TYPE_CHECKING:
    from naturalness.pipelines.scorer import NaturalnessModel

SHOWN = 3
"""Comments named in the line of counts."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A sentence without a score, or with one that means little."""

    sentence: Sentence
    reason: str


@dataclass(frozen=True, slots=True)
class Unused:
    """A code in a comment that ignores nothing."""

    file: str
    line: int
    code: str


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
    n_accepted: int = 0
    """Sentences that are below for their code and accepted words alone."""
    n_ignored: int = 0
    """Sentences that are no flaws for what is switched off, or ignored in a comment."""
    unused: tuple[Unused, ...] = ()
    """What comments ignore and no flaw there has."""
    n_old: int = 0
    """Flaws of the baseline."""
    n_gone: int = 0
    """Entries of the baseline that no longer occur."""

    @property
    def n_by_rule(self) -> int:
        """Flaws that reach the minimum."""
        return sum(flaw.by_rule for flaw in self.flaws)


def check(
    model: NaturalnessModel,
    sources: Sequence[Source],
    *,
    min_score: float = 0.5,
    by: By = "sentence",
    edits: int = 0,
    register: str | None = None,
    batch_size: int = 64,
    off: Collection[str] = (),
    words: Sequence[str] = (),
    rules: bool = False,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Checked:
    """Score each sentence on its own, within a ``register`` if one is named; explain those below ``min_score``.

    ``off`` are codes that are switched off, ``words`` names and terms that are accepted: a sentence with one of
    them, or with inline code, is scored with familiar words in their place too, and the best score counts.
    ``rules``: a sentence is a flaw, too, where a rule is sure of an error, whatever its score. ``progress`` gets each
    stage, how much of it is done, and how much there is.
    """
    checked = [
        sentence for source in sources for sentence in sentences(source, by=by, nlp=model.nlp, batch_size=batch_size)
    ]
    # A repeated sentence is scored once.
    texts = list(dict.fromkeys(sentence.text for sentence in checked))
    reasons: dict[str, str] = {}
    naturalness: dict[str, float] = {}
    for part in _parts(texts, batch_size, partial(progress, "scoring")):
        scores = model.score(part, batch_size=batch_size, register=register)
        reasons |= {text: reason for text, reason in zip(part, scores.reasons, strict=True) if reason}
        naturalness |= zip(part, scores.naturalness, strict=True)
    unscored = {text for text, value in naturalness.items() if value != value}
    below = {text for text, value in naturalness.items() if value < min_score}
    scored = [text for text in texts if text not in unscored]
    wrong = partial(with_errors, nlp=model.nlp, batch_size=batch_size)
    matched = wrong(scored) if rules else frozenset()
    names = AcceptedWords(tuple(words))
    doubted = [(s, merged([*names.spans(s.text), *s.code])) for s in checked if s.text in below or s.text in matched]
    of_low = {(s.text, spans) for s, spans in doubted if s.text in below}
    best = _best_familiar(model, of_low, batch_size=batch_size, register=register)
    low = {key for key in of_low if not best.get(key, 0.0) >= min_score}
    # An error by the rules that a familiar word does away with is none: `alarms` says.
    of_matched = {(s.text, spans): familiar(s.text, spans) for s, spans in doubted if s.text in matched}
    still = wrong([variant for variants in of_matched.values() for variant in variants]) if of_matched else frozenset()
    fine = of_low - low
    suspicious = low | {key for key, variants in of_matched.items() if still.issuperset(variants)}
    suspects = [(s, spans) for s, spans in doubted if (s.text, spans) in suspicious]
    texts = list(dict.fromkeys(sentence.text for sentence, _ in suspects))
    explained: dict[str, Explanation] = {}
    for part in _parts(texts, batch_size, partial(progress, "explaining")):
        explanations = model.explain(part, edits=edits, batch_size=batch_size, register=register)
        explained |= zip(part, explanations, strict=True)
    flaws = []
    for sentence, accepted in suspects:
        by_rule = (sentence.text, accepted) not in low
        report = reported_by_rules if by_rule else reported
        said = report(explained[sentence.text], sentence.ignored.union(sentence.source.off, off), accepted)
        if said:
            flaws.append(Flaw(sentence, said, by_rule))
    noted = [Noted(sentence, reasons[sentence.text]) for sentence in checked if sentence.text in reasons]
    return Checked(
        model.name,
        min_score,
        len(sources),
        len(checked),
        tuple(flaws),
        tuple(note for note in noted if note.sentence.text in unscored),
        tuple(note for note in noted if note.sentence.text not in unscored),
        sum((s.text, spans) in fine for s, spans in doubted),
        len(suspects) - len(flaws),
        tuple(_unused(sources, [(sentence, explained[sentence.text]) for sentence, _ in suspects])),
    )


def _parts(texts: Sequence[str], size: int, report: Callable[[int, int], None]) -> Iterator[Sequence[str]]:
    """Yield the texts in parts, and say after each how many are done."""
    for start in range(0, len(texts), size):
        report(start, len(texts))
        yield texts[start : start + size]
    if texts:
        report(len(texts), len(texts))


def with_errors(texts: Sequence[str], *, nlp: str, batch_size: int = 64) -> frozenset[str]:
    """Return the texts in which a rule is sure of an error; raises where the pipeline reads another language."""
    from naturalness.explaining.findings import SEVERE
    from naturalness.features.rules import rule_checker
    from naturalness.text.matches import checked
    from naturalness.text.parsing import is_english, parse, pipeline_language, short_memory

    if not is_english(pipeline_language(nlp)):
        raise ModelError(f"rules know English, pipeline {nlp!r} does not; leave out --rules")
    wrong: set[str] = set()
    for start in range(0, len(texts), batch_size):
        batch = texts[start : start + batch_size]
        with short_memory(nlp=nlp):
            results = checked(rule_checker(), parse(batch, nlp=nlp, batch_size=batch_size))
            wrong.update(
                text
                for text, result in zip(batch, results, strict=True)
                if any(SEVERE[match.severity] >= SURE for match in result.matches)
            )
    return frozenset(wrong)


def _unused(sources: Sequence[Source], suspects: Sequence[tuple[Sentence, Explanation]]) -> Iterator[Unused]:
    """Yield what comments ignore and nothing on their lines has."""
    for source in sources:
        here = [(sentence.region(), explanation) for sentence, explanation in suspects if sentence.source is source]
        firsts, lasts = ([region.line for region, _ in here], [region.end_line for region, _ in here])
        for lines, comment in ignoring(source):
            covered = here[bisect_left(lasts, lines.start) : bisect_left(firsts, lines.stop)]
            for code in comment.codes:
                if not any(hides(explanation, code) for _, explanation in covered):
                    yield Unused(source.name, source.lines.region(comment.start, comment.end).line, code)


def _best_familiar(
    model: NaturalnessModel, texts: Collection[tuple[str, Spans]], *, batch_size: int, register: str | None
) -> dict[tuple[str, Spans], float]:
    """Return the best score of each text with familiar words in its spans; nothing of texts without spans."""
    variants = [(key, variant) for key in sorted(texts) for variant in familiar(*key)]
    new = list(dict.fromkeys(variant for _, variant in variants))
    scores = model.score(new, batch_size=batch_size, register=register).naturalness if new else []
    values = dict(zip(new, scores, strict=True))
    best: dict[tuple[str, Spans], float] = {}
    for key, variant in variants:
        if values[variant] == values[variant]:
            best[key] = max(best.get(key, 0.0), values[variant])
    return best


def since(checked: Checked, baseline: Baseline, sources: Sequence[Source]) -> Checked:
    """Return a result without the flaws of a baseline."""
    new, n_old, n_gone = baseline.split(checked.flaws, [source.name for source in sources])
    return replace(checked, flaws=tuple(new), n_old=n_old, n_gone=n_gone)


def summary(checked: Checked, promise: str = "") -> str:
    """Return the counts in one line; behind how many are below the minimum, what that promises."""
    line = (
        f"{_count(checked.n_files, 'file')}, {_count(checked.n_sentences, 'sentence')}: "
        f"{len(checked.flaws) - checked.n_by_rule:,} below {checked.min_score:.3g}{promise}"
    )
    for kind, number in (
        ("with an error by the rules alone", checked.n_by_rule),
        ("fine but for code and accepted words", checked.n_accepted),
        ("ignored", checked.n_ignored),
        ("old (in the baseline)", checked.n_old),
        ("of the baseline gone", checked.n_gone),
    ):
        line += f"; {number:,} {kind}" if number else ""
    if checked.unused:
        codes = [f"{x.file}:{x.line}{'' if x.code == EVERYTHING else f' {x.code}'}" for x in checked.unused]
        more = ", …" if len(codes) > SHOWN else ""
        ignores = "comment ignores" if len(codes) == 1 else "comments ignore"
        line += f"; {len(codes):,} {ignores} nothing ({', '.join(codes[:SHOWN])}{more})"
    for kind, notes in (("without a score", checked.unscored), ("scored with a reservation", checked.noted)):
        if notes:
            line += f"; {len(notes):,} {kind} ({', '.join(dict.fromkeys(note.reason for note in notes))})"
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"
