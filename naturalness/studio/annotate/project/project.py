"""An open project: its settings, questions and answers, and results derived from them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from naturalness.errors import ProjectError, damage_as
from naturalness.studio.annotate.project import questions, settings
from naturalness.studio.annotate.project.exporting import Exported, ExportedTexts, export, opinions, options
from naturalness.studio.annotate.project.file import Clock, Row, Store, check_types, create_file, now
from naturalness.studio.annotate.project.guidelines import Guidelines, read_guidelines, usual_guidelines
from naturalness.studio.annotate.project.records import Answer, Question, Rating, Scale, Text, TextChoice

LEASE = 900.0
"""Number of seconds for which a question reserves its text."""


def _number(question: Question | int) -> int:
    return question if isinstance(question, int) else question.number


MAX_CHOICES = 10
"""Maximum number of attempts to choose a question, if other raters keep taking the chosen one first."""
Choose = Callable[[frozenset[int], int], TextChoice | None]
"""A function that chooses a question, given the busy texts and the turn; it returns None if nothing is left."""

OVERLAP, OVERLAP_SHARE = 2, 0.2
"""By default, a fifth of the texts is rated by two raters, so that their agreement is known."""


class ProjectSettings:
    """Settings that can change: overlap, guidelines, and values stored by pages."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting as parsed from JSON, or the default if it is not set."""
        with self._store.reading() as db:
            return settings.get(db, key, default)

    def set(self, key: str, value: Any) -> None:
        """Store any JSON value."""
        with self._store.writing() as db:
            settings.put(db, key, value)

    def set_overlap(self, raters: int, share: float = 1.0) -> None:
        """Set the number of raters for a share of the texts, 0 to 1; each of the other texts has one rater.

        Existing answers stay, and missing ones will be asked for.
        """
        with self._store.writing() as db:
            settings.put(db, "overlap", raters)
            settings.put(db, "overlap_share", share)

    @property
    def guidelines(self) -> Guidelines:
        """The guidelines in force: those set last or, if none were set, the default ones."""
        with self._store.reading() as db:
            versions = settings.get(db, "guidelines", [])
        return read_guidelines(*versions[-1]) if versions else usual_guidelines()

    def set_guidelines(self, markdown: str) -> None:
        """Set new guidelines; earlier ones stay in the file, with the time from which they were in force."""
        read_guidelines(markdown)
        if markdown == self.guidelines.markdown:
            return
        with self._store.writing() as db:
            versions = settings.get(db, "guidelines", [])
            settings.put(db, "guidelines", [*versions, [markdown, self._store.time()]])


