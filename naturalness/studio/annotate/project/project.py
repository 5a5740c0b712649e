"""An open project: its settings, its questions and answers, and what follows from them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from naturalness.data.formats import Location
from naturalness.errors import ProjectError, damage_as
from naturalness.files.storage import is_remote
from naturalness.studio.annotate.project import answers, questions, settings
from naturalness.studio.annotate.project.agreement import RaterAgreement, agree, opinions
from naturalness.studio.annotate.project.context import Context, context_of
from naturalness.studio.annotate.project.exporting import Exported, Rated, export_pairs, export_texts, options
from naturalness.studio.annotate.project.file import Clock, Row, Store, check_types, create_file, now
from naturalness.studio.annotate.project.guidelines import Guidelines, read_guidelines, usual_guidelines
from naturalness.studio.annotate.project.importing import Imported, RatingColumns, Reading, import_ratings
from naturalness.studio.annotate.project.questions import Item, item
from naturalness.studio.annotate.project.records import PAIRS, Answer, Choice, Question, Rating, Scale, Text

DEFAULT_LEASE = 900.0
"""Seconds for which a question keeps its text from other raters."""

FIXED = (
    "scale",
    "seed",
    "text_column",
    "columns",
    "left_out",
    "lease",
    "overlap",
    "overlap_share",
    "context",
    "guidelines",
)
"""Settings that a file is made with, or that have a method of their own."""


def _local(path: str | os.PathLike[str]) -> Path:
    """Return a path on this machine; an object store cannot hold a file that is being written."""
    if is_remote(os.fspath(path)):
        raise ProjectError(f"{path!r}: a project must be on a disk of this machine; give a path")
    return Path(path)


def _number(question: Question | int) -> int:
    return question if isinstance(question, int) else question.number


MAX_CHOICES = 10
"""How often to choose again where the choice has been taken meanwhile."""
Choose = Callable[[frozenset[int], frozenset[Item], int], Choice | None]
"""Chooses a question, from the busy texts, the taken pairs and the number of the turn; None where nothing is left."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a project, or of one rater."""

    rated: int
    """Texts, or of pairs pairs, with a rating."""
    ratings: int
    """Answers in force, those to repeated questions among them, without skipped ones."""


