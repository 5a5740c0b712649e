"""Background work of a project: one thread measures texts and another trains the model, while people rate.

Measured features go to the feature store, so that a restarted server has them at once.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.errors import NaturalnessError, ProjectError
from naturalness.features import column_names, resolve
from naturalness.features.base import Measured
from naturalness.features.measuring import measure
from naturalness.studio.annotate.asking.choosing import choose
from naturalness.studio.annotate.asking.pool import Judgement, Pool
from naturalness.studio.annotate.asking.slips import shown_by
from naturalness.studio.annotate.asking.space import space_of
from naturalness.studio.annotate.project import PAIRS, Answer, Project, Question, Rating
from naturalness.studio.annotate.project.questions import Item
from naturalness.studio.annotate.project.records import Choice, Scale
from naturalness.studio.annotate.project.settings import check_rater
from naturalness.studio.web.refusals import Refusal

if TYPE_CHECKING:
    from naturalness.files.store import MeasurementStore
    from naturalness.studio.annotate.asking.taught import Taught

FIRST_BATCH, MAX_BATCH = 32, 128
"""Number of texts in the first batch, and the maximum in later batches: a small first batch gives features early."""
PARSE_BATCH = 16
"""Number of texts parsed together; the thread can stop only between such batches."""
PATIENCE = 60.0
"""Seconds to wait for a thread to stop: if the process exits while a network runs, the network's library aborts."""
MIN_GROWTH = 1.2
"""Minimum growth factor from one pool to the next, because computing the values derived from a pool takes time."""
LOG = logging.getLogger("naturalness")


class _Stopped(Exception):
    """Raised in the measuring thread when it has been asked to stop."""


class Measuring:
    """A thread that measures texts and publishes ever larger pools."""

    def __init__(
        self,
        texts: Sequence[str],
        groups: Sequence[str] | None,
        *,
        nlp: str,
        store: MeasurementStore | None,
        seed: int,
        contexts: Sequence[str] = (),
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        """Function called when there is a new pool."""
        self.texts = tuple(texts)
        self.contexts = tuple(contexts)
        """The context shown before each text; only the texts themselves are measured."""
        self.trouble = ""
        """Why measuring stopped; empty if there was no error."""
        self._groups, self._nlp, self._store = groups, nlp, store
        self._columns = tuple(column_names(resolve(groups)))
        self._table = np.full((len(texts), len(self._columns)), np.nan)
        self._measured = np.zeros(len(texts), dtype=np.bool_)
        # Random order, because the first rows of the table may all be of one system or topic.
        self._order = np.random.default_rng(seed).permutation(len(texts))
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._pool = self._make()
        self._thread = threading.Thread(target=self._run, name="measuring", daemon=True)

    @property
    def pool(self) -> Pool:
        """The current pool; the same object until more texts are measured."""
        with self._lock:
            return self._pool

    @property
    def done(self) -> int:
        """Number of texts measured so far."""
        return int(self._measured.sum())

    def start(self) -> None:
        """Start the measuring thread."""
        self._thread.start()

    def stop(self, patience: float = PATIENCE) -> None:
        """Stop after the current texts; wait at most ``patience`` seconds."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait at most ``patience`` seconds for measuring to end; return whether it has ended."""
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        size, start = FIRST_BATCH, 0
        try:
            while start < len(self._order) and not self._stopped.is_set():
                self._batch(self._order[start : start + size].tolist())
                start, size = start + size, min(size * 2, MAX_BATCH)
        except _Stopped:
            return
        except NaturalnessError as error:
            self.trouble = f"texts are not measured: {error}"
        except Exception as error:
            # Rating continues without features; the error is in the server's log.
            LOG.exception("measuring failed")
            self.trouble = f"texts are not measured ({type(error).__name__}: {error})"
        self.on_change()

    def _go_on(self, done: int) -> None:
        if self._stopped.is_set():
            raise _Stopped

    def _batch(self, rows: list[int]) -> None:
        measured: Measured = measure(
            [self.texts[row] for row in rows],
            self._groups,
            nlp=self._nlp,
            store=self._store,
            batch_size=PARSE_BATCH,
            advance=self._go_on,
        )
        self._table[rows] = measured.table
        self._measured[rows] = True
        if self.done >= MIN_GROWTH * self.pool.measured.sum() or self.done == len(self.texts):
            pool = self._make()
            # Values derived from a pool are cached; computing them here keeps raters from waiting.
            space_of(pool)
            shown_by(pool)
            with self._lock:
                self._pool = pool
            self.on_change()

    def _make(self) -> Pool:
        """Return an immutable pool of the texts measured so far."""
        return Pool(self.texts, self._table.copy(), self._columns, self._measured.copy(), self.contexts)


State = tuple[Pool, Sequence[Judgement]]


def judgements_of(ratings: Sequence[Rating]) -> list[Judgement]:
    """Return the answers as judgements for asking and teaching, without skipped questions."""
    judgements = []
    for rating in ratings:
        question, answer = rating.question, rating.answer
        if answer.value is None:
            continue
        other = question.texts[1] if len(question.texts) > 1 else None
        judgements.append(
            Judgement(
                question.texts[0], answer.value, question.test, question.again, question.rater, answer.cause, other
            )
        )
    return judgements


class Teaching:
    """A thread that trains a model whenever there are new answers or features."""

    def __init__(self, state: Callable[[], State], scale: Scale) -> None:
        """``state`` returns the current pool and the judgements so far."""
        self.taught: Taught | None = None
        """The latest result; None before the first training."""
        self.version = 0
        """Number of trainings so far."""
        self.trouble = ""
        """Why training failed; empty if it did not."""
        self._state, self._scale = state, scale
        self._woken, self._stopped, self._idle = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, name="teaching", daemon=True)

    def start(self) -> None:
        """Start the thread; train on existing answers first."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Tell the thread that there are new answers or newly measured texts."""
        self._idle.clear()
        self._woken.set()

    def stop(self, patience: float = 5.0) -> None:
        """Stop the thread; wait at most ``patience`` seconds."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait until there is nothing new to learn; return False if this takes longer than ``patience`` seconds."""
        return self._idle.wait(patience)

    def _run(self) -> None:
        while self._woken.wait() and not self._stopped.is_set():
            # Answers that arrive during training cause a single further training.
            self._woken.clear()
            try:
                self._learn()
            except NaturalnessError as error:
                self.trouble = f"nothing is learned: {error}"
            except Exception as error:
                # Ratings are safe even if the model cannot be trained.
                LOG.exception("teaching failed")
                self.trouble = f"nothing is learned ({type(error).__name__}: {error})"
            if not self._woken.is_set():
                self._idle.set()

    def _learn(self) -> None:
        from naturalness.studio.annotate.asking.teaching import teach

        pool, judgements = self._state()
        self.taught = teach(pool, judgements, self._scale)
        self.version += 1
        self.trouble = ""


