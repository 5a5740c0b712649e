"""Explanations as plain data: score, causes, findings and edits of a text, for JSON and notebooks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

from naturalness.data.frames import frame_of_rows
from naturalness.errors import excerpt
from naturalness.explaining.causes import cause_title
from naturalness.judging.fields import NO_LABEL

if TYPE_CHECKING:
    import pandas as pd

    from naturalness.judging.people import Standing

PAGE = "naturalness.explaining.page"
"""The module that shows explanations in notebooks; it is imported by name, since it imports this one."""


@dataclass(frozen=True, slots=True)
class MovedFeature:
    """A feature of a text, and its effect on the score."""

    column: str
    value: float
    """The value of the feature; NaN if it is undefined for this text."""
    share: float
    """The share of the reference texts with a lower value, 0..1 (ties count half); NaN if unknown."""
    effect: float
    """The score minus the score with a typical value of this feature, all else being equal."""
    words: str
    """The readable name of the feature."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of one cause to a score: its Shapley value among all causes, and its part of soundness."""

    cause: str
    title: str
    """The readable name of the cause."""
    value: float
    """The contribution, in the unit of the explanation; negative if the cause lowers the score."""
    features: tuple[MovedFeature, ...]
    """The features that contribute most to the cause, the strongest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A span of a text, with what is wrong there and possible replacements."""

    start: int
    end: int
    """The end of the span; ``start`` and ``end`` are character offsets in the original text, equal where a word is
    missing.
    """
    text: str
    """The text of the span."""
    kind: str
    """The kind of error, such as ``agreement``, ``order`` or ``missing``: see `causes.KINDS`."""
    cause: str
    message: str
    """A message that says what is wrong."""
    source: str
    """The source of the finding: ``detector``, ``rules``, ``grammar`` (LanguageTool), ``length`` or ``voice``.
    """
    weight: float
    """The probability that a reader stumbles here, 0..1."""
    suggestions: tuple[str, ...] = ()
    """Possible replacements; an empty string deletes the span."""
    code: str = ""
    """The short name of the rule or source that made the finding, such as ``he-go``: see `codes`."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A small change that an editor might make."""

    start: int
    end: int
    """The end of the replaced span; ``start`` and ``end`` are character offsets in the original text."""
    before: str
    after: str
    """The new words; empty if words are left out."""
    gain: float
    """The naturalness of the text with the edit minus its naturalness without it."""
    naturalness: float
    """The naturalness of the text with only this edit, 0..1."""
    text: str
    """The whole text with the edit."""
    probability: float = math.nan
    """The probability that an editor would accept the edit, 0..1; NaN if unknown."""
    kind: str = ""
    """What the edit does: ``delete``, ``insert``, ``inflect``, ``replace``, ``swap``, ``suffix``, ``spelling``,
    ``case``, ``punctuation``, ``join`` or ``rule``; empty if unknown.
    """
    reason: str = ""
    """Why the edit is made, in words, such as ``the verb 'depend' takes 'on'``; empty if there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits of a text that an editor would accept."""

    text: str
    """The repaired text."""
    naturalness: float
    """The naturalness of the repaired text, 0..1."""
    gain: float
    """The naturalness of the repaired text minus that of the original."""
    steps: tuple[Edit, ...]
    """The edits, in the order of the text; each has the score and the text that it would lead to alone."""
    probability: float = field(init=False)
    """The product of the edits' probabilities: the probability that an editor would accept all of them, if each is
    accepted independently; NaN if one is unknown.
    """

    def __post_init__(self) -> None:
        """Compute the probability."""
        object.__setattr__(self, "probability", math.prod(step.probability for step in self.steps))


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of a text's score."""

    text: str
    naturalness: float
    """The naturalness, 0..1; NaN if the text has no score."""
    voice: float = field(default=math.nan, kw_only=True)
    """The voice, 0..1; NaN if the text has no score or fewer than ten words."""
    low: float
    high: float
    """The upper end of the interval of the score; NaN if unknown. The interval contains 95 % of the scores by models
    that are each trained without a third of the training texts.
    """
    label: str | None
    cause: str = field(default="", kw_only=True)
    """The cause that the repair mends or, without a repair, the likeliest fault among the causes that lower the score;
    empty if none lowers it by `MIN_CONTRIBUTION`.
    """
    reason: str
    """Why the text has no score, is not English prose, or lacks a feature group; otherwise empty."""
    unit: str
    base: float
    """The score of a typical text without a fault, in ``unit``; of a typical text if ``unit`` is points of rating."""
    total: float
    """The sum of ``base`` and all contributions: the score before it is mapped to 0..1."""
    contributions: tuple[Contribution, ...]
    """The contributions of all causes of the model, the strongest first; empty if the text has no score."""
    findings: tuple[Finding, ...]
    """The findings, the surest first."""
    unlike: tuple[str, ...] = ()
    """Sentences that say how the text differs from the training texts; if there are any, its score means little."""
    edits: tuple[Edit, ...] = ()
    """The edits that an editor would most probably accept, the likeliest first; empty unless requested."""
    standing: Standing | None = None
    """The position of the score within the register of the text; None if no register was given."""
    axes: Mapping[str, float] = field(default_factory=dict)
    """The two axes of an adapted model: how sound the text is (``sound``) and how well it fits the kind of text that
    the model was adapted to (``fit``), 0..1. Empty for other models.
    """

    threshold: float = 0.5
    """The lowest naturalness at which a text gets the better of two labels."""
    repair: Repair | None = None
    """The edits that an editor would probably accept, together; None if there is none, or if edits were not requested.
    """

    @property
    def good(self) -> bool:
        """Whether the score reaches the model's threshold; False if the text has no score or no label."""
        return self.label is not None and self.naturalness >= self.threshold

    @property
    def interval(self) -> str:
        """The interval of the score, such as ``0.05 to 0.19``; empty if unknown."""
        return "" if math.isnan(self.low) or math.isnan(self.high) else f"{self.low:.2f} to {self.high:.2f}"

    @property
    def verdict(self) -> str:
        """The label of the text, followed by the main cause if the score is low: ``unnatural: verb forms``."""
        cause = cause_title(self.cause) if self.naturalness < self.threshold else ""
        return ": ".join(filter(None, [self.label or NO_LABEL * (not math.isnan(self.naturalness)), cause]))

    def __repr__(self) -> str:
        """Return the beginning of the text, and its score with the interval, label and cause."""
        if math.isnan(self.naturalness):
            return f"Explanation({excerpt(self.text)}: no score, {self.reason})"
        score = f"{self.naturalness:.3f}" + (f" ({self.interval})" if self.interval else "")
        return f"Explanation({excerpt(self.text)}: {' '.join(filter(None, [score, self.verdict]))})"

    def _repr_html_(self) -> str:
        """Return the view for notebooks: the text with its findings marked, score, findings, and causes as bars."""
        html: str = import_module(PAGE).make_part([self])
        return html


