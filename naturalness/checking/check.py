"""Check files sentence by sentence: what falls below a score, and why."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from naturalness.checking.baseline import Baseline
from naturalness.checking.flaws import Flaw, hides, reported, reported_by_rules
from naturalness.checking.sources import By, Sentence, Source, ignoring, sentences
from naturalness.checking.words import AcceptedWords, Spans, familiar, merged
from naturalness.errors import ModelError
from naturalness.explaining.codes import EVERYTHING
from naturalness.explaining.explanation import Explanation
from naturalness.explaining.findings import SEVERE
from naturalness.explaining.shown import SURE
from naturalness.features.rules import rule_checker
from naturalness.judging.judgement import Judgement
from naturalness.text.matches import checked as checked_by
from naturalness.text.parsing import is_english, pipeline_language

if TYPE_CHECKING:
    from spacy.tokens import Doc

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
    """Scored sentences with a reservation, such as not being English."""
    n_accepted: int = 0
    """Sentences that score below the minimum only because of code or accepted words."""
    n_ignored: int = 0
    """Sentences whose flaws are switched off, or ignored in a comment."""
    unused: tuple[Unused, ...] = ()
    """Codes in comments that ignore nothing."""
    n_old: int = 0
    """Flaws of the baseline."""
    n_gone: int = 0
    """Entries of the baseline that no longer occur."""

    @property
    def n_by_rule(self) -> int:
        """Flaws that reach the minimum."""
        return sum(flaw.by_rule for flaw in self.flaws)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What is known of one text; judged once, however often it occurs and however often files are checked."""

    naturalness: float
    reason: str
    has_error: bool
    """Whether a rule is sure of an error in it; False if rules were not asked."""
    explanation: Explanation | None = None
    """Made only for texts that are suspected."""


