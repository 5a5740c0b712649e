"""Open slow models in the background."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from naturalness.errors import NaturalnessError
from naturalness.features.base import FeatureGroup, Prepared
from naturalness.features.selected import whole_of
from naturalness.files.resources import locate
from naturalness.text.parsing import DEFAULT_PIPELINE, PIPELINE


def prepare_ahead(groups: Sequence[FeatureGroup], *, nlp: str = DEFAULT_PIPELINE) -> Thread | None:
    """Open the models of these groups in a background thread, and return the thread; None if no group has a model.

    The caller can import spaCy meanwhile. The checksums of the shipped pipeline are verified first, because spaCy
    opens the pipeline next. Errors are suppressed here, and raised when the models are used.
    """
    slow = [group for group in map(whole_of, groups) if isinstance(group, Prepared)]
    if not slow:
        return None

    def prepare() -> None:
        if nlp == DEFAULT_PIPELINE:
            with suppress(NaturalnessError):
                locate(PIPELINE)
        for group in slow:
            with suppress(NaturalnessError):
                group.prepare()

    thread = Thread(target=prepare, name="naturalness-prepare", daemon=True)
    thread.start()
    return thread