def without_score(text: str, reason: str, *, unit: str, threshold: float) -> Explanation:
    """Return the explanation of a text without a score; ``unit`` and ``threshold`` are the model's."""
    nan = math.nan
    return Explanation(text, nan, nan, nan, None, reason, unit, nan, nan, (), (), threshold=threshold)


class Explanations(list[Explanation]):
    """A list of the explanations of several texts, in order; notebooks can display it."""

    def _repr_html_(self) -> str:
        """Return the view for notebooks: the texts with the lowest scores, and an overview of all texts."""
        html: str = import_module(PAGE).make_part(self)
        return html

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text: text, score, voice and interval, label, cause and reason, then the contribution of
        each cause.

        The column ``verbs``, for example, has the contribution of the cause *verb forms*; NaN if the text has no score.
        """
        names = dict.fromkeys(part.cause for explained in self for part in explained.contributions)
        return frame_of_rows(
            [
                {name: getattr(explained, name) for name in SUMMARY}
                | {"unlike": "; ".join(explained.unlike)}
                | ({"register": it.register, "percentile": it.percentile} if (it := explained.standing) else {})
                | dict(explained.axes)
                | dict.fromkeys(names, math.nan)
                | {part.cause: part.value for part in explained.contributions}
                for explained in self
            ],
            [*SUMMARY, "unlike"],
        )


SUMMARY = ("text", "naturalness", "voice", "low", "high", "label", "cause", "reason")
"""The fields of an explanation that become columns in a table of several explanations."""
