"""What is said of one text: score, causes, places and edits, as plain data; for JSON and for notebooks."""

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
    """A feature that moved its cause."""

    column: str
    value: float
    """NaN where it is undefined in this text."""
    share: float
    """Of the reference texts with a lower value, 0..1 (ties by half); NaN where not known."""
    effect: float
    """What the score gains from its value instead of a typical one, all else as it is."""
    meaning: str
    """What a higher value means."""
    words: str
    """What it is called for people."""
    above_zero: float = math.nan
    """Share of the reference texts with a value above 0, where none is below; NaN elsewhere."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one cause adds to a score: its Shapley value among all causes."""

    cause: str
    title: str
    """Its name for people."""
    value: float
    """Below 0 it makes the text less natural; in the unit of the explanation."""
    features: tuple[Moved, ...]
    """Those that moved it most, the strongest first."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a reader can look at: a place, what is odd there, and what could stand."""

    start: int
    end: int
    """Characters of the original text; equal where something is missing."""
    text: str
    """What stands there."""
    kind: str
    """``agreement``, ``order``, ``missing`` …: see `causes.KINDS`."""
    cause: str
    message: str
    """In words."""
    source: str
    """``detector``, ``rules``, ``grammar`` (LanguageTool), ``likelihood``, ``parser``,
    ``length``, ``repetition`` or ``phrases``."""
    weight: float
    """How sure it is that a reader stumbles here, 0..1."""
    suggestions: tuple[str, ...] = ()
    """What could stand there instead; an empty string means leave it out."""
    code: str = ""
    """The rule or finder by its short name, such as ``he-go``: see `codes`."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A small change that raises the score."""

    start: int
    end: int
    """Characters of the original text that it replaces."""
    before: str
    after: str
    """Empty where something is left out."""
    gain: float
    """Naturalness with it less naturalness without, above 0."""
    naturalness: float
    """0..1, of the text with this change alone."""
    text: str
    """The whole text with it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A text, its score and why."""

    text: str
    naturalness: float
    """0..1; NaN where there is none."""
    low: float
    high: float
    """Where 95 of 100 scores lie when a third of the training texts is left out; NaN where that is
    not known."""
    label: str | None
    reason: str
    """Why there is no score, which group of features it was made without, or that the text is not
    English; else empty.
    """
    unit: str
    base: float
    """The mean over the background sample, in ``unit``."""
    total: float
    """``base`` and all contributions; the score before it is put between 0 and 1."""
    contributions: tuple[Contribution, ...]
    """All causes that the model reads, the strongest first; empty where there is no score."""
    findings: tuple[Finding, ...]
    """The surest first."""
    unlike: tuple[str, ...] = ()
    """In what way the text is unlike those of training, in words: its score means little then."""
    edits: tuple[Edit, ...] = ()
    """Those with the largest gain, the best first; empty unless asked for."""
    cause: str = ""
    """What is likeliest wrong of what lowers the score; empty where nothing does."""
    standing: Standing | None = None
    """Where the score stands in the register of the text; None where no register was asked for."""
    axes: Mapping[str, float] = field(default_factory=dict)
    """Of an adapted model: how ``sound`` the text is, and how well it does ``fit``, 0..1 each."""

    threshold: float = 0.5
    """Naturalness from which on the model calls a text natural, or good."""

    @property
    def good(self) -> bool:
        """Whether the score reaches the model's threshold; never where there is none."""
        return self.naturalness >= self.threshold

    @property
    def interval(self) -> str:
        """The interval of the score, such as ``0.05 to 0.19``; empty where it is not known."""
        return "" if math.isnan(self.low) or math.isnan(self.high) else f"{self.low:.2f} to {self.high:.2f}"

    @property
    def verdict(self) -> str:
        """The label, and the cause of a low score: ``unnatural: verb forms``."""
        cause = cause_title(self.cause) if self.naturalness < self.threshold else ""
        return ": ".join(filter(None, [self.label, cause]))

    def __repr__(self) -> str:
        """The beginning of the text, its score with the interval, label and cause."""
        if math.isnan(self.naturalness):
            return f"Explanation({excerpt(self.text)}: no score, {self.reason})"
        score = f"{self.naturalness:.3f}" + (f" ({self.interval})" if self.interval else "")
        return f"Explanation({excerpt(self.text)}: {' '.join(filter(None, [score, self.verdict]))})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the text with its marks, the score, findings, and causes as bars."""
        html: str = extension("explained page").make_part([self])
        return html

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per cause, the strongest first: ``cause``, its ``title``, and ``value``, what it adds."""
        names = ("cause", "title", "value")
        return frame_of({name: [getattr(part, name) for part in self.contributions] for name in names})


def without_score(text: str, reason: str, *, unit: str, threshold: float) -> Explanation:
    """Return the explanation of a text without a score; ``unit`` and ``threshold`` are the model's."""
    nan = math.nan
    return Explanation(text, nan, nan, nan, None, reason, unit, nan, nan, (), (), threshold=threshold)


class Explanations(list[Explanation]):
    """Explanations of several texts, in order: a list that a notebook shows, and that turns into a table."""

    def _repr_html_(self) -> str:
        """What a notebook shows: the texts with the lowest scores, and what there is to say of all."""
        html: str = extension("explained page").make_part(self)
        return html

    def to_pandas(self) -> pd.DataFrame:
        """Return a row per text: text, score and interval, label, cause and reason, then what each cause adds.

        The column ``verbs`` is what the cause *verb forms* adds to the score; NaN where there is no score.
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
"""Fields of an explanation that stand in a table of several."""


def as_row(explained: Explanation) -> dict[str, Any]:
    """Return an explanation as dictionaries and lists, the cause behind the label; NaN stays NaN."""
    fields = {name: listed(value) for name, value in asdict(explained).items()}
    cause = fields.pop("cause")
    row: dict[str, Any] = {}
    for name, value in fields.items():
        row[name] = value
        if name == "label":
            row["cause"] = cause
    return row


def listed(value: Any) -> Any:
    """Return tuples as lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [listed(item) for item in value]
    if isinstance(value, dict):
        return {name: listed(item) for name, item in value.items()}
    return value
