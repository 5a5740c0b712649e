"""Learners by name, as described in `table.toml`; the package of a learner is imported when it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from typing import Any

from naturalness.errors import TrainingError, UnknownName
from naturalness.files.toml import read_beside
from naturalness.models.learners.blend import MIXTURE as MIXED
from naturalness.models.learners.kernel import KERNEL
from naturalness.models.learners.linear import LINEAR
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.trees import BOOSTED, FOREST
from naturalness.models.learners.units import Form

Parameters = dict[str, Any]
Build = Callable[[int, Parameters], Any]


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner: the functions that build its estimators from a seed and parameters, and its parameter grids."""

    form: Form
    """How its fitted estimators are converted to units."""
    classifier: Build
    regressor: Build | None
    grid: Mapping[str, Sequence[Any]]
    regressor_grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    preparation: Callable[[int], Preparation] | None = None
    """A function of the number of columns that returns its fixed preparation; None to learn one from the table."""
    adapts: bool = False
    """Whether it starts from another model, which by default is the shipped one."""
    linear: bool = False
    """Whether its models are weighted sums of columns, so that it can also learn from pairs."""
    compares: bool = False
    """Whether it learns from differences between the texts of a source, and from nothing else."""

    def candidates(self, *, classes: bool) -> list[Parameters]:
        """Return all combinations of the values in the learner's grid, in a fixed order."""
        grid = self.grid if classes else self.regressor_grid
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def _builder(described: Mapping[str, Any]) -> Build:
    """Return a function that builds an estimator of the class at a dotted path, which is imported on first use."""
    settings = dict(described)
    module, _, name = settings.pop("class").rpartition(".")
    seeded = settings.pop("seeded", True)

    def build(seed: int, parameters: Parameters) -> Any:
        drawn = {"random_state": seed} if seeded else {}
        return getattr(import_module(module), name)(**{**drawn, **settings, **parameters})

    return build


FORMS: Mapping[str, Form] = {"linear": LINEAR, "kernel": KERNEL, "forest": FOREST, "boosted": BOOSTED, "mixture": MIXED}


def _learner(
    form: str, classifier: Mapping[str, Any], regressor: Mapping[str, Any] | None = None, **entry: Any
) -> Learner:
    """Return a learner, given its entry in the table."""
    return Learner(
        form=FORMS[form], classifier=_builder(classifier), regressor=_builder(regressor) if regressor else None, **entry
    )


_TABLE = read_beside(__file__)
LEARNERS: dict[str, Learner] = {name: _learner(**entry) for name, entry in _TABLE.items()}
"""Learners by name; the package of replications adds two."""
AUTO = "auto"
ADAPTED, MIXTURE, WITHIN = "adapted", "mixture", "within-sources"
QUICK = (ADAPTED, "logistic-l2", "random-forest", "xgboost")
"""Learners from which `auto` chooses, with `WITHIN` if sources have several texts; `ADAPTED` is tried only if there is
a model to start from."""
AUTO_MIN_TEXTS = 400
"""Minimum number of texts for which `auto` compares learners. With fewer texts it takes the mixture, if there is a
model to start from, because that is better than any one learner that cross-validation on so few texts would choose
(`benchmarks.small_data`). `WITHIN` is compared with it, since the two differ much where sources have several texts."""


def learners_named(
    name: str,
    *,
    classes: bool,
    starts: bool = True,
    n_rows: int | None = None,
    pairs: bool = False,
    versions: bool = False,
) -> list[str]:
    """Return the learners to try for a name: the learner of that name, or for `auto` those from which it chooses.

    ``starts`` tells whether there is a model to start from; ``n_rows`` is the number of texts, or of pairs if ``pairs``
    is set. ``versions`` tells whether sources have several texts of different ratings.
    """
    able = [n for n, entry in LEARNERS.items() if entry.linear or not pairs]
    if name == AUTO:
        adapting = [n for n in QUICK if LEARNERS[n].adapts]
        compared = [WITHIN] * versions
        if starts and n_rows is not None and n_rows < AUTO_MIN_TEXTS:
            return [ADAPTED if pairs else MIXTURE, *compared]
        return [n for n in QUICK if n in able and (starts or n not in adapting)] + compared
    if name not in LEARNERS:
        raise UnknownName("learner", name, [AUTO, *LEARNERS])
    if name not in able:
        raise UnknownName("learner of pairs", name, [AUTO, *able])
    if LEARNERS[name].compares and not versions:
        raise TrainingError(
            f"learner {name!r} compares texts of one source, but fewer than half of the texts share their source "
            "with a text of another rating; name the column of sources (`source_column`), or choose another learner"
        )
    if not classes and LEARNERS[name].regressor is None:
        able = [n for n, learner in LEARNERS.items() if learner.regressor is not None]
        raise UnknownName("learner of ratings", name, able)
    return [name]
