"""How the learners are built that no package brings as they are; they are imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalness.models.learners.table import Build, Parameters


def adapted(*, classes: bool) -> Build:
    """Regression that starts from another model."""

    def build(seed: int, parameters: Parameters) -> Any:
        from naturalness.models.learners.adapted import Adapted

        return Adapted(classes=classes, **parameters)

    return build


def blend(*, classes: bool) -> Build:
    """The mean of the learners that the parameters name."""

    def build(seed: int, parameters: Parameters) -> Any:
        from naturalness.models.learners.blended import build_blend

        return build_blend(seed, parameters, classes=classes)

    return build


def bigru(*, classes: bool) -> Build:
    """A recurrent network over words."""

    def build(seed: int, parameters: Parameters) -> Any:
        from naturalness.models.learners.bigru import BiGru

        return BiGru(seed, classes=classes, **parameters)

    return build


def gaussian(*, classes: bool) -> Build:
    """A support vector machine with a Gaussian kernel."""

    def build(seed: int, parameters: Parameters) -> Any:
        from naturalness.models.learners.gaussian import Gaussian

        return Gaussian(seed, classes=classes, **parameters)

    return build
