"""The kinds of error that the paper reports, on sentences of our own: what the default model says.

The sentences in ``errors.jsonl`` were written before any model had seen them; nothing was tuned on
them. Ten of a category say little: intervals are Wilson's (1927), 95 %.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from naturalness.errors import NaturalnessError
from naturalness.features import check_requirements, column_names, resolve
from naturalness.features.measuring import measure
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.statistics.measures import wilson

SENTENCES = Path(__file__).with_name("errors.jsonl")
SOUND = {
    "long, with subordinate clauses": 'the paper\'s system: wrongly "not perfect"',
    "split by an insert": 'the paper\'s system: wrongly "not perfect"',
    "natural fragments": 'the paper\'s system: wrongly "not perfect"',
    "titles": 'the paper\'s system: wrongly "not perfect"',
    "a clause between subject and verb": "false alarms of LanguageTool",
    "coordination that looks like agreement": "false alarms of LanguageTool",
}
"""Categories of sentences that are sound, and what the paper says of such."""
PAIRS = ("one agreement error", "a wrong preposition", "a slip of word order")
"""Categories that the paper's system wrongly called "perfect": each with the same without error."""
CHECKERS: Mapping[str, tuple[str, str]] = {
    "our rules": ("rules", "rules__any_match"),
    "LanguageTool": ("grammar", "grammar__any_grammar"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, and for one with an error the same without it."""

    category: str
    text: str
    sound: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many, with an interval of the share."""

    hits: int
    n: int
    low: float
    high: float

    @classmethod
    def of(cls, right: Sequence[bool]) -> Share:
        """Count."""
        return cls(sum(right), len(right), *wilson(sum(right), len(right)))


def read_cases(path: Path = SENTENCES) -> list[Case]:
    """The committed sentences."""
    return [Case(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def report(model: NaturalnessModel | None = None) -> dict[str, dict[str, object]]:
    """What is right in each category: plain data."""
    model = model or load_model()
    cases = read_cases()
    alarms = {name: share for name in CHECKERS if (share := _alarms(name, cases)) is not None}
    out: dict[str, dict[str, object]] = {}
    for category in (*SOUND, *PAIRS):
        indices = [i for i, case in enumerate(cases) if case.category == category]
        texts = [cases[i].text for i in indices]
        score = _natural(model, texts)
        row: dict[str, object] = {"naturalness": float(np.mean([s for s, _ in score]))}
        if category in SOUND:
            row["right"] = asdict(Share.of([right for _, right in score]))
        else:
            sound = _natural(model, [cases[i].sound for i in indices])
            row["naturalness_sound"] = float(np.mean([s for s, _ in sound]))
            row["right"] = asdict(Share.of([not right for _, right in score]))
            row["right_sound"] = asdict(Share.of([right for _, right in sound]))
            ordered = [a < b for (a, _), (b, _) in zip(score, sound, strict=True)]
            row["lower_than_sound"] = asdict(Share.of(ordered))
        row["alarms"] = {name: asdict(Share.of([share[i] for i in indices])) for name, share in alarms.items()}
        out[category] = row
    return out


def _natural(model: NaturalnessModel, texts: Sequence[str]) -> list[tuple[float, bool]]:
    """Naturalness, and whether the label is the best one."""
    scores = model.score(list(texts))
    best = model.classes[-1]
    pairs = zip(scores.naturalness, scores.labels, strict=True)
    return [(value, label == best) for value, label in pairs]


def _alarms(name: str, cases: Sequence[Case]) -> list[bool] | None:
    """Whether a checker finds anything wrong with each text; None where it is not installed."""
    group, column = CHECKERS[name]
    groups = resolve([group])
    try:
        check_requirements(groups)
    except NaturalnessError:
        return None
    table = measure([case.text for case in cases], [group], nlp="en").table
    return [value > 0 for value in table[:, column_names(groups).index(column)].tolist()]
