"""The table of learners: how each is built for classes and for ratings, and what is tried.

Packages are imported when a learner is built. Ratings reach a regressor with mean 0 and deviation
1, so that its grid fits every scale.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from typing import Any

from naturalness.errors import TrainingError, UnknownName
from naturalness.extensions import RECURRENT, extension
from naturalness.files.resources import require_package
from naturalness.models.learners.kernel import KERNEL, Gaussian
from naturalness.models.learners.linear import LINEAR, Adapted
from naturalness.models.learners.neighbours import NEIGHBOURS
from naturalness.models.learners.prepared import Preparation
from naturalness.models.learners.trees import BOOSTED, FOREST
from naturalness.models.learners.units import Form, margins

Parameters = dict[str, Any]
Build = Callable[[int, Parameters], Any]
STRENGTHS = (0.001, 0.01, 0.1, 1.0)
"""Inverse strengths of penalties; features are standardised and many, so little is best."""
ALPHAS = (1e-4, 1e-3, 1e-2)
DRAWN = (3500.0, 10_000.0, 35_000.0)
"""Penalties of a change from the shipped model, for 100 texts (`Adapted`). Folds of few texts cannot tell weak ones
from strong ones, and weak ones do harm; these do well from 50 ratings on (`benchmarks.small_data`)."""


@dataclass(frozen=True, slots=True)
class Learner:
    """A learner: builders that take a seed and parameters, and the grids they are chosen from."""

    description: str
    form: Form
    """How what it fits becomes a unit."""
    classifier: Build
    regressor: Build | None
    grid: Mapping[str, Sequence[Any]]
    regressor_grid: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    weights: bool = True
    """Whether rows can be weighted."""
    reads: str = ""
    """The one group of features that it learns from, if no other will do, and is then taken by
    itself where none is named. Such a learner is tried where it is asked for by name."""
    adapts: bool = False
    """Whether it starts from another model, the shipped one where none is named."""
    linear: bool = False
    """Whether it is a sum of weighted columns: such a learner can learn from pairs, too."""
    package: str = ""
    """What the extra `neural` has to bring for learning."""

    def candidates(self, *, classes: bool) -> list[Parameters]:
        """Return all combinations of the grid, in a fixed order."""
        grid = self.grid if classes else self.regressor_grid
        return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]


def _estimator(path: str, *, seeded: bool = True, **settings: Any) -> Build:
    """Return a builder of an estimator by the path of its class; it is imported when it is built."""

    def build(seed: int, parameters: Parameters) -> Any:
        module, _, name = path.rpartition(".")
        drawn = {"random_state": seed} if seeded else {}
        return getattr(import_module(module), name)(**{**drawn, **settings, **parameters})

    return build


def _linear(name: str, *, seeded: bool = True, **settings: Any) -> Build:
    return _estimator(f"sklearn.linear_model.{name}", seeded=seeded, **settings)


def _stochastic(name: str, loss: str, penalty: str, **settings: Any) -> Build:
    return _linear(name, loss=loss, penalty=penalty, average=True, max_iter=200, tol=1e-4, **settings)


def _logistic(**settings: Any) -> Build:
    return _linear("LogisticRegression", max_iter=500, tol=1e-3, **settings)


ELASTIC = _linear("ElasticNet", seeded=False, max_iter=5000, tol=1e-3)
REGRESSION: Parameters = {"epsilon": 0.1, "eta0": 0.005}
"""Settings of stochastic gradient descent for ratings."""
BOOSTED_SETTINGS: Parameters = {
    "tree_method": "hist",
    "n_jobs": 1,
    "subsample": 0.8,
    "colsample_bytree": 0.5,
    "min_child_weight": 5,
    "max_bin": 64,
}


def _adapted(*, classes: bool) -> Build:
    return lambda seed, parameters: Adapted(classes=classes, **parameters)


def _gaussian(*, classes: bool) -> Build:
    return lambda seed, parameters: Gaussian(seed, classes=classes, **parameters)


FOREST_GRID = {"n_estimators": (200,), "min_samples_leaf": (2, 6), "max_features": ("sqrt",)}
BOOSTING_GRID = {"n_estimators": (300,), "learning_rate": (0.03,), "max_depth": (2, 6)}
BIGRU = "naturalness.research.recurrent.BiGru"
BIGRU_GRID = {"steps": (100, 300), "size": (64,)}
RIDGE_GRID = {"alpha": (3.0, 30.0, 100.0, 300.0, 1000.0, 3000.0)}

LEARNERS: Mapping[str, Learner] = {
    "linear-svm-l1": Learner(
        "linear SVM, L1 penalty (ratings: epsilon-insensitive loss, L1)",
        LINEAR,
        _estimator("sklearn.svm.LinearSVC", penalty="l1", dual=False, max_iter=5000),
        _stochastic("SGDRegressor", "epsilon_insensitive", "l1", **REGRESSION),
        {"C": STRENGTHS[:3]},
        {"alpha": ALPHAS},
        linear=True,
    ),
    "linear-svm-l2": Learner(
        "linear SVM, L2 penalty",
        LINEAR,
        _estimator("sklearn.svm.LinearSVC", penalty="l2", dual="auto", max_iter=5000),
        # The squared loss has a smooth dual-free form; the plain one needs many more passes.
        _estimator("sklearn.svm.LinearSVR", loss="squared_epsilon_insensitive", dual=False, max_iter=5000),
        {"C": (1e-4, *STRENGTHS[:3])},
        {"C": (1e-4, *STRENGTHS[:3])},
        linear=True,
    ),
    "linear-svm-elastic": Learner(
        "linear SVM, L1 and L2 penalty combined",
        LINEAR,
        _stochastic("SGDClassifier", "hinge", "elasticnet"),
        _stochastic("SGDRegressor", "epsilon_insensitive", "elasticnet", **REGRESSION),
        {"alpha": ALPHAS, "l1_ratio": (0.15, 0.5)},
        {"alpha": ALPHAS, "l1_ratio": (0.15, 0.5)},
        linear=True,
    ),
    "rbf-svm": Learner(
        "SVM with Gaussian kernel",
        KERNEL,
        _gaussian(classes=True),
        _gaussian(classes=False),
        {"C": (0.3, 1.0, 3.0), "gamma": (0.0003, 0.001, 0.003)},
        {"C": (0.1, 0.3, 1.0), "gamma": (0.0003, 0.001, 0.003), "epsilon": (0.2,)},
    ),
    "logistic-l1": Learner(
        "logistic regression, L1 penalty (ratings: lasso)",
        LINEAR,
        _logistic(l1_ratio=1.0, solver="liblinear"),
        ELASTIC,
        {"C": (0.01, 0.03, 0.1, 0.3)},
        {"alpha": (0.001, 0.003, 0.01), "l1_ratio": (1.0,)},
        linear=True,
    ),
    "logistic-l2": Learner(
        "logistic regression, L2 penalty (ratings: ridge)",
        LINEAR,
        _logistic(l1_ratio=0.0, solver="lbfgs"),
        _linear("Ridge", seeded=False, solver="cholesky"),
        {"C": STRENGTHS},
        RIDGE_GRID,
        linear=True,
    ),
    "logistic-elastic": Learner(
        "logistic regression, L1 and L2 penalty combined (ratings: elastic net)",
        LINEAR,
        _logistic(l1_ratio=0.5, solver="saga"),
        ELASTIC,
        {"C": (0.01, 0.03, 0.1), "l1_ratio": (0.2, 0.5)},
        {"alpha": (0.001, 0.01, 0.03), "l1_ratio": (0.2, 0.5)},
        linear=True,
    ),
    "sgd": Learner(
        "stochastic gradient descent, smoothed hinge loss (ratings: Huber loss)",
        LINEAR,
        _stochastic("SGDClassifier", "modified_huber", "l2"),
        _stochastic("SGDRegressor", "huber", "l2", **REGRESSION),
        {"alpha": (1e-3, 1e-2, 1e-1)},
        {"alpha": (1e-3, 1e-2, 1e-1)},
        linear=True,
    ),
    "perceptron": Learner(
        "perceptron (classes only)",
        LINEAR,
        _linear("Perceptron", max_iter=200, tol=1e-3),
        None,
        {"penalty": ("l2", "elasticnet"), "alpha": ALPHAS},
        linear=True,
    ),
    "neighbours": Learner(
        "k nearest neighbours",
        NEIGHBOURS,
        _estimator("sklearn.neighbors.KNeighborsClassifier", seeded=False, algorithm="kd_tree"),
        _estimator("sklearn.neighbors.KNeighborsRegressor", seeded=False, algorithm="kd_tree"),
        {"n_neighbors": (5, 15, 45), "weights": ("uniform", "distance")},
        {"n_neighbors": (5, 15, 45), "weights": ("uniform", "distance")},
        weights=False,
    ),
    "adapted": Learner(
        "logistic regression drawn towards the shipped model (ratings: ridge)",
        LINEAR,
        _adapted(classes=True),
        _adapted(classes=False),
        {"alpha": [alpha / 4 for alpha in DRAWN]},
        {"alpha": DRAWN},
        adapts=True,
        linear=True,
    ),
    "random-forest": Learner(
        "random forest",
        FOREST,
        _estimator("sklearn.ensemble.RandomForestClassifier", n_jobs=1),
        _estimator("sklearn.ensemble.RandomForestRegressor", n_jobs=1),
        FOREST_GRID,
        FOREST_GRID,
    ),
    "xgboost": Learner(
        "gradient-boosted trees",
        BOOSTED,
        _estimator("xgboost.XGBClassifier", **BOOSTED_SETTINGS),
        _estimator("xgboost.XGBRegressor", **BOOSTED_SETTINGS),
        BOOSTING_GRID,
        BOOSTING_GRID,
    ),
    "bigru": Learner(
        "pooled bidirectional GRU over the vectors of words",
        Form(lambda estimator: extension(RECURRENT).compile_recurrent(estimator), margins),
        _estimator(BIGRU, classes=True),
        _estimator(BIGRU, classes=False),
        BIGRU_GRID,
        BIGRU_GRID,
        reads="vectors:40",
        package="torch",
    ),
}
AUTO = "auto"
ADAPTED = "adapted"
QUICK = (ADAPTED, "logistic-l2", "random-forest", "xgboost")
"""What `auto` chooses among; what adapts only where there is something to start from."""
AUTO_MIN_TEXTS = 400
"""Texts under which `auto` does not choose: where something adapts it is ahead of the others, and
folds of so few cannot tell (`benchmarks.small_data`)."""


def check_learner(name: str) -> None:
    """Refuse a learner whose package is not installed, before anything is measured for it."""
    if name in LEARNERS and (package := LEARNERS[name].package):
        require_package(package, user=f"learner {name!r}", extra="neural")


def learners_named(
    name: str, *, classes: bool, starts: bool = True, n_rows: int | None = None, pairs: bool = False
) -> list[str]:
    """Return the learners that a name stands for: itself, or those that `auto` chooses among.

    ``starts`` is whether there is a model to start from, ``n_rows`` the number of texts or, where
    ``pairs`` are learned, of these.
    """
    able = [n for n, entry in LEARNERS.items() if entry.linear or not pairs]
    if name == AUTO:
        adapting = [n for n in QUICK if LEARNERS[n].adapts]
        if starts and n_rows is not None and n_rows < AUTO_MIN_TEXTS:
            return adapting
        return [n for n in QUICK if n in able and (starts or n not in adapting)]
    if name not in LEARNERS:
        raise UnknownName("learner", name, [AUTO, *LEARNERS])
    if name not in able:
        raise UnknownName("learner of pairs", name, [AUTO, *able])
    if not classes and LEARNERS[name].regressor is None:
        able = [n for n, learner in LEARNERS.items() if learner.regressor is not None]
        raise UnknownName("learner of ratings", name, able)
    return [name]


def preparation_of(names: Sequence[str], n_columns: int) -> Preparation | None:
    """Return how learners prepare a table of so many columns, if they have a way of their own."""
    if not any(LEARNERS[name].reads for name in names):
        return None
    if len(names) > 1:
        raise TrainingError(f"{', '.join(names)} cannot learn from one table; try them one by one")
    preparation: Preparation = extension(RECURRENT).prepare_words(n_columns)
    return preparation
