"""Background work of a project: measuring and learning, each in a thread, while people rate.

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
    from naturalness.features.store.folder import FeatureStore
    from naturalness.studio.annotate.asking.taught import Taught

FIRST_BATCH, MAX_BATCH = 32, 128
"""Texts in the first batch and at most in later ones: a small first batch gives features early."""
PARSE_BATCH = 16
"""Texts parsed together; the thread can stop between such batches."""
PATIENCE = 60.0
"""Seconds to wait for the thread: if the process exits while a network runs, its library aborts."""
MIN_GROWTH = 1.2
"""Growth factor from one pool to the next, because values derived from a pool take time."""
LOG = logging.getLogger("naturalness")


class _Stopped(Exception):
    """Measuring was stopped."""


class Measuring:
    """Measures texts in a thread and publishes growing pools."""

    def __init__(
        self,
        texts: Sequence[str],
        groups: Sequence[str] | None,
        *,
        nlp: str,
        store: FeatureStore | None,
        seed: int,
        contexts: Sequence[str] = (),
    ) -> None:
        self.on_change: Callable[[], None] = lambda: None
        """Called when there is a new pool."""
        self.texts = tuple(texts)
        self.contexts = tuple(contexts)
        """The context shown before each text; only the texts are measured."""
        self.trouble = ""
        """Why measuring stopped; empty without an error."""
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
        """How many texts are measured."""
        return int(self._measured.sum())

    def start(self) -> None:
        """Begin to measure."""
        self._thread.start()

    def stop(self, patience: float = PATIENCE) -> None:
        """End after the texts in hand; wait no longer than ``patience`` seconds."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait until all is measured; return whether it is."""
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
            # Rating goes on without features; what happened stands in the server's log.
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
            # What choosing derives from a pool is remembered there; here no rater waits for it.
            space_of(pool)
            shown_by(pool)
            with self._lock:
                self._pool = pool
            self.on_change()

    def _make(self) -> Pool:
        """Return an immutable pool of what is measured so far."""
        return Pool(self.texts, self._table.copy(), self._columns, self._measured.copy(), self.contexts)


State = tuple[Pool, Sequence[Judgement]]


def judgements_of(ratings: Sequence[Rating]) -> list[Judgement]:
    """Return the answers as asking and teaching know them, without skipped questions."""
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
    """Learns in a thread whenever there are new answers or features."""

    def __init__(self, state: Callable[[], State], scale: Scale) -> None:
        """``state`` gives texts and answers as they are now."""
        self.taught: Taught | None = None
        """The latest result; None before the first."""
        self.version = 0
        """How often something was learned."""
        self.trouble = ""
        """Why learning failed; empty without an error."""
        self._state, self._scale = state, scale
        self._woken, self._stopped, self._idle = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, name="teaching", daemon=True)

    def start(self) -> None:
        """Begin, with the answers that are there already."""
        self._woken.set()
        self._thread.start()

    def wake(self) -> None:
        """Announce new answers or newly measured texts."""
        self._idle.clear()
        self._woken.set()

    def stop(self, patience: float = 5.0) -> None:
        """End; wait no longer than ``patience`` seconds."""
        self._stopped.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait until nothing new is left to learn; return whether that came in time."""
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
        from naturalness.studio.annotate.asking.teaching import teach

        pool, judgements = self._state()
        self.taught = teach(pool, judgements, self._scale)
        self.version += 1
        self.trouble = ""


IDENTITY, GOAL = "identity", "goal"
"""Settings: what tells this project from another at the same address; how many texts to rate."""
NO_QUESTION = -1
"""The number of no question."""
USUAL_GOAL = 400
"""Texts, where nothing is said: some hours of work at most, and enough for a first model."""


class Desk:
    """The state behind the pages of one project."""

    def __init__(self, project: Project, measuring: Measuring) -> None:
        self.project = project
        self.measuring = measuring
        self.teaching = Teaching(self._state, project.scale)
        measuring.on_change = self.teaching.wake
        self.identity = self._identity()
        """By which browsers keep apart what they keep of projects."""
        self.shown: dict[str, int] = {}
        """The question that each rater was shown last, in whatever window; `NO_QUESTION` where
        none was left."""

    def start(self) -> None:
        """Measure and learn in the background from now on."""
        self.measuring.start()
        self.teaching.start()

    def close(self) -> None:
        """End what runs in the background, and close the file."""
        self.measuring.stop()
        self.teaching.stop()
        self.project.close()

    @property
    def goal(self) -> int:
        """How many texts to rate: the goal of the project, or the usual one."""
        texts = len(self.project.texts())
        return min(texts, int(self.project.settings.get(GOAL, USUAL_GOAL)))

    @property
    def version(self) -> str:
        """A text that changes when there is something new to show."""
        return f"{self.teaching.version}.{self.measuring.done}"

    @property
    def trouble(self) -> str:
        """Why texts are not measured, or nothing is learned; empty while all is well."""
        return " ".join(filter(None, [self.measuring.trouble, self.teaching.trouble]))

    def checked_name(self, name: object) -> str:
        """Return the name of a rater; refuse what is none."""
        if not isinstance(name, str):
            raise Refusal(422, "expected the name of a rater")
        return check_rater(name)

    def known_name(self, name: str) -> str:
        """Return a name as a cookie has it; empty where it is none."""
        try:
            return check_rater(name)
        except ProjectError:
            return ""

    def next(self, rater: str) -> Question | None:
        """Return what to ask a rater now: what is open, or something new; None where nothing is left."""
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
        """Store an answer, and wake the teaching."""
        rating = self.project.answer(number, answer)
        self.teaching.wake()
        return rating

    def correct(self, number: int, answer: Answer) -> Rating:
        """Store an answer in place of an earlier one, and wake the teaching."""
        rating = self.project.correct(number, answer)
        self.teaching.wake()
        return rating

    def undo(self, rater: str, number: int) -> None:
        """Take back this rater's last answer, which is that to the question of this number.

        If it is asked again, because the first reply was lost, nothing more is taken back.
        """
        self.project.undo(rater, number)
        self.teaching.wake()

    def answered(self, rater: str) -> list[Rating]:
        """Return what a rater has answered or skipped, in that order."""
        return [r for r in self.project.ratings(skipped=True) if r.question.rater == rater]

    def _state(self) -> State:
        return self.measuring.pool, judgements_of(self.project.ratings())

    def _identity(self) -> str:
        identity = self.project.settings.get(IDENTITY)
        if not isinstance(identity, str):
            identity = secrets.token_hex(8)
            self.project.settings.set(IDENTITY, identity)
        return identity