class ProjectSettings:
    """What may change in a project: the overlap, the raters' keys, and what pages keep."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str, default: Any = None) -> Any:
        """Return a setting as JSON gives it back, or the default where there is none."""
        with self._store.reading() as db:
            return settings.get(db, key, default)

    def set(self, key: str, value: Any) -> None:
        """Store anything that JSON can hold, except under a key that is `FIXED`."""
        if key in FIXED:
            raise ValueError(f"the setting {key!r} belongs to the file itself; use another key")
        with self._store.writing() as db:
            settings.put(db, key, value)

    @property
    def overlap(self) -> tuple[int, float]:
        """How many raters answer each of a share of the texts, and that share; one rater the others."""
        with self._store.reading() as db:
            return settings.get(db, "overlap"), settings.get(db, "overlap_share")

    def set_overlap(self, raters: int, share: float = 1.0) -> None:
        """Change the overlap; answers stay, and those now missing are asked for."""
        settings.check_overlap(raters, share)
        with self._store.writing() as db:
            settings.put(db, "overlap", raters)
            settings.put(db, "overlap_share", share)

    @property
    def context(self) -> tuple[str, ...]:
        """Columns of the table that a rater reads before a text."""
        return tuple(self.get("context", ()))

    def set_context(self, columns: Sequence[str]) -> None:
        """Choose the columns that a rater reads before a text; an empty list shows the text alone."""
        with self._store.writing() as db:
            names = settings.get(db, "columns"), settings.get(db, "text_column")
            settings.put(db, "context", settings.check_context(columns, *names))

    @property
    def guidelines(self) -> Guidelines:
        """What raters read before they rate: those set last, else the ones of the scale."""
        with self._store.reading() as db:
            versions = settings.get(db, "guidelines", [])
            scale = settings.read_scale(settings.get(db, "scale"))
        return read_guidelines(*versions[-1]) if versions else usual_guidelines(scale)

    def set_guidelines(self, markdown: str) -> None:
        """Replace the guidelines; earlier ones stay in the file, with the time from which they held."""
        read_guidelines(markdown)
        if markdown == self.guidelines.markdown:
            return
        with self._store.writing() as db:
            versions = settings.get(db, "guidelines", [])
            settings.put(db, "guidelines", [*versions, [markdown, self._store.time()]])

    def keys(self, rater: str) -> dict[str, str]:
        """Return the keys that a rater has changed, by action."""
        keys: dict[str, str] = self.get(f"keys:{settings.check_rater(rater)}", {})
        return keys

    def set_keys(self, rater: str, keys: Mapping[str, str]) -> None:
        """Replace the keys of a rater."""
        self.set(f"keys:{settings.check_rater(rater)}", dict(keys))


class Project:
    """One file, open; every method may be called from any thread.

    `create` writes a new file, `open` opens one. A method that stores something returns once it is
    on the disk. Errors are `ProjectError`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.settings = ProjectSettings(store)
        """What may change in it."""
        try:
            name, advice = f"the project {str(store.path)!r}", "it was left as it is: open a backup"
            cannot = "is damaged: what it holds cannot be read"
            with damage_as(ProjectError, name, advice, what=cannot), store.reading() as db:
                self.scale: Scale = settings.read_scale(settings.get(db, "scale"))
                """What raters answer on."""
                self.seed: int = settings.get(db, "seed")
                """Of all that is drawn."""
                self.text_column: str = settings.get(db, "text_column")
                """Of the table from which the project was made."""
                self.columns: tuple[str, ...] = tuple(settings.get(db, "columns"))
                """Of that table, in its order."""
                self.left_out: dict[str, int] = settings.get(db, "left_out")
                """Why rows of that table are not asked about, and how many: empty, or twice."""
                self.lease: float = settings.get(db, "lease")
                """Seconds for which a question keeps its text from other raters."""
                rows = db.execute("SELECT * FROM texts ORDER BY number").fetchall()
                self._texts: tuple[Text, ...] = tuple(
                    Text(number, text, dict(json.loads(cells))) for number, text, cells in rows
                )
                # A page may be whole to SQLite and hold nonsense; better found now than later.
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
        context: Sequence[str] = (),
        overlap: int = 1,
        overlap_share: float = 1.0,
        seed: int = 0,
        lease: float = DEFAULT_LEASE,
        clock: Clock = now,
    ) -> Self:
        """Write a new file, and open it.

        ``rows`` are texts, each with the other cells of its row (`table_rows` reads them from a table). Empty and
        repeated texts are left out: see ``left_out``. ``context`` names columns that a rater reads before a text; a
        text after two contexts is two texts to rate. ``overlap`` raters answer each of a share ``overlap_share`` of
        the texts, one rater the others.
        """
        settings.check_scale(scale)
        settings.check_overlap(overlap, overlap_share)
        fixed = {
            "scale": settings.write_scale(scale),
            "overlap": overlap,
            "overlap_share": overlap_share,
            "seed": seed,
            "lease": lease,
        }
        create_file(_local(path), rows, text_column, context, fixed)
        return cls.open(path, clock=clock)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, clock: Clock = now) -> Self:
        """Open a file; refuse one that is damaged, newer or no project, and leave it as it is."""
        return cls(Store(_local(path), clock))

    @property
    def path(self) -> Path:
        """Where the file lies."""
        return self._store.path

    def close(self) -> None:
        """Close the file; nothing is lost without it, but the file is then one file again."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def texts(self) -> tuple[Text, ...]:
        """Return all texts to ask about, by number."""
        return self._texts

    def context(self, number: int) -> Context:
        """Return what a rater reads before a text: the names of columns and what they hold."""
        return context_of(self._texts[number].cells, self.settings.context)

    def contexts(self) -> tuple[Context, ...]:
        """Return the same of each text, by number."""
        columns = self.settings.context
        return tuple(context_of(text.cells, columns) for text in self._texts)

    # Questions

    def next_question(self, rater: str, choose: Choose) -> Question | None:
        """Return what to put before a rater now; None where nothing is left.

        That is an open question, else one that other raters have answered where the overlap asks for it (its reason
        is `SHARED`), else what ``choose`` picks, given the texts that are busy, the pairs that are taken, and the turn
        (how many questions were chosen for this rater), which is stored. ``choose`` runs outside of any lock; where
        its choice is taken meanwhile, it is called again.
        """
        rater = settings.check_rater(rater)
        tried: set[Item] = set()
        for _ in range(MAX_CHOICES):
            question, queue = self._open_or_shared(rater)
            if question is not None:
                return question
            # Of a pair that was refused each text may well be asked about with another.
            refused = frozenset(text for what in tried if len(what) == 1 for text in what)
            choice = choose(queue.busy() | refused, queue.taken() | tried, queue.turn)
            if choice is None:
                break
            texts = questions.check_texts(choice.texts, self.scale.kind, len(self._texts))
            with self._store.writing() as db:
                queue = self._queue(db, rater)
                # Another window of the same rater may have been faster.
                asked = queue.open()
                if asked is not None:
                    return asked
                if item(texts) not in tried and queue.free(item(texts), again=choice.again):
                    return questions.add(db, rater, replace(choice, texts=texts), self._store.time())
            tried.add(item(texts))
        return self._open_or_shared(rater, always=True)[0]

    def _open_or_shared(self, rater: str, *, always: bool = False) -> tuple[Question | None, questions.Queue]:
        """Return an open question or one to share, else None; with it what else may be asked."""
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
            return answers.find(db, number).question

    def _queue(self, db: sqlite3.Connection, rater: str) -> questions.Queue:
        return questions.Queue(db, rater, self._store.time(ago=self.lease))

    # Answers

    def answer(self, question: Question | int, answer: Answer) -> Rating:
        """Store an answer, once however often it is sent; return the rating in force.

        Another answer to the same question is refused (`AlreadyAnswered`) until the first is undone. Marks count
        characters as Python does (code points), with pairs in either text. A value that is not on the scale is
        refused; without one the question is skipped.
        """
        with self._store.writing() as db:
            asked, cleaned = self._cleaned(db, question, answer)
            return answers.give(db, asked, cleaned, self._store.time())

    def _cleaned(self, db: sqlite3.Connection, question: Question | int, answer: Answer) -> tuple[Question, Answer]:
        """Return a stored question, and an answer to it as the file stores it."""
        asked = answers.find(db, _number(question)).question
        length = max(len(self._texts[text].text) for text in asked.texts)
        return asked, answers.clean(answer, self.scale, length)

    def undo(self, rater: str, question: int | None = None) -> Rating | None:
        """Take back a rater's last answer (or skip) and open its question again.

        Called again, take back the one before it. Return question and old answer; None where none is left. With the
        number of a question only its answer is taken back, once however often that is asked for; where there is a
        later answer it is refused.
        """
        rater = settings.check_rater(rater)
        with self._store.writing() as db:
            at = self._store.time()
            rating = answers.undo(db, rater, at, question)
            if rating is not None:
                questions.show(db, rating.question, at)
            return rating

    def undone(self, question: Question | int) -> Answer | None:
        """Return the answer to a question that was taken back last, to fill in the page; None without one."""
        with self._store.reading() as db:
            return answers.undone(db, _number(question))

    def ratings(self, *, skipped: bool = False) -> list[Rating]:
        """Return the answers in force in the order in which they were given; skipped ones on request."""
        with self._store.reading() as db:
            return answers.ratings(db, skipped=skipped)

    def correct(self, question: Question | int, answer: Answer) -> Rating:
        """Replace the answer in force to a question, or the skip; the old answer stays in the file.

        The time that the first answer took remains. Sent again, the same correction counts once. An answer that was
        taken back is not corrected: its question is open, and is answered as any other.
        """
        with self._store.writing() as db:
            asked, cleaned = self._cleaned(db, question, answer)
            return answers.correct(db, asked.number, cleaned, self._store.time())

    def earlier(self, rater: str) -> dict[int, list[Answer]]:
        """Return what a rater answered before, by question: corrected or taken back, in the order of answering."""
        with self._store.reading() as db:
            return answers.earlier(db, settings.check_rater(rater))

    def import_ratings(
        self, where: Location, columns: RatingColumns | None = None, *, tests: Collection[int] = ()
    ) -> Imported:
        """Store the ratings of a table, all or, where it cannot be read to its end, none.

        Its rows have a text, a rater and a rating; or lists of raters and ratings, as an export has them; or, for
        pairs, the columns of an exported table of pairs. Rows that do not fit are counted by their reason. ``tests``
        are the texts of the test share (`asking.choosing.test_order`).
        """
        reading = Reading(self._texts, self.scale, self.text_column, self.settings.context)
        with self._store.writing() as db:
            return import_ratings(db, reading, where, columns or RatingColumns(), frozenset(tests), self._store.time())

    # What follows from the ratings

    def raters(self) -> list[str]:
        """Return all who were asked something, in the order of their first question."""
        with self._store.reading() as db:
            sql = "SELECT rater FROM questions GROUP BY rater ORDER BY min(number)"
            return [rater for (rater,) in db.execute(sql)]

    def progress(self, rater: str | None = None) -> Progress:
        """Return how far one rater is, or all of them together."""
        rated = [rating for rating in self.ratings() if rater in (None, rating.question.rater)]
        return Progress(len({item(rating.question.texts) for rating in rated}), len(rated))

    def agreement(self) -> RaterAgreement:
        """Return how far raters agree: all at once, each pair, and each with herself or himself."""
        return agree(opinions(self.ratings()), self.scale)

    def export(self, path: str, *, force: bool = False) -> Exported:
        """Write what was rated as a table for `train`, `evaluate` and `compare`.

        The name gives the format: csv, tsv, jsonl or parquet, with .gz or .zst. The table has a row per rated text,
        with the columns of the input and `exporting.ADDED_COLUMNS`; with pairs, a table of the pairs lies beside it.
        An existing file is refused without ``force``.
        """
        rated = self._rated()
        if not rated.items:
            raise ProjectError(f"nothing in {str(self.path)!r} is rated yet; rate first")
        write = export_pairs if self.scale.kind == PAIRS else export_texts
        return write(rated, path, force=force)

    def export_options(self) -> tuple[str, ...]:
        """Return the options that `naturalness train` needs for an export made now."""
        return options(self._rated())

    def _rated(self) -> Rated:
        by_item = opinions(self.ratings())
        return Rated(self.scale, self._texts, self.columns, self.text_column, by_item, self.settings.context)
