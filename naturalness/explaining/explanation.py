"""What is said of one text: score, causes, places and edits, as plain data; for JSON; and the text cut at findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalness.features.people import Standing

SOUND, FIT = "sound", "fit"
"""The axes of adapted models."""
LOG_ODDS, POINTS = "log-odds", "points of rating"
"""What contributions are counted in: models of labels, models of ratings."""


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
    """``agreement``, ``order``, ``missing`` …: see `findings.KINDS`."""
    cause: str
    message: str
    """In words."""
    source: str
    """``detector``, ``rules``, ``grammar`` (LanguageTool), ``likelihood``, ``parser``,
    ``length`` or ``repetition``."""
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


STRONGEST = 3
"""Causes that are told in a line."""
MIN_CONTRIBUTION = 0.05
"""Log-odds, or points, below which a cause is not worth naming."""
SHOWN = 0.005
"""The same below which a number of two decimal places shows nothing."""
SURE = 0.5
"""Weight from which on a finding is likelier right than wrong."""


def strongest(
    values: Sequence[float], *, most: int = STRONGEST, least: float = MIN_CONTRIBUTION, named: int = -1
) -> list[int]:
    """Return the indices of at most ``most`` values of ``least`` or more, the largest first.

    ``named`` is always among them: where it would not be, it takes the last place.
    """
    order = sorted(range(len(values)), key=lambda i: (-abs(values[i]), i))
    order = [i for i in order if i == named or abs(values[i]) >= least]
    if named in order[most:]:
        order[most - 1] = named
    return order[:most]


def index_of(cause: str, causes: Sequence[str]) -> int:
    """Return the index of a cause, -1 where it is not among them."""
    return causes.index(cause) if cause in causes else -1


def strongest_causes(
    explained: Explanation, *, most: int = STRONGEST, least: float = MIN_CONTRIBUTION
) -> list[Contribution]:
    """Return the causes that move a score most, the one that is named always among them."""
    named = index_of(explained.cause, [contribution.cause for contribution in explained.contributions])
    values = [contribution.value for contribution in explained.contributions]
    order = strongest(values, most=most, least=least, named=named)
    return [explained.contributions[i] for i in order]


def as_row(explained: Explanation) -> dict[str, Any]:
    """Return an explanation as dictionaries and lists, the cause behind the label; NaN stays NaN."""
    fields = {name: _listed(value) for name, value in asdict(explained).items()}
    cause = fields.pop("cause")
    row: dict[str, Any] = {}
    for name, value in fields.items():
        row[name] = value
        if name == "label":
            row["cause"] = cause
    return row


def _listed(value: Any) -> Any:
    """Return tuples as lists, at any depth."""
    if isinstance(value, (tuple, list)):
        return [_listed(item) for item in value]
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    return value


EXCERPT_CHARACTERS = 600
"""Of a text that reports show; longer ones are cut behind them."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text; together the pieces are the text."""

    text: str
    findings: tuple[Finding, ...] = ()
    """Those that cover it, the surest first."""

    @property
    def finding(self) -> Finding | None:
        """The surest of them."""
        return self.findings[0] if self.findings else None

    @property
    def gap(self) -> bool:
        """Whether it is a place between characters, where something is missing."""
        return self.finding is not None and not self.text

    @property
    def sure(self) -> bool:
        """Whether a reader surely stumbles here."""
        return self.finding is not None and self.finding.weight >= SURE


def pieces(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """Return the pieces of a text in order, cut where findings begin and end; findings outside it are left out."""
    inside = [finding for finding in findings if 0 <= finding.start <= finding.end <= len(text)]
    order = sorted(inside, key=lambda finding: (-finding.weight, finding.start, finding.end))
    begin: dict[int, list[int]] = {}
    end_at: dict[int, list[int]] = {}
    for rank, finding in enumerate(order):
        begin.setdefault(finding.start, []).append(rank)
        end_at.setdefault(finding.end, []).append(rank)
    cuts = sorted({0, len(text), *begin, *end_at})
    out: list[Piece] = []
    over: set[int] = set()
    for start, end in zip(cuts, [*cuts[1:], cuts[-1]], strict=True):
        gaps = tuple(order[rank] for rank in begin.get(start, ()) if order[rank].end == start)
        if gaps:
            out.append(Piece("", gaps))
        over.update(begin.get(start, ()))
        over.difference_update(end_at.get(start, ()))
        if end > start:
            out.append(Piece(text[start:end], tuple(order[rank] for rank in sorted(over))))
    return out


def excerpt(text: str, findings: Sequence[Finding]) -> list[Piece]:
    """Return the pieces of the beginning of a text, at most `EXCERPT_CHARACTERS` long."""
    start = text if len(text) <= EXCERPT_CHARACTERS else f"{text[:EXCERPT_CHARACTERS]} …"
    return pieces(start, [finding for finding in findings if finding.end <= EXCERPT_CHARACTERS])
