"""A spaCy component that scores docs and sentences and marks errors: ``nlp.add_pipe("naturalness")``.

It adds attributes to docs and sentences: ``_.naturalness`` (0..1, higher is better; NaN without a score), ``_.voice``
(0..1; NaN without a score, and for fewer than ten words), ``_.naturalness_label`` and ``_.naturalness_reason``.
``doc.spans["naturalness"]`` holds what ``naturalness check`` reports; the label of a span is the kind of error, its id
the code, and the ``messages`` of the group say what is wrong.

spaCy imports this module whenever it makes a pipeline, so models are imported on first use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup
from spacy.util import minibatch

from naturalness.judging.fields import LABEL, NATURALNESS, REASON, VOICE

if TYPE_CHECKING:
    from naturalness.checking.verdicts import SentenceJudge, SentenceVerdict
    from naturalness.explaining.explanation import Finding

NAME = "naturalness"
"""The name of the component, of the score's attribute, and of the group of spans."""
ATTRIBUTES = {NAME: NATURALNESS, VOICE: VOICE, f"{NAME}_label": LABEL, f"{NAME}_reason": REASON}
"""The fields whose values become attributes, keyed by attribute."""
for _kind in (Doc, Span):
    for _name, _default in zip(ATTRIBUTES, (math.nan, math.nan, None, ""), strict=True):
        if not _kind.has_extension(_name):
            _kind.set_extension(_name, default=_default)


@dataclass
class NaturalnessComponent:
    """The component; it keeps the sentences of the pipeline, and finds them itself where the pipeline has none."""

    model: str
    register: str | None
    marks: bool

    @cached_property
    def judge(self) -> SentenceJudge:
        """The judge of sentences, as in ``naturalness check``; the first access opens the model."""
        from naturalness.checking.verdicts import SentenceJudge
        from naturalness.pipelines.scorer import load_model

        model = load_model(self.model)
        return SentenceJudge(model, min_score=model.threshold, register=self.register, rules=True)

    def __call__(self, doc: Doc) -> Doc:
        """Score a doc and its sentences."""
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 64) -> Iterator[Doc]:
        """Score docs in batches; the scores do not depend on the batch."""
        for docs in minibatch(stream, batch_size):
            sentences = [_sentences(doc) for doc in docs]
            texts = [part.text for doc, parts in zip(docs, sentences, strict=True) for part in (doc, *parts)]
            scores = self.judge.model.score(list(dict.fromkeys(texts)), register=self.register)
            rows = {row["text"]: row for row in scores}
            for doc, parts in zip(docs, sentences, strict=True):
                for part in (doc, *parts):
                    for name, field in ATTRIBUTES.items():
                        part._.set(name, rows[part.text][field])
            if self.marks:
                self._mark(docs, sentences)
            yield from docs

    def _mark(self, docs: Sequence[Doc], sentences: Sequence[Sequence[Span]]) -> None:
        from naturalness.checking.verdicts import TextToJudge
        from naturalness.text.parsing import working

        texts = dict.fromkeys(sentence.text for parts in sentences for sentence in parts)
        with working():  # threads may share a pipeline, and a judge serves one at a time
            verdicts = dict(zip(texts, self.judge([TextToJudge(text) for text in texts]), strict=True))
        for doc, parts in zip(docs, sentences, strict=True):
            findings = [(part, finding) for part in parts for finding in _findings(verdicts[part.text])]
            marks = [_marked(doc, part, finding) for part, finding in findings]
            messages = [finding.message for _, finding in findings]
            doc.spans[NAME] = SpanGroup(doc, name=NAME, spans=marks, attrs={"messages": messages})


def _sentences(doc: Doc) -> list[Span]:
    """Return the sentences of a doc; where the pipeline has set none, they are set as the package divides a text."""
    from naturalness.text.parsing import original_span, tokenise

    if not len(doc):
        return []
    if not doc.has_annotation("SENT_START"):
        divided = next(iter(tokenise([doc.text])))
        later = islice(divided.sents, 1, None)  # blanks at the beginning belong to the first sentence
        offsets = {original_span(divided, sentence.start_char, sentence.end_char)[0] for sentence in later}
        for token in doc:
            token.is_sent_start = token.i == 0 or not offsets.isdisjoint(range(token.idx, token.idx + len(token)))
    return list(doc.sents)


def _findings(verdict: SentenceVerdict) -> Sequence[Finding]:
    """Return the sure findings that are reported for a sentence."""
    from naturalness.checking.flaws import explanation_to_report
    from naturalness.explaining.shown import SURE

    explained = verdict.explanation and explanation_to_report(verdict.explanation, frozenset(), (), low=verdict.low)
    return [finding for finding in explained.findings if finding.weight >= SURE] if explained else []


def _marked(doc: Doc, sentence: Span, finding: Finding) -> Span:
    """Return the tokens of a finding; for a missing word, the token behind the gap, or the last one of the sentence."""
    start = min(sentence.start_char + finding.start, sentence.end_char - 1)
    end = max(start + 1, sentence.start_char + finding.end)
    label: dict[str, Any] = {"label": finding.kind, "span_id": finding.code}
    return doc.char_span(start, end, alignment_mode="expand", **label)


@Language.factory(  # type: ignore[untyped-decorator]
    NAME,
    default_config={"model": "default", "register": None, "marks": True},
    assigns=[*(f"doc._.{name}" for name in ATTRIBUTES), "doc.spans"],
)
def make_component(nlp: Language, name: str, model: str, register: str | None, marks: bool) -> NaturalnessComponent:
    """Return the component: ``model`` and ``register`` are as in `naturalness.score`; ``marks`` also finds errors."""
    if nlp.lang != "en":
        from naturalness.errors import ModelError

        raise ModelError(f"the pipeline's language is {nlp.lang!r}; {name!r} scores English, 'en'")
    return NaturalnessComponent(model, register, marks)
