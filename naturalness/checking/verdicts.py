"""Judge texts with a model and the rules, and explain those that fail."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.checking.fragments import has_clause
from naturalness.checking.words import Spans, familiar
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.explaining.findings import WEIGHT_OF_SEVERITY
from naturalness.explaining.mending import Correction, confirmed, mend
from naturalness.explaining.phrasing import STORIES, VOICE, phrasing
from naturalness.explaining.shown import SURE
from naturalness.features.measuring import UNPARSED
from naturalness.judging.judgement import Judgement
from naturalness.models.mender import mender
from naturalness.models.voice import voice
from naturalness.text.parsing import are_english, source_of, unusable

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from naturalness.pipelines.scorer import NaturalnessModel

FRAGMENT_FAMILY = "fragments"
"""The family of rules that say what a sentence lacks, which does not concern a fragment."""


@dataclass(frozen=True, slots=True)
class TextToJudge:
    """A text to judge."""

    text: str
    accepted: Spans = ()
    """Spans of names: code, titles, and accepted words."""
    needs_clause: bool = False
    """Whether the text counts as a sentence only if it has a clause."""
    is_passage: bool = False
    """Whether the text is a passage, which is judged by its voice."""


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """The judgement of a text."""

    naturalness: float
    reason: str = ""
    low: bool = False
    """Whether the text is a sentence and scores below the minimum, even with familiar words in place of its names."""
    is_fragment: bool = False
    """Whether the text lacks the clause that it needs; its score is then NaN, unless a rule finds an error."""
    explanation: Explanation | None = None
    """None unless the text is low, or a rule is sure of an error in it."""
    corrections: tuple[Correction, ...] = ()
    """The edits that are sure enough to be made; empty unless fixes were asked for."""


@dataclass
class SentenceJudge:
    """A model with the options that determine its verdicts; the verdict of a text does not depend on other texts.

    A text with names is also scored with familiar words in their place, and the best score counts. If ``rules`` is
    true, a text in which a rule is sure of an error fails, whatever its score; a fragment without such an error is not
    scored. ``sure`` is the smallest probability of the edits that are prepared as fixes, in texts that pass as well; if
    it is given, all texts are scored.
    """

    model: NaturalnessModel
    min_score: float = 0.5
    edits: int = 0
    register: str | None = None
    rules: bool = False
    sure: float | None = None
    _by_text: dict[str, SentenceVerdict] = field(default_factory=dict, init=False, repr=False)
    """What is known of each text, whatever its names."""
    _errors: dict[str, frozenset[str]] = field(default_factory=dict, init=False, repr=False)
    """The families of the rules that are sure of an error in each text; empty if rules are switched off."""
    _fragments: dict[str, bool] = field(default_factory=dict, init=False, repr=False)
    """Texts without a clause in a place where they need one, and whether their scores matter."""

    def __call__(self, units: Sequence[TextToJudge]) -> list[SentenceVerdict]:
        """Return the verdict of each unit."""
        units_of: dict[str, list[TextToJudge]] = {}
        for unit in units:
            units_of.setdefault(unit.text, []).append(unit)
        self._by_text, self._errors, self._fragments = {}, {}, {}

        def judge_batch(judgement: Judgement) -> None:
            self._remember(judgement)
            self._mend(judgement)
            doubted = [unit for text in judgement.scores.texts for unit in units_of[text] if self._is_doubted(text)]
            variants = dict.fromkeys(variant for unit in doubted for variant in familiar(unit.text, unit.accepted))
            self._judge([v for v in variants if v not in self._by_text], self._remember, parsed=self.rules)
            failing = dict.fromkeys(unit.text for unit in doubted if any(self._failures(unit)))
            if self.rules:
                self._explain(judgement.part([i for i, text in enumerate(judgement.scores.texts) if text in failing]))
            else:
                self._judge([*failing], self._explain, parsed=True)

        texts = sorted(units_of, key=lambda text: (len(text), text))
        examined = {text for text in texts if self.rules or any(unit.needs_clause for unit in units_of[text])}
        self._judge(
            [t for t in texts if t in examined], judge_batch, parsed=True, chosen=partial(self._to_score, units_of)
        )
        self._judge([t for t in texts if t not in examined], judge_batch, parsed=False)
        return [self._verdict(unit) for unit in units]

    def _judge(self, texts: Sequence[str], use: Callable[[Judgement], None], **options: Any) -> None:
        """Judge texts batch by batch, and pass each judgement to ``use``."""
        self.model.judge(texts, use, batch_size=UNPARSED, register=self.register, **options)

    def _to_score(self, units_of: Mapping[str, Sequence[TextToJudge]], docs: list[Doc]) -> list[Doc]:
        """Return the parsed texts whose score matters, and remember which of all are fragments."""
        scored = []
        for doc, errors in zip(docs, self._families(docs), strict=True):
            text = source_of(doc).original
            needs = [unit.needs_clause for unit in units_of[text]]
            if any(needs) and not (has_clause(doc) or unusable(doc)):
                self._fragments[text] = self.sure is not None or not all(needs) or bool(errors - {FRAGMENT_FAMILY})
            if self._fragments.get(text, True):
                scored.append(doc)
        if self.sure is not None:
            mender().read(scored)  # first, since the detector's readings for the score are then known
        return scored

    def _families(self, docs: Sequence[Doc]) -> list[frozenset[str]]:
        return sure_families(docs) if self.rules else [frozenset()] * len(docs)

    def _remember(self, judgement: Judgement) -> None:
        scores, errors = judgement.scores, self._families(judgement.docs)
        for text, value, reason, families in zip(
            scores.texts, scores.naturalness.tolist(), scores.reasons, errors, strict=True
        ):
            self._by_text[text] = SentenceVerdict(value, reason)
            self._errors[text] = families if value == value else frozenset()

    def _mend(self, judgement: Judgement) -> None:
        """Store the edits whose probability is at least `sure`."""
        good = judgement.part(judgement.usable) if self.sure is not None else None
        if good and self.sure is not None and are_english(good.docs):
            for text, chosen in zip(good.scores.texts, mend(good.docs, least=self.sure), strict=True):
                self._by_text[text] = replace(self._by_text[text], corrections=chosen)

    def _explain(self, judgement: Judgement) -> None:
        for explanation in self.model.explain(judgement, edits=self.edits) if judgement.docs else ():
            self._by_text[explanation.text] = replace(self._by_text[explanation.text], explanation=explanation)

    def _is_doubted(self, text: str) -> bool:
        return self._by_text[text].naturalness < self.min_score or bool(self._errors[text])

    def _failures(self, unit: TextToJudge) -> tuple[bool, bool]:
        """Return whether a unit scores too low and whether it has an error, even with familiar words for its names."""
        if not self._is_doubted(unit.text):
            return False, False
        fragment, versions = self._is_fragment(unit), [unit.text, *familiar(unit.text, unit.accepted)]
        return (
            not fragment and not any(self._by_text[version].naturalness >= self.min_score for version in versions),
            all(self._errors[version] - ({FRAGMENT_FAMILY} if fragment else set()) for version in versions),
        )

    def _is_fragment(self, unit: TextToJudge) -> bool:
        return unit.needs_clause and unit.text in self._fragments

    def _verdict(self, unit: TextToJudge) -> SentenceVerdict:
        if not self._fragments.get(unit.text, True):
            return SentenceVerdict(math.nan, is_fragment=True)
        facts = self._by_text[unit.text]
        low, error = self._failures(unit)
        explanation = facts.explanation if low or error else None
        return replace(facts, low=low, is_fragment=self._is_fragment(unit), explanation=explanation)


def verdict_by_voice(text: str, register: str | None) -> SentenceVerdict:
    """Return the verdict of a passage by its voice; it has an explanation if there are findings."""
    value, findings = phrasing(text, voice(), stories=register == STORIES)
    unscored = without_score(text, "", unit="", threshold=math.nan)
    explanation = replace(unscored, voice=value, cause=VOICE, findings=tuple(findings))
    return SentenceVerdict(math.nan, explanation=explanation if findings else None)


def sure_families(docs: Sequence[Doc]) -> list[frozenset[str]]:
    """Return the families of the rules that are sure of an error in each parsed Doc."""
    return [
        frozenset(match.category for match in matches if WEIGHT_OF_SEVERITY[match.severity] >= SURE)
        for matches in confirmed(docs)
    ]


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A judge to be opened in a worker process."""

    model: str
    options: Mapping[str, Any]
    """Arguments of `SentenceJudge`."""

    def open(self) -> SentenceJudge:
        """Load the model, and return the judge."""
        from naturalness.pipelines.scorer import load_model

        return SentenceJudge(load_model(self.model), **self.options)
