"""The state behind the pages of a project, and the thread that measures texts and trains the model meanwhile.

Measured features go to the feature store, so that a restarted server has them at once.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.errors import NaturalnessError
from naturalness.features import column_names, resolve
from naturalness.features.measuring import measure
from naturalness.studio.annotate.asking.choosing import GivenRating, Pool, choose, shown_by, space_of
from naturalness.studio.annotate.asking.teaching import Taught, teach
from naturalness.studio.annotate.project import Answer, Project, Question, Rating
from naturalness.studio.annotate.project.records import TextChoice

if TYPE_CHECKING:
    from naturalness.files.store import MeasurementStore

FIRST_BATCH, MAX_BATCH = 32, 128
"""Number of texts in the first batch, and the maximum in later batches: a small first batch gives features early."""
PARSE_BATCH = 16
"""Number of texts parsed together; the thread can stop only between such batches."""
PATIENCE = 60.0
"""Seconds to wait for the thread to stop: if the process exits while a network runs, the network's library aborts."""
MIN_GROWTH = 1.2
"""Minimum growth factor from one pool to the next, because computing the values derived from a pool takes time."""
LOG = logging.getLogger("naturalness")


class _Stopped(Exception):
    """Raised in the thread when it has been asked to stop."""


class Learning:
    """A thread that measures the texts of a project, batch by batch, and trains a model whenever there are new answers
    or features."""

    def __init__(
        self, project: Project, groups: Sequence[str] | None, *, nlp: str = "en", store: MeasurementStore | None = None
    ) -> None:
        """``groups`` are the feature groups to measure; None for all usual ones."""
        self.taught: Taught | None = None
        """The latest model; None before the first training."""
        self.version = 0
        """Number of trainings so far."""
        self.measured = 0
        """Number of texts measured so far."""
        self._project, self._groups, self._nlp, self._store = project, groups, nlp, store
        self._texts = tuple(text.text for text in project.texts())
        self._columns = tuple(column_names(resolve(groups)))
        self._table = np.full((len(self._texts), len(self._columns)), np.nan)
        # Random order, because the first rows of the table may all be of one system or topic.
        self._left = np.random.default_rng(project.seed).permutation(len(self._texts)).tolist()
        self._published = 0
        self._troubles: dict[str, str] = {}
        self._news, self._stopped = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="learning", daemon=True)
        self.pool = self._make_pool()
        """The texts with their features; the same object until more texts are measured."""

    @property
    def trouble(self) -> str:
        """Why texts are not measured or no model is trained; empty if both work."""
        return " ".join(self._troubles.values())

    def start(self) -> None:
        """Start the thread; train on existing answers first."""
        self._news.set()
        self._thread.start()

    def wake(self) -> None:
        """Tell the thread that there are new answers."""
        self._news.set()

    def stop(self, patience: float = PATIENCE) -> None:
        """Stop the thread; wait at most ``patience`` seconds."""
        self._stopped.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _run(self) -> None:
        while not self._stopped.is_set():
            if self._news.is_set():
                # Answers that arrive during training cause a single further training.
                self._news.clear()
                self._attempt("no model is trained", self._learn)
            elif self._left:
                self._attempt("texts are not measured", self._measure)
            else:
                self._news.wait()

    def _attempt(self, failure: str, step: Callable[[], None]) -> None:
        """Take a step; if it fails, rating continues without features or a model."""
        try:
            step()
            self._troubles.pop(failure, None)
        except _Stopped:
            return
        except NaturalnessError as error:
            self._troubles[failure] = f"{failure}: {error}"
        except Exception as error:
            LOG.exception(failure)
            self._troubles[failure] = f"{failure} ({type(error).__name__}: {error})"

    def _learn(self) -> None:
        self.taught = teach(self.pool, judgements_of(self._project.ratings()), self._project.scale)
        self.version += 1

    def _measure(self) -> None:
        size = min(MAX_BATCH, max(FIRST_BATCH, self.measured))
        rows, left = self._left[:size], self._left[size:]
        self._left = []  # after an error, no further texts are measured
        texts = [self._texts[row] for row in rows]
        self._table[rows] = measure(
            texts, self._groups, nlp=self._nlp, store=self._store, batch_size=PARSE_BATCH, advance=self._go_on
        ).table
        self._left = left
        self.measured += len(rows)
        if self.measured >= MIN_GROWTH * self._published or not left:
            pool = self._make_pool()
            # Values derived from a pool are cached; computing them here keeps raters from waiting.
            space_of(pool)
            shown_by(pool)
            self.pool, self._published = pool, self.measured
            self._news.set()

    def _go_on(self, done: int) -> None:
        if self._stopped.is_set():
            raise _Stopped

    def _make_pool(self) -> Pool:
        return Pool(self._texts, self._table.copy(), self._columns, tuple(self._left))


def judgements_of(ratings: Sequence[Rating]) -> list[GivenRating]:
    """Return the answers as judgements for asking and teaching, without skipped questions."""
    return [
        GivenRating(r.question.text, r.answer.value, r.question.test, r.question.again, r.question.rater)
        for r in ratings
        if r.answer.value is not None
    ]


IDENTITY = "identity"
"""Key of the project setting that distinguishes projects served at the same address."""
NO_QUESTION = -1
"""Question number that means "no question"."""


class Desk:
    """The state behind the pages of one project."""

    def __init__(self, project: Project, learning: Learning) -> None:
        self.project = project
        self.learning = learning
        identity = project.settings.get(IDENTITY)
        if identity is None:
            identity = secrets.token_hex(8)
            project.settings.set(IDENTITY, identity)
        self.identity = str(identity)
        """Identifier under which browsers store data of this project."""
        self.shown: dict[str, int] = {}
        """Number of the question that each rater was shown last, in any window; `NO_QUESTION` if none was left."""

    def close(self) -> None:
        """Stop the background thread, and close the file."""
        self.learning.stop()
        self.project.close()

    @property
    def version(self) -> str:
        """A string that changes when there is something new to show."""
        return f"{self.learning.version}.{self.learning.measured}"

    def next(self, rater: str) -> Question | None:
        """Return the open question of a rater or, if there is none, a new one; None if nothing is left to ask."""

        def chosen(busy: frozenset[int], turn: int) -> TextChoice | None:
            judgements = judgements_of(self.project.ratings())
            return choose(self.learning.pool, judgements, turn=turn, busy=busy, rater=rater, seed=self.project.seed)

        question = self.project.next_question(rater, chosen)
        self.shown[rater] = NO_QUESTION if question is None else question.number
        return question

    def answer(self, number: int, answer: Answer) -> Rating:
        """Store an answer, and train on it in the background."""
        rating = self.project.answer(number, answer)
        self.learning.wake()
        return rating

    def undo(self, rater: str, number: int) -> None:
        """Undo this rater's last answer, provided that it answers question ``number``.

        A repeated request, sent because the first reply was lost, has no further effect.
        """
        self.project.undo(rater, number)
        self.learning.wake()

    def answered(self, rater: str) -> list[Rating]:
        """Return the answers and skips of a rater, in the order in which they were given."""
        return [r for r in self.project.ratings(skipped=True) if r.question.rater == rater]
