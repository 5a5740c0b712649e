"""The model that learning starts from, where a learner adapts one: the shipped one or one's own.

It may not start from a model that learned from the very texts: what it says of them would be no
news, and no split of them could tell how good the adapted model is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from naturalness.errors import TrainingError
from naturalness.judging.folder import model_checksum, read_model
from naturalness.judging.hashes import KnownTexts
from naturalness.judging.kind import KIND, both_parts
from naturalness.judging.opened import DEFAULT_MODEL, model_folder
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.start import Start, start_of
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.verdict import Verdict

OF_RATINGS = frozenset({"rating", "rating_fast", "rating_large"})
"""Groups whose networks learned from ratings."""
MOST_SEEN = 0.05
"""Share of texts that a model may know by chance: short ones are the same everywhere."""


@dataclass(frozen=True, slots=True)
class Origin:
    """A model to start from."""

    compiled: Compiled
    columns: tuple[str, ...]
    seen: KnownTexts
    """The texts that it learned from."""
    features: tuple[str, ...] = ()
    """The groups of features that it reads, or columns of them."""
    nlp: str = "en"
    """The pipeline that it reads with."""
    name: str = DEFAULT_MODEL
    """A shipped model's name, or the last part of a folder's path."""
    checksum: str = ""
    """Of its manifest, which has those of its files."""
    verdict: Verdict | None = None
    """How its numbers are read."""

    def start(self, columns: Sequence[str]) -> Start | None:
        """It in the terms of a table; None where they share too few columns."""
        return start_of(self.compiled, self.columns, columns)

    def knows(self, texts: Sequence[str]) -> bool:
        """Whether it learned from these texts."""
        return self.seen.share(texts) > MOST_SEEN

    @property
    def record(self) -> dict[str, str]:
        """What manifest, card and figures say of it; a path would say where it lay and no more."""
        return {"name": self.name, "checksum": self.checksum}


def read_origin(model: str) -> Origin:
    """A model to start from: a folder, or the name of a shipped model; of an adapted one its axis of soundness.

    Its weights are a direction that learning may follow or not, so other assets than those of its
    training do no harm. Raises where it has no such weights.
    """
    folder = model_folder(model)
    saved = read_model(folder, changed_assets=True)
    description, compiled = saved.description, saved.compiled
    if (folder / KIND).exists():
        linear, _ = both_parts(compiled)
        compiled = replace(compiled, units=(linear,))
    elif list(description.units) != ["linear"]:
        raise TrainingError(
            f"model {model!r} consists of {', '.join(description.units)} units, and learning starts from "
            "a single linear one; start from a model trained with --learner adapted or "
            "logistic-l2 on ratings or two labels, or leave out --from"
        )
    return Origin(
        compiled,
        description.columns,
        saved.seen,
        description.features,
        description.nlp,
        name=model if folder != Path(model) else folder.resolve().name,
        checksum=model_checksum(folder),
        verdict=description.verdict,
    )


@cache
def shipped() -> Origin:
    """The default model."""
    return read_origin(DEFAULT_MODEL)


def without_known_ratings(groups: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Leave out the rating head where it learned from ratings of these very texts.

    On them its numbers are better than on any other text, and a model would trust them too much.
    """
    if not OF_RATINGS.isdisjoint(groups) and shipped().knows(texts):
        return [name for name in groups if name not in OF_RATINGS]
    return list(groups)


def start_for(learner: str, columns: Sequence[str], texts: Sequence[str], origin: Origin | None = None) -> Start | None:
    """Where ``learner`` starts from, by default from the shipped model; None where it cannot.

    ``texts`` are those that are to teach; none where only numbers are known.

    Raises where a learner that adapts was asked for by name, and there is nothing that it may
    start from.
    """
    entry = LEARNERS.get(learner)
    if entry is not None and not entry.adapts:
        return None
    model = origin or shipped()
    start = model.start(columns)
    if start is not None and not model.knows(texts):
        return start
    if entry is None:
        return None
    if start is None:
        raise TrainingError(
            f"learner {learner!r} starts from model {model.name!r}, most of whose columns are not "
            f"among {', '.join(columns[:3])} …; leave --features out, start from another model "
            "(--from), or take another learner"
        )
    raise TrainingError(
        f"learner {learner!r} starts from model {model.name!r}, which learned from these very "
        "texts; no split of them could tell how good it is: start from another model (--from), or "
        "take another learner"
    )
