"""The model that learns from the answers, in a thread of its own, again and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from naturalness.annotate.asking.pool import Given, Pool
from naturalness.annotate.project.records import Rating, Scale
from naturalness.errors import NaturalnessError

if TYPE_CHECKING:
    from naturalness.annotate.asking.taught import Taught

LOG = logging.getLogger("naturalness")
State = tuple[Pool, Sequence[Given]]


def as_given(ratings: Sequence[Rating]) -> list[Given]:
    """Answers as asking and teaching know them; skipped questions tell nothing."""
    found = []
    for rating in ratings:
        question, answer = rating.question, rating.answer
        if answer.value is None:
            continue
        other = question.texts[1] if len(question.texts) > 1 else None
        found.append(
            Given(question.texts[0], answer.value, question.test, question.again, question.rater, answer.cause, other)
        )
    return found


class Teaching:
    """What was learned last; learned anew whenever it is woken, as often as there is time."""

    def __init__(self, state: Callable[[], State], scale: Scale) -> None:
        """``state`` gives texts and answers as they are now."""
        self.taught: Taught | None = None
        """What came of the answers; None before the first time."""
        self.version = 0
        """How often something was learned."""
        self.trouble = ""
        """Why nothing more is learned; empty while all is well."""
        self._state, self._scale = state, scale
        self._woken, self._stopped, self._idle = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, name="teaching", daemon=True)

    def start(self) -> None:
        """Begin; the answers that are there already are learned from first."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Say that there are other answers, or more texts are measured."""
        self._idle.clear()
        self._woken.set()

    def stop(self, patience: float = 5.0) -> None:
        """End; not waited for longer than ``patience``."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait until nothing new is to be learned; whether that came in time."""
        return self._idle.wait(patience)

    def _run(self) -> None:
        while self._woken.wait() and not self._stopped.is_set():
            # Whatever comes while it learns wakes it again: several answers are one time.
            self._woken.clear()
            try:
                self._learn()
            except NaturalnessError as error:
                self.trouble = f"nothing is learned: {error}"
            except Exception as error:
                # Ratings are kept whatever becomes of the model.
                LOG.exception("teaching failed")
                self.trouble = f"nothing is learned ({type(error).__name__}: {error})"
            if not self._woken.is_set():
                self._idle.set()

    def _learn(self) -> None:
        from naturalness.annotate.asking.teaching import teach

        pool, given = self._state()
        self.taught = teach(pool, given, self._scale)
        self.version += 1
        self.trouble = ""
