"""The explanation of a score as plain data, for JSON and notebooks: score, causes, places and edits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from naturalness.data.frames import frame_of, frame_of_rows
from naturalness.errors import excerpt
from naturalness.explaining.causes import cause_title
from naturalness.extensions import extension

if TYPE_CHECKING:
    import pandas as pd

    from naturalness.judging.people import Standing


@dataclass(frozen=True, slots=True)
class Moved:
    """A feature with an effect on the contribution of its cause."""

    column: str
    value: float
    """NaN if undefined in this text."""
    share: float
    """Share of reference texts with a lower value, 0 to 1 (ties count half); NaN if unknown."""
    effect: float
    """The score minus the score with a typical value of this feature."""
    meaning: str
    """The meaning of a higher value."""
    words: str
    """The readable name of the feature."""
    above_zero: float = math.nan
    """Share of reference texts with a value above 0; NaN if values can be negative."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The contribution of a cause to a score: its Shapley value."""

    cause: str
    title: str
    """The readable name of the cause."""
    value: float
    """In the unit of the explanation; negative if the cause makes the text less natural."""
    features: tuple[Moved, ...]
    """The features with the largest effects, strongest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An odd place in a text, with a message and suggestions."""

    start: int
    end: int
    """Offsets in the original text; equal if something is missing."""
    text: str
    """The text at this place."""
    kind: str
    """``agreement``, ``order``, ``missing`` …: see `causes.KINDS`."""
    cause: str
    message: str
    """What is wrong, in words."""
    source: str
    """``detector``, ``rules``, ``grammar`` (LanguageTool), ``likelihood``, ``parser``, ``length``, ``repetition``,
    ``phrases`` or ``rating``.
    """
    weight: float
    """The probability that a reader stumbles here, 0 to 1."""
    suggestions: tuple[str, ...] = ()
    """Replacements; an empty string stands for deletion."""
    code: str = ""
    """The code of the rule or finder, such as ``he-go``: see `codes`."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A small change that raises the score."""

    start: int
    end: int
    """Offsets in the original text of the part to be replaced."""
    before: str
    after: str
    """Empty for a deletion."""
    gain: float
    """The increase in naturalness."""
    naturalness: float
    """Naturalness of the text with only this change, 0 to 1."""
    text: str
    """The whole changed text."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A text with its score and the reasons for it."""

    text: str
    naturalness: float
    """0 to 1; NaN without a score."""
    low: float
    high: float
    """The interval that contains 95 of 100 scores when a third of the training texts is left out; NaN if unknown."""
    label: str | None
    reason: str
    """Why there is no score, which feature group is missing, or that the text is not English; otherwise empty."""
    unit: str
    base: float
    """The mean over the background sample, in ``unit``."""
    total: float
    """The sum of ``base`` and all contributions; mapping it to 0 to 1 gives the score."""
    contributions: tuple[Contribution, ...]
    """All causes that the model reads, strongest first; empty without a score."""
    findings: tuple[Finding, ...]
    """Surest first."""
    unlike: tuple[str, ...] = ()
    """How the text differs from the training texts, so that its score means little."""
    edits: tuple[Edit, ...] = ()
    """The edits with the largest gains, best first; empty unless requested."""
    cause: str = ""
    """The most likely of the causes that lower the score; empty if none does."""
    standing: Standing | None = None
    """The position of the score within its register; None if no register was requested."""
    axes: Mapping[str, float] = field(default_factory=dict)
    """For an adapted model, how ``sound`` the text is and how well it ``fit``s, 0 to 1 each."""

    threshold: float = 0.5
    """The naturalness from which the model calls a text natural, or good."""

    @property
    def good(self) -> bool:
        """Whether the score reaches the threshold; False without a score."""
        return self.naturalness >= self.threshold

    @property
    def interval(self) -> str:
        """The interval of the score, such as ``0.05 to 0.19``; empty if unknown."""
        return "" if math.isnan(self.low) or math.isnan(self.high) else f"{self.low:.2f} to {self.high:.2f}"

    @property
    def verdict(self) -> str:
        """The label, and the cause of a low score: ``unnatural: verb forms``."""
        cause = cause_title(self.cause) if self.naturalness < self.threshold else ""
        return ": ".join(filter(None, [self.label, cause]))

    def __repr__(self) -> str:
        """Return the beginning of the text, its score with the interval, label and cause."""
        if math.isnan(self.naturalness):
            return f"Explanation({excerpt(self.text)}: no score, {self.reason})"
        score = f"{self.naturalness:.3f}" + (f" ({self.interval})" if self.interval else "")
        return f"Explanation({excerpt(self.text)}: {' '.join(filter(None, [score, self.verdict]))})"

    def _repr_html_(self) -> str:
        """Return the view in notebooks: the marked text, score, findings, and causes as bars."""
        html: str = extension("explained page").make_part([self])
        return html

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per cause, strongest first, with the columns ``cause``, ``title`` and ``value`` (its
        contribution).
        """
        names = ("cause", "title", "value")
        return frame_of({name: [getattr(part, name) for part in self.contributions] for name in names})


def without_score(text: str, reason: str, *, unit: str, threshold: float) -> Explanation:
    """Return the explanation of a text without a score; ``unit`` and ``threshold`` are the model's."""
    nan = math.nan
    return Explanation(text, nan, nan, nan, None, reason, unit, nan, nan, (), (), threshold=threshold)


class Explanations(list[Explanation]):
    """A list of explanations that notebooks display and that can be converted to a table."""

    def _repr_html_(self) -> str:
        """Return the view in notebooks: the texts with the lowest scores, and an overview of all texts."""
        html: str = extension("explained page").make_part(self)
        return html

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text: text, score, interval, label, cause, reason, and the contribution of each cause.

        For example, the column ``verbs`` contains the contribution of the cause *verb forms*; NaN without a score.
        """
        names = dict.fromkeys(part.cause for explained in self for part in explained.contributions)
        return frame_of_rows(
            [
                {name: getattr(explained, name) for name in SUMMARY}
                | {"unlike": "; ".join(explained.unlike)}
                | _within(explained)
                | dict(explained.axes)
                | dict.fromkeys(names, math.nan)
                | {part.cause: part.value for part in explained.contributions}
                for explained in self
            ]
        )


def _within(explained: Explanation) -> dict[str, Any]:
    standing = explained.standing
    return {"register": standing.register, "percentile": standing.percentile} if standing else {}


SUMMARY = ("text", "naturalness", "low", "high", "label", "cause", "reason")
"""Fields of an explanation that are columns in a table of several."""


def as_row(explained: Explanation) -> dict[str, Any]:
    """Return an explanation as dictionaries and lists, with the cause after the label. NaN is kept."""
    fields = {name: listed(value) for name, value in asdict(explained).items()}
    cause = fields.pop("cause")
    row: dict[str, Any] = {}
    for name, value in fields.items():
        row[name] = value
        if name == "label":
            row["cause"] = cause
    return row


def listed(value: Any) -> Any:
    """Return a value with all tuples converted to lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [listed(item) for item in value]
    if isinstance(value, dict):
        return {name: listed(item) for name, item in value.items()}
    return value