IDENTITY, GOAL = "identity", "goal"
"""Keys of project settings: an identifier that distinguishes projects served at the same address; the number of texts
to rate."""
NO_QUESTION = -1
"""Question number that means "no question"."""
USUAL_GOAL = 400
"""Default number of texts to rate: a few hours of work at most, and enough for a first model."""


class Desk:
    """The state behind the pages of one project."""

    def __init__(self, project: Project, measuring: Measuring) -> None:
        self.project = project
        self.measuring = measuring
        self.teaching = Teaching(self._state, project.scale)
        measuring.on_change = self.teaching.wake
        self.identity = self._identity()
        """Identifier under which browsers store data of this project."""
        self.shown: dict[str, int] = {}
        """Number of the question that each rater was shown last, in any window; `NO_QUESTION` if none was left."""

    def start(self) -> None:
        """Start measuring and learning in the background."""
        self.measuring.start()
        self.teaching.start()

    def close(self) -> None:
        """Stop the background threads, and close the file."""
        self.measuring.stop()
        self.teaching.stop()
        self.project.close()

    @property
    def goal(self) -> int:
        """Number of texts to rate: the project's goal, or the default."""
        texts = len(self.project.texts())
        return min(texts, int(self.project.settings.get(GOAL, USUAL_GOAL)))

    @property
    def version(self) -> str:
        """A string that changes when there is something new to show."""
        return f"{self.teaching.version}.{self.measuring.done}"

    @property
    def trouble(self) -> str:
        """Why texts are not measured or no model is trained; empty if both work."""
        return " ".join(filter(None, [self.measuring.trouble, self.teaching.trouble]))

    def checked_name(self, name: object) -> str:
        """Return the name of a rater; raise if it is invalid."""
        if not isinstance(name, str):
            raise Refusal(422, "expected the name of a rater")
        return check_rater(name)

    def known_name(self, name: str) -> str:
        """Return the name in a cookie; empty if it is invalid."""
        try:
            return check_rater(name)
        except ProjectError:
            return ""

    def next(self, rater: str) -> Question | None:
        """Return the open question of a rater or, if there is none, a new one; None if nothing is left to ask."""
        scale = self.project.scale

        def chosen(busy: frozenset[int], taken: frozenset[Item], turn: int) -> Choice | None:
            pool, judgements = self._state()
            pairs = scale.kind == PAIRS
            seed = self.project.seed
            return choose(pool, judgements, turn=turn, busy=busy, taken=taken, rater=rater, seed=seed, pairs=pairs)

        question = self.project.next_question(rater, chosen)
        self.shown[rater] = NO_QUESTION if question is None else question.number
        return question

    def answer(self, number: int, answer: Answer) -> Rating:
        """Store an answer, and start training on it."""
        rating = self.project.answer(number, answer)
        self.teaching.wake()
        return rating

    def correct(self, number: int, answer: Answer) -> Rating:
        """Replace an earlier answer with a new one, and start training on it."""
        rating = self.project.correct(number, answer)
        self.teaching.wake()
        return rating

    def undo(self, rater: str, number: int) -> None:
        """Undo this rater's last answer, provided that it answers question ``number``.

        A repeated request, sent because the first reply was lost, has no further effect.
        """
        self.project.undo(rater, number)
        self.teaching.wake()

    def answered(self, rater: str) -> list[Rating]:
        """Return the answers and skips of a rater, in the order in which they were given."""
        return [r for r in self.project.ratings(skipped=True) if r.question.rater == rater]

    def _state(self) -> State:
        return self.measuring.pool, judgements_of(self.project.ratings())

    def _identity(self) -> str:
        identity = self.project.settings.get(IDENTITY)
        if not isinstance(identity, str):
            identity = secrets.token_hex(8)
            self.project.settings.set(IDENTITY, identity)
        return identity
