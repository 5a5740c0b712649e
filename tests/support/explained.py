"""Explanations made by hand, and a model that returns them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from naturalness.explaining.explanation import Contribution, Edit, Explanation, Finding, MovedFeature, Repair
from naturalness.features.base import Measured
from naturalness.features.describe import in_words
from naturalness.judging.fields import LOG_ODDS
from naturalness.judging.judgement import Judgement
from naturalness.judging.model import OpenedModel
from naturalness.judging.scores import Scores
from naturalness.text.parsing import read_docs, source_of
from tests.support.pages import EVIL

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAN = math.nan
TEXT = "He go to school 語 yesterday."
FINE = "The committee will meet again on Thursday morning."


def finding(
    text: str,
    part: str,
    message: str,
    *,
    weight: float = 0.9,
    suggestions: tuple[str, ...] = (),
    cause: str = "verbs",
    code: str = "",
) -> Finding:
    """Return a finding for a part of a text; an empty part is a gap at the end."""
    start = text.index(part) if part else len(text)
    return Finding(start, start + len(part), part, "verb", cause, message, "rules", weight, suggestions, code)


def gap(text: str, before: str, message: str, *, weight: float = 0.3) -> Finding:
    """Return a finding where something is missing."""
    at = text.index(before)
    return Finding(at, at, "", "missing", "missing", message, "detector", weight, code="suspect-missing")


def moved(column: str, share: float, effect: float) -> MovedFeature:
    """Return a feature that contributed to a cause."""
    return MovedFeature(column, 1.0, share, effect, in_words([column])[column])


BAD = Explanation(
    TEXT,
    0.113,
    0.05,
    0.19,
    "unnatural",
    "",
    LOG_ODDS,
    0.204,
    -2.061,
    (
        Contribution(
            "verbs", "verb forms", -1.7555, (moved("typing__n", 0.5, -0.1), moved("damage__verb_share", 0.974, -0.9))
        ),
        Contribution(
            "small_words",
            "articles, prepositions, pronouns",
            -0.6045,
            (moved("rules__n", 0.01, 0.3), moved("damage__soundness", 0.004, -0.2)),
        ),
        Contribution("length", "length and readability", 0.094, ()),
        Contribution("order", "word order", 0.001, ()),
    ),
    (
        finding(TEXT, "go", "after 'He' the verb ends in -s: 'goes'", suggestions=("goes",), code="he-go"),
        finding(
            TEXT, "語", "this is not a word", weight=0.4, suggestions=("",), cause="spelling", code="misspelt-word"
        ),
        gap(TEXT, "school", "a word seems to be missing before this"),
    ),
    ("30% of its words are unknown",),
    (Edit(3, 5, "go", "goes", 0.4, 0.513, TEXT.replace("go", "goes")),),
    cause="verbs",
)
"""Something of everything."""

REPAIRED = replace(BAD, repair=Repair(BAD.edits[0].text, 0.741, 0.628, BAD.edits))
"""The same with a repair."""

WAS, WERE = "They was there.", "They were there."
"""A text with an error of which rules and networks are sure, and the same text without the error."""
_EDIT = Edit(5, 8, "was", "were", 0.6, 0.713, WERE)
SURE = replace(
    BAD,
    text=WAS,
    findings=(finding(WAS, "was", "after 'They' it is 'were'", suggestions=("were",), code="they-was"),),
    unlike=(),
    edits=(_EDIT,),
    repair=Repair(WERE, 0.741, 0.628, (_EDIT,)),
)
"""The explanation of that text."""

GOOD = Explanation(
    FINE,
    0.741,
    NAN,
    NAN,
    "natural",
    "",
    LOG_ODDS,
    0.2,
    1.051,
    (Contribution("soundness", "overall soundness", 0.851, ()),),
    (),
)


def evil() -> Explanation:
    """Return an explanation with markup in every text field."""
    cause = replace(BAD.contributions[0], title=EVIL)
    feature = replace(cause.features[1], column=EVIL, words=EVIL)
    evil_finding = replace(gap(EVIL, "alert", EVIL), text=EVIL, suggestions=(EVIL,), end=len(EVIL))
    edit = replace(BAD.edits[0], before=EVIL, after=EVIL, text=EVIL, start=0, end=2)
    return replace(
        BAD,
        text=EVIL,
        label=EVIL,
        reason=EVIL,
        unlike=(EVIL,),
        findings=(evil_finding,),
        edits=(edit,),
        contributions=(replace(cause, features=(feature,)), *BAD.contributions[1:]),
    )


def without(text: str, reason: str) -> Explanation:
    """Return the explanation of a text without a score."""
    return Explanation(text, NAN, NAN, NAN, None, reason, LOG_ODDS, NAN, NAN, (), ())


class HandMade:
    """A model with fixed explanations; other texts score well, and texts without letters have no score."""

    name = "handmade"
    nlp = "en"
    groups = ()
    folder = None
    people = None
    known_people = OpenedModel.known_people
    check_register = OpenedModel.check_register
    threshold = 0.5
    saved = SimpleNamespace(description=SimpleNamespace(groups=()), checksum="0")

    def __init__(self, known: Sequence[Explanation] = (BAD,)) -> None:
        self.known: Mapping[str, Explanation] = {one.text: one for one in known}
        self.explained: list[str] = []
        """Texts that were asked about."""

    def judge(
        self,
        texts: Sequence[str],
        result: Callable[[Judgement], Any],
        *,
        parsed: bool = False,
        batch_size: int = 64,
        register: str | None = None,
        chosen: Callable[[list[Doc]], list[Doc]] = lambda docs: docs,
    ) -> list[Any]:
        """Return the judgement of the chosen texts."""
        docs = chosen(read_docs(texts, nlp="en", parsed=parsed))
        texts = [source_of(doc).original for doc in docs]
        scores = self.score(texts)
        nothing = np.empty((len(texts), 0))
        measured = Measured(nothing, [""] * len(texts), [""] * len(texts))
        judged = cast(OpenedModel, self)
        return (
            [result(Judgement(judged, docs, (), measured, nothing, scores, scores.naturalness.tolist()))]
            if texts
            else []
        )

    def explain(
        self, texts: Sequence[str] | Judgement, *, edits: int = 0, batch_size: int = 64, register: str | None = None
    ) -> list[Explanation]:
        """Return the explanation of each text."""
        asked = texts.scores.texts if isinstance(texts, Judgement) else texts
        self.explained += asked
        answers = map(self._of, asked)
        return [replace(one, edits=one.edits[:edits], repair=one.repair if edits else None) for one in answers]

    def score(self, texts: Sequence[str], *, batch_size: int = 64, register: str | None = None) -> Scores:
        """Return the scores without explanations."""
        explanations = [self._of(text) for text in texts]
        return Scores(
            np.array([one.naturalness for one in explanations]),
            [one.label for one in explanations],
            [one.reason for one in explanations],
            texts=list(texts),
        )

    def _of(self, text: str) -> Explanation:
        if text in self.known:
            return self.known[text]
        return replace(GOOD, text=text) if any(map(str.isalpha, text)) else without(text, "no words")
