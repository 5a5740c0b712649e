"""Questions and answers of a project: each stored before the method returns."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from naturalness.annotate.project import answers, questions, settings
from naturalness.annotate.project.opened import OpenProject
from naturalness.annotate.project.records import Answer, Question, Rating
from naturalness.annotate.project.standing import item

TRIES = 10
"""How often something else is chosen where what was chosen has been taken meanwhile."""
Choose = Callable[[frozenset[int], int], questions.Chosen | None]
"""From the texts that are busy and the turn to what to ask; None where nothing is left."""


class AskingProject(OpenProject):
    """What `Project` can do with questions and answers."""

    def next_question(self, rater: str, choose: Choose) -> Question | None:
        """What to put before a rater now; None where nothing is left for her or him.

        That is an open question, else one that other raters have answered where the overlap asks
        for it (its reason is `SHARED`), else what ``choose`` says of the texts that are busy and of
        the turn (how many questions were chosen for this rater), which is stored. ``choose`` runs
        outside of any lock; where its choice is taken meanwhile, it is asked again.
        """
        rater = settings.check_rater(rater)
        tried: frozenset[int] = frozenset()
        for _ in range(TRIES):
            found, busy, turn = self._given(rater)
            if found is not None:
                return found
            chosen = choose(busy | tried, turn)
            if chosen is None:
                break
            texts = questions.check_texts(chosen.texts, self.scale.kind, len(self._texts))
            with self._store.writing() as db:
                queue = self._queue(db, rater)
                # Another window of the same rater may have been faster.
                asked = queue.open()
                if asked is not None:
                    return asked
                if not tried & set(texts) and queue.free(item(texts), again=chosen.again):
                    return questions.add(
                        db,
                        rater,
                        texts,
                        chosen.reason,
                        chosen.told,
                        test=chosen.test,
                        again=chosen.again,
                        at=self._store.time(),
                    )
            tried |= set(texts)
        return self._given(rater, always=True)[0]

    def _given(self, rater: str, *, always: bool = False) -> tuple[Question | None, frozenset[int], int]:
        """An open question or one to share; else None, with what is busy and the turn."""
        with self._store.writing() as db:
            queue = self._queue(db, rater)
            found = queue.open()
            if found is not None:
                questions.show(db, found, self._store.time())
                return found, frozenset(), 0
            shared = queue.shared(always=always)
            if shared is None:
                return None, queue.busy(), queue.turn
            found = questions.add(
                db,
                rater,
                shared[0],
                questions.SHARED,
                questions.SHARED_TOLD,
                test=shared[1],
                again=False,
                at=self._store.time(),
            )
            return found, frozenset(), 0

    def ask(
        self,
        rater: str,
        texts: Sequence[int],
        *,
        reason: str = "",
        told: str = "",
        test: bool = False,
        again: bool = False,
    ) -> Question | None:
        """Store a question; None where the texts are taken, or this rater had them (see `busy`).

        `next_question` does this and all that goes before it.
        """
        rater = settings.check_rater(rater)
        known = questions.check_texts(texts, self.scale.kind, len(self._texts))
        with self._store.writing() as db:
            if not self._queue(db, rater).free(item(known), again=again):
                return None
            return questions.add(db, rater, known, reason, told, test=test, again=again, at=self._store.time())

    def open_question(self, rater: str) -> Question | None:
        """What was asked of a rater and not answered, the first of it; it counts as shown anew.

        A question that was left lying for longer than the lease is not asked any more where
        others have taken its text.
        """
        rater = settings.check_rater(rater)
        with self._store.writing() as db:
            found = self._queue(db, rater).open()
            if found is not None:
                questions.show(db, found, self._store.time())
            return found

    def question(self, number: int) -> Question:
        """A question by its number."""
        with self._store.reading() as db:
            return answers.find(db, number).question

    def busy(self, rater: str) -> frozenset[int]:
        """Texts not to choose for this rater: before somebody, skipped, or answered enough."""
        rater = settings.check_rater(rater)
        with self._store.reading() as db:
            return self._queue(db, rater).busy()

    def turn(self, rater: str) -> int:
        """How many questions were chosen for this rater; those shared with others do not count."""
        rater = settings.check_rater(rater)
        with self._store.reading() as db:
            return self._queue(db, rater).turn

    def _queue(self, db: sqlite3.Connection, rater: str) -> questions.Queue:
        return questions.Queue(db, rater, self._store.time(ago=self.lease))

    # Answers

    def answer(self, question: Question | int, answer: Answer) -> Rating:
        """Store an answer, once however often it is sent; the rating that is in force.

        Another answer to the same question is refused (`AlreadyAnswered`) until the first is
        undone. Marks count characters as Python does (code points), of pairs in either text. A
        value that is not on the scale is refused; without one the question is skipped.
        """
        number = question if isinstance(question, int) else question.number
        with self._store.writing() as db:
            asked = answers.find(db, number).question
            length = max(len(self._texts[text].text) for text in asked.texts)
            cleaned = answers.clean(answer, self.scale, length)
            return answers.give(db, asked, cleaned, self._store.time())

    def skip(self, question: Question | int, *, seconds: float = 0.0) -> Rating:
        """Store that a rater will not say; this rater is not asked again, others may be."""
        return self.answer(question, Answer(None, seconds=seconds))

    def undo(self, rater: str, question: int | None = None) -> Rating | None:
        """Take back the last answer (or skip) of a rater; its question is open again.

        Called again, the one before it. Returns question and old answer; None where none is left.
        With the number of a question only its answer is taken back, once however often it is asked
        for, and refused where there is a later one.
        """
        rater = settings.check_rater(rater)
        with self._store.writing() as db:
            at = self._store.time()
            rating = answers.undo(db, rater, at, question)
            if rating is not None:
                questions.show(db, rating.question, at)
            return rating

    def undone(self, question: Question | int) -> Answer | None:
        """The answer to a question that was taken back last, to fill in the page; None if none."""
        number = question if isinstance(question, int) else question.number
        with self._store.reading() as db:
            return answers.undone(db, number)

    def ratings(self, *, skipped: bool = False) -> list[Rating]:
        """Answers in force, in the order in which they were given; skipped ones only if wanted."""
        with self._store.reading() as db:
            return answers.ratings(db, skipped=skipped)