@dataclass
class Checker:
    """A model with the settings of a check; it remembers the texts that it has judged.

    ``off`` are codes that are switched off, ``words`` names and terms that are accepted: a sentence with one of them,
    or with inline code, is also scored with familiar words in their place, and the best score counts. With ``rules``,
    a sentence in which a rule is sure of an error is a flaw whatever its score. ``progress`` gets the stage, the number
    of texts done, and their total.
    """

    model: NaturalnessModel
    min_score: float = 0.5
    by: By = "sentence"
    edits: int = 0
    register: str | None = None
    batch_size: int = 64
    off: Collection[str] = ()
    words: Sequence[str] = ()
    rules: bool = False
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None
    _verdicts: dict[str, _Verdict] = field(default_factory=dict, init=False, repr=False)
    _judged: set[tuple[str, Spans]] = field(default_factory=set, init=False, repr=False)
    """Texts with the spans of accepted words for which they were judged."""

    def check(self, files: Sequence[Source]) -> Checked:
        """Score each sentence on its own; explain those below the minimum, or with an error by the rules."""
        if self.rules and not is_english(pipeline_language(self.model.nlp)):
            raise ModelError(f"rules know English, pipeline {self.model.nlp!r} does not; leave out --rules")
        checked = [
            sentence
            for source in files
            for sentence in sentences(source, by=self.by, nlp=self.model.nlp, batch_size=self.batch_size)
        ]
        names = AcceptedWords(tuple(self.words))
        accepted = [merged([*names.spans(sentence.text), *sentence.code]) for sentence in checked]
        self._judge({(sentence.text, spans) for sentence, spans in zip(checked, accepted, strict=True)})
        flaws, suspects, n_accepted = [], [], 0
        for sentence, spans in zip(checked, accepted, strict=True):
            verdict = self._verdicts[sentence.text]
            low, error = self._suspicions(sentence.text, spans)
            n_accepted += verdict.naturalness < self.min_score and not low
            explanation = verdict.explanation
            if explanation is None or not (low or error):
                continue
            suspects.append((sentence, explanation))
            report = reported if low else reported_by_rules
            reported_part = report(explanation, sentence.ignored.union(sentence.source.off, self.off), spans)
            if reported_part:
                flaws.append(Flaw(sentence, reported_part, not low))
        noted = [Noted(s, self._verdicts[s.text].reason) for s in checked if self._verdicts[s.text].reason]
        unscored = {text for text, verdict in self._verdicts.items() if verdict.naturalness != verdict.naturalness}
        return Checked(
            self.model.name,
            self.min_score,
            len(files),
            len(checked),
            tuple(flaws),
            tuple(note for note in noted if note.sentence.text in unscored),
            tuple(note for note in noted if note.sentence.text not in unscored),
            n_accepted,
            len(suspects) - len(flaws),
            tuple(_unused(files, suspects)),
        )

    def _judge(self, texts: set[tuple[str, Spans]]) -> None:
        """Judge texts that are new, and explain the suspicious ones, from the same parse if there is one."""
        spans_of: dict[str, list[Spans]] = {}
        for text, spans in sorted(texts - self._judged):
            spans_of.setdefault(text, []).append(spans)
        self._judged |= texts
        new = list(spans_of)
        done = 0

        def use(judgement: Judgement) -> None:
            nonlocal done
            batch = list(judgement.scores.texts)
            self._remember(judgement)
            doubted = [text for text in batch if self._is_doubted(text)]
            self._judge_variants([v for text in doubted for spans in spans_of[text] for v in familiar(text, spans)])
            suspects = {text for text in doubted if any(any(self._suspicions(text, spans)) for spans in spans_of[text])}
            rows = [i for i, text in enumerate(batch) if text in suspects]
            if self.rules:
                self._explain(judgement.part(rows))
            else:
                self._each([batch[i] for i in rows], self._explain, parsed=True)
            done += len(batch)
            self.progress("checking", done, len(new))

        self.progress("checking", 0, len(new))
        self._each(new, use, parsed=self.rules)

    def _judge_variants(self, variants: Sequence[str]) -> None:
        """Judge texts with familiar words in the place of accepted ones."""
        new = [text for text in dict.fromkeys(variants) if text not in self._verdicts]
        self._each(new, self._remember, parsed=self.rules)

    def _each(self, texts: Sequence[str], use: Callable[[Judgement], None], *, parsed: bool) -> None:
        """Pass the judgement of each batch of texts to ``use``."""
        self.model.judge(texts, use, parsed=parsed, batch_size=self.batch_size, register=self.register)

    def _remember(self, judgement: Judgement) -> None:
        errors = errors_in(judgement.docs) if self.rules else [False] * len(judgement.docs)
        scores = judgement.scores
        for text, value, reason, error in zip(scores.texts, scores.naturalness, scores.reasons, errors, strict=True):
            self._verdicts[text] = _Verdict(value, reason, error and value == value)

    def _explain(self, judgement: Judgement) -> None:
        for explanation in self.model.explain(judgement, edits=self.edits):
            self._verdicts[explanation.text] = replace(self._verdicts[explanation.text], explanation=explanation)

    def _is_doubted(self, text: str) -> bool:
        verdict = self._verdicts[text]
        return verdict.naturalness < self.min_score or verdict.has_error

    def _suspicions(self, text: str, spans: Spans) -> tuple[bool, bool]:
        """Return whether a text scores too low and whether it has an error, even with familiar words in its spans."""
        if not self._is_doubted(text):
            return False, False
        variants = [self._verdicts[variant] for variant in familiar(text, spans)]
        low = self._verdicts[text].naturalness < self.min_score
        return (
            low and not any(variant.naturalness >= self.min_score for variant in variants),
            self._verdicts[text].has_error and all(variant.has_error for variant in variants),
        )


def errors_in(docs: Sequence[Doc]) -> list[bool]:
    """Return whether a rule is sure of an error in each parsed Doc."""
    return [
        any(SEVERE[match.severity] >= SURE for match in result.matches) for result in checked_by(rule_checker(), docs)
    ]


def _unused(files: Sequence[Source], suspects: Sequence[tuple[Sentence, Explanation]]) -> Iterator[Unused]:
    """Yield the codes that comments ignore and nothing on their lines has."""
    for source in files:
        here = [(sentence.region(), explanation) for sentence, explanation in suspects if sentence.source is source]
        firsts, lasts = ([region.line for region, _ in here], [region.end_line for region, _ in here])
        for lines, comment in ignoring(source):
            covered = here[bisect_left(lasts, lines.start) : bisect_left(firsts, lines.stop)]
            for code in comment.codes:
                if not any(hides(explanation, code) for _, explanation in covered):
                    yield Unused(source.name, source.lines.region(comment.start, comment.end).line, code)


def since(checked: Checked, baseline: Baseline, files: Sequence[Source]) -> Checked:
    """Return a result without the flaws of a baseline."""
    new, n_old, n_gone = baseline.split(checked.flaws, [source.name for source in files])
    return replace(checked, flaws=tuple(new), n_old=n_old, n_gone=n_gone)


def summary(checked: Checked, promise: str = "") -> str:
    """Return the counts in one line; ``promise`` follows the number of sentences below the minimum."""
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
