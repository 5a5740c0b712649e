"""How natural an English sentence sounds, and why."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from naturalness.checking.files import check
    from naturalness.errors import NaturalnessError
    from naturalness.labelling.scorer import Scorer
    from naturalness.labelling.tables import label
    from naturalness.pipelines.estimators import NaturalnessClassifier, NaturalnessRegressor
    from naturalness.pipelines.extractor import FeatureExtractor
    from naturalness.pipelines.scorer import load_model
    from naturalness.pipelines.shortcuts import explain, score
    from naturalness.pipelines.training import train

__version__ = "0.4.0"
__all__ = [
    "FeatureExtractor",
    "NaturalnessClassifier",
    "NaturalnessError",
    "NaturalnessRegressor",
    "Scorer",
    "check",
    "explain",
    "label",
    "load_model",
    "score",
    "train",
]
# Imported on first access, so that importing the package stays fast.
_HOMES = {
    "FeatureExtractor": "naturalness.pipelines.extractor",
    "NaturalnessClassifier": "naturalness.pipelines.estimators",
    "NaturalnessError": "naturalness.errors",
    "NaturalnessRegressor": "naturalness.pipelines.estimators",
    "Scorer": "naturalness.labelling.scorer",
    "check": "naturalness.checking.files",
    "explain": "naturalness.pipelines.shortcuts",
    "label": "naturalness.labelling.tables",
    "load_model": "naturalness.pipelines.scorer",
    "score": "naturalness.pipelines.shortcuts",
    "train": "naturalness.pipelines.training",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
