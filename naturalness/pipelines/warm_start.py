"""Warm starts: the model from which a learner starts, by default the shipped one.

A model that was trained on the same texts is refused: its scores for them would be too good, and no split could show
how good the new model is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from naturalness.errors import TrainingError
from naturalness.features import resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.embedding import OWN_ENCODER
from naturalness.features.selected import whole_of
from naturalness.judging.hashes import KnownTexts, known_texts
from naturalness.judging.kind import KIND_FILE, both_parts
from naturalness.judging.model import DEFAULT_MODEL, model_folder, read_model
from naturalness.judging.model import SHIPPED as SHIPPED_MODELS
from naturalness.models.encoders.sentences import SHIPPED
from naturalness.models.learners.compiled import Compiled
from naturalness.models.learners.start import Start, start_of
from naturalness.models.learners.table import LEARNERS
from naturalness.models.learners.verdict import Interpretation

OF_RATINGS: Mapping[str, str | None] = {
    "damage": "damage_fast",
    "impression": "impression_fast",
    "rating": None,
    "rating_fast": None,
    "gruen": None,
    f"{OWN_ENCODER}{SHIPPED}": None,
}
"""Feature groups of networks that were trained on ratings, and the group that has the same features from a network that
was not; None if there is no such group.
"""
MOST_SEEN = 0.05
"""Maximum share of the training texts on which the starting model may have been trained already. A small overlap can be
chance, since short texts recur everywhere.
"""


@dataclass(frozen=True, slots=True)
class Origin:
    """A model from which a learner can start."""

    compiled: Compiled
    columns: tuple[str, ...]
    seen: KnownTexts
    """The hashes of the texts from which it learned soundness; for an adapted model, those of the model that was
    adapted."""
    features: tuple[str, ...] = ()
    """The feature groups or columns that it reads."""
    nlp: str = "en"
    """The name of its spaCy pipeline."""
    name: str = DEFAULT_MODEL
    """The name of a shipped model, or the last part of a folder's path."""
    checksum: str = ""
    """The checksum of its manifest, which contains the checksums of its other files."""
    interpretation: Interpretation | None = None
    """The rule that converts its decisions to naturalness."""

    def start(self, columns: Sequence[str]) -> Start | None:
        """Return the start for a table with these columns, or None if the model and the table have too few columns
        in common.
        """
        return start_of(self.compiled, self.columns, columns)

    def knows(self, texts: Sequence[str]) -> bool:
        """Return whether the model was trained on these texts."""
        return self.seen.share(texts) > MOST_SEEN

    @property
    def record(self) -> dict[str, str]:
        """Return the entries that describe the model in manifests, cards and figures; they contain no path."""
        return {"name": self.name, "checksum": self.checksum}


def read_origin(model: str) -> Origin:
    """Read the model for a warm start: a folder, or the name of a shipped model. For an adapted model, only its
    soundness axis is used.

    Its weights are only a starting point, so changed assets do no harm. Raise `TrainingError` for a model that is not
    linear.
    """
    folder = model_folder(model)
    saved = read_model(model, changed_assets=True)
    description, compiled, seen = saved.description, saved.compiled, saved.seen
    if KIND_FILE in saved.pages:
        sound, _ = both_parts(compiled)
        compiled = replace(compiled, units=(sound,))
        seen = _seen_before_adapting(description.training.get("origin"))
    elif list(description.units) not in (["linear"], ["switching"]):
        raise TrainingError(
            f"model {model!r} consists of {', '.join(description.units)} units, and learning starts from "
            "a single linear one; start from a model trained with `learner=adapted` or "
            "logistic-l2 on ratings or two labels, or leave out `start`"
        )
    return Origin(
        compiled,
        description.columns,
        seen,
        description.features,
        description.nlp,
        name=model if folder != Path(model) else folder.resolve().name,
        checksum=saved.checksum,
        interpretation=description.interpretation,
    )


def _seen_before_adapting(origin: object) -> KnownTexts:
    """Return the training texts of the shipped model that was adapted, given its record (`Origin.record`); none for
    another model, which the folder of the adapted one does not contain.
    """
    name = str(origin.get("name")) if isinstance(origin, Mapping) else ""
    return read_model(name, changed_assets=True).seen if name in SHIPPED_MODELS else known_texts(())


@cache
def shipped() -> Origin:
    """Return the default model as a starting point."""
    return read_origin(DEFAULT_MODEL)


def groups_with_known_ratings(groups: Sequence[str | FeatureGroup], texts: Sequence[str]) -> list[str]:
    """Return the names of the groups of `OF_RATINGS` if their networks were trained on ratings of these texts.

    Such features are better for these texts than for new ones, so a model would rely on them too much.
    """
    names = {whole_of(group).name for group in resolve(groups)}
    known = [name for name in OF_RATINGS if name in names]
    return known if known and shipped().knows(texts) else []


def without_ratings(groups: Sequence[str]) -> list[str]:
    """Return the feature groups, with those of `OF_RATINGS` replaced or left out."""
    others = (OF_RATINGS.get(name, name) for name in groups)
    return list(dict.fromkeys(name for name in others if name))


def start_for(learner: str, columns: Sequence[str], texts: Sequence[str], origin: Origin | None = None) -> Start | None:
    """Return the start for ``learner`` from ``origin``, by default from the shipped model; None if the learner starts
    from zero.

    ``texts`` are the training texts; empty for tables of numbers. Raise `TrainingError` if ``learner`` is a named
    learner that needs a warm start and has nothing to start from.
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
            f"among {', '.join(columns[:3])} …; leave `features` out, start from another model "
            "(`start`), or choose another learner"
        )
    raise TrainingError(
        f"learner {learner!r} starts from model {model.name!r}, which was trained on these "
        "texts, so no split of them can measure its accuracy; start from another model (`start`), or "
        "choose another learner"
    )
