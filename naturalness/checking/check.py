"""Check files sentence by sentence: find the sentences that score below a minimum, and explain them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from naturalness.checking.baseline import Baseline
from naturalness.checking.flaws import Flaw, reported, reported_by_rules
from naturalness.checking.sources import By, Sentence, Source, sentences
from naturalness.checking.words import Spans, accepted_spans, familiar, merged
from naturalness.errors import ModelError
from naturalness.explaining.explanation import Explanation
from naturalness.explaining.findings import WEIGHT_OF_SEVERITY
from naturalness.explaining.shown import SURE
from naturalness.features.rules import rule_checker
from naturalness.judging.judgement import Judgement
from naturalness.text.matches import checked as checked_by
from naturalness.text.parsing import is_english, pipeline_language

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel


@dataclass(frozen=True, slots=True)
class Noted:
    """A sentence that has no score, or whose score means little."""

    sentence: Sentence
    reason: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking files."""

    model: str
    min_score: float
    """Minimum score; a sentence that scores below it is a flaw."""
    n_files: int
    n_sentences: int
    flaws: tuple[Flaw, ...]
    """Flaws, in the order of the files."""
    unscored: tuple[Noted, ...]
    noted: tuple[Noted, ...] = ()
    """Sentences with a score and a reservation, for example because they are not English."""
    n_accepted: int = 0
    """Number of sentences that score below the minimum only because of code or accepted words; they are not flaws."""
    n_ignored: int = 0
    """Number of sentences whose flaws are all switched off or ignored by a comment."""
    n_old: int = 0
    """Number of flaws that are in the baseline and therefore not reported."""
    n_gone: int = 0
    """Number of entries of the baseline that no longer occur."""

    @property
    def n_by_rule(self) -> int:
        """Number of flaws that reach the minimum score and are reported only because of a rule."""
        return sum(flaw.by_rule for flaw in self.flaws)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The judgement of a text."""

    naturalness: float
    reason: str
    has_error: bool
    """Whether a rule is sure of an error in the text; False if rules do not apply."""
    explanation: Explanation | None = None
    """None unless the text is suspicious."""


@dataclass
class Checker:
    """A model with the settings of a check, and the judgements of all texts so far.

    ``off`` are the codes that are switched off, and ``words`` the accepted names and terms. A sentence with accepted
    words or inline code is also scored with familiar words in their place, and the best score counts. With ``rules``,
    a sentence in which a rule is sure of an error is a flaw, whatever its score; by default, rules apply if the model's
    pipeline is English. ``progress`` receives the stage, the number of texts done, and their total.
    """

    model: NaturalnessModel
    min_score: float = 0.5
    by: By = "sentence"
    edits: int = 0
    register: str | None = None
    batch_size: int = 64
    off: Collection[str] = ()
    words: Sequence[str] = ()
    rules: bool | None = None
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None
    _verdicts: dict[str, _Verdict] = field(default_factory=dict, init=False, repr=False)
    """Verdicts of all texts so far, and of their variants with familiar words."""
    _judged: set[tuple[str, Spans]] = field(default_factory=set, init=False, repr=False)
    """All texts so far, each with the spans of accepted words for which it was judged."""

    def check(self, files: Sequence[Source]) -> Checked:
        """Score each sentence on its own; explain those that score below the minimum or break a rule."""
        checked = [
            sentence
            for source in files
            for sentence in sentences(source, by=self.by, nlp=self.model.nlp, batch_size=self.batch_size)
        ]
        accepted = [merged([*accepted_spans(self.words, s.text), *s.code]) for s in checked]
        self._judge({(sentence.text, spans) for sentence, spans in zip(checked, accepted, strict=True)})
        flaws, n_accepted, n_ignored = [], 0, 0
        unscored: list[Noted] = []
        noted: list[Noted] = []
        for sentence, spans in zip(checked, accepted, strict=True):
            verdict = self._verdicts[sentence.text]
            if verdict.reason:
                notes = noted if verdict.naturalness == verdict.naturalness else unscored
                notes.append(Noted(sentence, verdict.reason))
            low, error = self._suspicions(sentence.text, spans)
            n_accepted += verdict.naturalness < self.min_score and not low
            if verdict.explanation and (low or error):
                report = reported if low else reported_by_rules
                explained = report(verdict.explanation, sentence.ignored.union(self.off), spans)
                n_ignored += not explained
                if explained:
                    flaws.append(Flaw(sentence, explained, not low))
        return Checked(
            self.model.name,
            self.min_score,
            len(files),
            len(checked),
            tuple(flaws),
            tuple(unscored),
            tuple(noted),
            n_accepted,
            n_ignored,
        )

    @cached_property
    def _by_rules(self) -> bool:
        """Whether rules apply; raise if they are asked for and the pipeline is not English."""
        english = is_english(pipeline_language(self.model.nlp))
        if self.rules and not english:
            raise ModelError(f"rules know English, pipeline {self.model.nlp!r} does not; leave out --rules")
        return english if self.rules is None else self.rules

    def _judge(self, texts: set[tuple[str, Spans]]) -> None:
        """Judge new texts, and explain the suspicious ones, reusing the parse if there is one."""
        spans_of: dict[str, list[Spans]] = {}
        for text, spans in sorted(texts - self._judged):
            spans_of.setdefault(text, []).append(spans)
        self._judged |= texts
        done = 0

        def use(judgement: Judgement) -> None:
            nonlocal done
            batch = list(judgement.scores.texts)
            self._remember(judgement)
            doubted = [(text, spans) for text in batch if self._is_doubted(text) for spans in spans_of[text]]
            variants = dict.fromkeys(variant for pair in doubted for variant in familiar(*pair))
            self._each([v for v in variants if v not in self._verdicts], self._remember, parsed=self._by_rules)
            rows = [i for i, t in enumerate(batch) if any(any(self._suspicions(t, s)) for s in spans_of[t])]
            if self._by_rules:
                self._explain(judgement.part(rows))
            else:
                self._each([batch[i] for i in rows], self._explain, parsed=True)
            done += len(batch)
            self.progress("checking", done, len(spans_of))

        self.progress("checking", 0, len(spans_of))
        self._each(list(spans_of), use, parsed=self._by_rules)

    def _each(self, texts: Sequence[str], use: Callable[[Judgement], None], *, parsed: bool) -> None:
        """Judge texts batch by batch, and pass each judgement to ``use``."""
        self.model.judge(texts, use, parsed=parsed, batch_size=self.batch_size, register=self.register)

    def _remember(self, judgement: Judgement) -> None:
        errors = errors_in(judgement.docs) if self._by_rules else [False] * len(judgement.docs)
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
        verdict, variants = self._verdicts[text], [self._verdicts[variant] for variant in familiar(text, spans)]
        return (
            verdict.naturalness < self.min_score and not any(v.naturalness >= self.min_score for v in variants),
            verdict.has_error and all(v.has_error for v in variants),
        )


def errors_in(docs: Sequence[Doc]) -> list[bool]:
    """Return whether a rule is sure of an error in each parsed Doc."""
    return [
        any(WEIGHT_OF_SEVERITY[match.severity] >= SURE for match in result.matches)
        for result in checked_by(rule_checker(), docs)
    ]


def since(checked: Checked, baseline: Baseline, files: Sequence[Source]) -> Checked:
    """Return the result without the flaws that are in a baseline."""
    new, n_old, n_gone = baseline.split(checked.flaws, [source.name for source in files])
    return replace(checked, flaws=tuple(new), n_old=n_old, n_gone=n_gone)


def summary(checked: Checked, promise: str = "") -> str:
    """Return the counts in one line; ``promise`` is inserted after the number of sentences below the minimum."""
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
    for kind, notes in (("without a score", checked.unscored), ("scored with a reservation", checked.noted)):
        if notes:
            line += f"; {len(notes):,} {kind} ({', '.join(dict.fromkeys(note.reason for note in notes))})"
    return line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s'[: number != 1]}"
