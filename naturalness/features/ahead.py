"""Models that take long to open, opened while something else is going on."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from naturalness.errors import NaturalnessError
from naturalness.features.base import FeatureGroup, Prepared


def prepare_ahead(groups: Sequence[FeatureGroup]) -> Thread | None:
    """Open the networks of groups in a thread of their own, for spaCy has to be imported too.

    What is wrong with them is told when they are used. None where no group has any.
    """
    slow = [group for group in groups if isinstance(group, Prepared)]
    if not slow:
        return None

    def prepare() -> None:
        for group in slow:
            with suppress(NaturalnessError):
                group.prepare()

    thread = Thread(target=prepare, name="naturalness-prepare", daemon=True)
    thread.start()
    return thread