class Project:
    """An open project file; all methods can be called from any thread.

    `create` writes a new file, `open` opens an existing one. A method that stores something returns only once it is on
    disk. Errors are `ProjectError`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.settings = ProjectSettings(store)
        """Settings that can change."""
        try:
            name, advice = f"the project {str(store.path)!r}", "it was left as it is: open a backup"
            cannot = "is damaged: what it holds cannot be read"
            with damage_as(ProjectError, name, advice, what=cannot), store.reading() as db:
                self.scale: Scale = settings.read_scale(settings.get(db, "scale"))
                """Scale of the answers."""
                self.seed: int = settings.get(db, "seed")
                """Seed of all random choices."""
                self.text_column: str = settings.get(db, "text_column")
                """Name of the text column in the project's table."""
                self.columns: tuple[str, ...] = tuple(settings.get(db, "columns"))
                """Columns of the project's table, in order."""
                self.left_out: dict[str, int] = settings.get(db, "left_out")
                """Number of rows of the table that are not used, by reason: empty or repeated."""
                self.lease: float = settings.get(db, "lease")
                """Number of seconds for which a question reserves its text."""
                rows = db.execute("SELECT * FROM texts ORDER BY number").fetchall()
                self._texts: tuple[Text, ...] = tuple(
                    Text(number, text, dict(json.loads(cells))) for number, text, cells in rows
                )
                # SQLite may accept a damaged page; detect it now rather than later.
                check_types(db)
                list(questions.read(db))
        except BaseException:
            store.close()
            raise

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        rows: Iterable[Row],
        scale: Scale,
        *,
        text_column: str = "text",
        overlap: int | None = None,
        clock: Clock = now,
    ) -> Self:
        """Create a project file, and open it.

        ``rows`` are texts with the other cells of their rows (`table_rows` reads them from a table). Empty and repeated
        texts are left out: see ``left_out``. Each text is rated by ``overlap`` raters; by default, each of a share
        `OVERLAP_SHARE` of the texts by `OVERLAP` raters, and the others by one.
        """
        settings.check_scale(scale)
        raters, share = (OVERLAP, OVERLAP_SHARE) if overlap is None else (overlap, 1.0)
        fixed = {
            "scale": settings.write_scale(scale),
            "overlap": raters,
            "overlap_share": share,
            "seed": 0,
            "lease": LEASE,
        }
        create_file(Path(path), rows, text_column, fixed)
        return cls.open(path, clock=clock)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, clock: Clock = now) -> Self:
        """Open a project file; raise if it is damaged, is not a project, or was written by a newer release."""
        return cls(Store(Path(path), clock))

    @property
    def path(self) -> Path:
        """Path of the file."""
        return self._store.path

    def close(self) -> None:
        """Close the file and merge its log into it; if this is never called, nothing is lost."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def texts(self) -> tuple[Text, ...]:
        """Return all texts to ask about, in the order of their numbers."""
        return self._texts

    # Questions

    def next_question(self, rater: str, choose: Choose) -> Question | None:
        """Return the question to show a rater now; None if there is nothing left to ask.

        This is the rater's open question. If there is none, it is a question that other raters have answered (with the
        reason `SHARED`), provided that the overlap requires one; otherwise, the choice of ``choose``, which is stored.

        ``choose`` gets the busy texts, and the turn (the number of questions chosen for this rater). It runs outside
        any lock, and is called again if its choice has been taken in the meantime.
        """
        rater = settings.check_rater(rater)
        tried: set[int] = set()
        for _ in range(MAX_CHOICES):
            question, queue = self._open_or_shared(rater)
            if question is not None:
                return question
            choice = choose(queue.busy() | tried, queue.turn)
            if choice is None:
                break
            with self._store.writing() as db:
                queue = self._queue(db, rater)
                # Another window of the same rater may have been faster.
                asked = queue.open()
                if asked is not None:
                    return asked
                if choice.text not in tried and queue.free(choice.text, again=choice.again):
                    return questions.add(db, rater, choice, self._store.time())
            tried.add(choice.text)
        return self._open_or_shared(rater, always=True)[0]

    def _open_or_shared(self, rater: str, *, always: bool = False) -> tuple[Question | None, questions.Queue]:
        """Return the rater's open question, or else a shared one if one is due, or else None; and the rater's queue."""
        with self._store.writing() as db:
            queue = self._queue(db, rater)
            question = queue.open()
            if question is not None:
                questions.show(db, question, self._store.time())
                return question, queue
            shared = queue.shared(always=always)
            if shared is None:
                return None, queue
            return questions.add(db, rater, shared, self._store.time()), queue

    def question(self, number: int) -> Question:
        """Return a question by its number."""
        with self._store.reading() as db:
            return questions.find(db, number).question

    def _queue(self, db: sqlite3.Connection, rater: str) -> questions.Queue:
        return questions.Queue(db, rater, self._store.time(ago=self.lease))

    # Answers

    def answer(self, question: Question | int, answer: Answer) -> Rating:
        """Store an answer; resending it changes nothing. Return the rating in force.

        Another answer to the same question is refused until the first is undone. Offsets of marks
        count characters as Python does (code points). A value that is not on the scale is refused; without a value, the
        question is skipped.
        """
        with self._store.writing() as db:
            asked = questions.find(db, _number(question)).question
            cleaned = questions.clean(answer, self.scale, len(self._texts[asked.text].text))
            return questions.give(db, asked, cleaned, self._store.time())

    def undo(self, rater: str, question: int | None = None) -> Rating | None:
        """Undo a rater's last answer (or skip) and reopen its question.

        A further call undoes the answer before that one. Return the undone answer with its question; None if no answer
        is left. If ``question`` is given, undo only the answer to that question, and only once, however often this is
        requested; raise if there is a later answer.
        """
        rater = settings.check_rater(rater)
        with self._store.writing() as db:
            at = self._store.time()
            rating = questions.undo(db, rater, at, question)
            if rating is not None:
                questions.show(db, rating.question, at)
            return rating

    def undone(self, question: Question | int) -> Answer | None:
        """Return the last undone answer to a question, to fill in the page; None if there is none."""
        with self._store.reading() as db:
            return questions.undone(db, _number(question))

    def ratings(self, *, skipped: bool = False) -> list[Rating]:
        """Return the answers in force in the order in which they were given; skips only if ``skipped``."""
        with self._store.reading() as db:
            return questions.ratings(db, skipped=skipped)

    # Results derived from the ratings

    def raters(self) -> list[str]:
        """Return all raters who were asked something, in the order of their first question."""
        with self._store.reading() as db:
            sql = "SELECT rater FROM questions GROUP BY rater ORDER BY min(number)"
            return [rater for (rater,) in db.execute(sql)]

    def progress(self, rater: str | None = None) -> int:
        """Return the number of texts that a rater has rated; that anybody has, if no rater is named."""
        return len({r.question.text for r in self.ratings() if rater in (None, r.question.rater)})

    def export(self, path: str, *, force: bool = False) -> Exported:
        """Write the ratings as a table for `train`, `evaluate` and `compare`.

        The file name determines the format: csv, tsv, jsonl or parquet, with .gz or .zst. The table has one row per
        rated text, with the columns of the input and `exporting.ADDED_COLUMNS`. An existing file is replaced only if
        ``force`` is true.
        """
        rated = self._rated()
        if not rated.opinions:
            raise ProjectError(f"nothing in {str(self.path)!r} has been rated yet; rate some texts first")
        return export(rated, path, force=force)

    def export_options(self) -> tuple[str, ...]:
        """Return the options that `naturalness train` needs for an export of the current ratings."""
        return options(self._rated())

    def _rated(self) -> ExportedTexts:
        return ExportedTexts(self.scale, self._texts, self.columns, self.text_column, opinions(self.ratings()))
