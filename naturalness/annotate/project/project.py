"""A project of annotation: texts, questions, ratings and settings in one SQLite file."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from naturalness.annotate.project import answers, questions, settings, settling
from naturalness.annotate.project.agreement import Disagreement, RaterAgreement, agree, disagree
from naturalness.annotate.project.asking import AskingProject
from naturalness.annotate.project.exporting import Exported, Rated, export_texts, options
from naturalness.annotate.project.exporting_pairs import export_pairs
from naturalness.annotate.project.opinions import opinions
from naturalness.annotate.project.records import PAIRS, Answer
from naturalness.annotate.project.settling import Settled
from naturalness.annotate.project.standing import item
from naturalness.errors import ProjectError


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a project is, or one rater in it."""

    texts: int
    """All that there are."""
    rated: int
    """Texts, or of pairs pairs, with a rating."""
    ratings: int
    """Answers in force, those to repeated questions among them, without skipped ones."""
    skipped: int
    seconds: float
    """Median from seeing a question to answering it; NaN before the first."""


class Project(AskingProject):
    """One file, open; every method may be called from any thread.

    A method that stores something returns once it is on the disk. Errors are `ProjectError`. Made
    with `create`, opened with `open` (`opened.py`, with the settings); `next_question`, `answer`,
    `skip`, `undo` and `ratings` (`asking.py`); what follows from the ratings is here.
    """

    def raters(self) -> list[str]:
        """All who were asked something, in the order of their first question."""
        with self._store.reading() as db:
            sql = "SELECT rater FROM questions GROUP BY rater ORDER BY min(number)"
            return [rater for (rater,) in db.execute(sql)]

    def progress(self, rater: str | None = None) -> Progress:
        """How far one rater is, or all of them together."""
        everything = self.ratings(skipped=True)
        found = [one for one in everything if rater in (None, one.question.rater)]
        rated = [one for one in found if one.answer.value is not None]
        seconds = [one.answer.seconds for one in found if one.answer.seconds]
        return Progress(
            texts=len(self._texts),
            rated=len({item(one.question.texts) for one in rated}),
            ratings=len(rated),
            skipped=len(found) - len(rated),
            seconds=statistics.median(seconds) if seconds else math.nan,
        )

    def agreement(self) -> RaterAgreement:
        """How far raters agree: all at once, each pair, and each with herself or himself."""
        return agree(opinions(self.ratings()), self.scale)

    def disagreements(self) -> list[Disagreement]:
        """What raters differ about, those most apart first; settled ones among them."""
        with self._store.reading() as db:
            found = opinions(answers.ratings(db, skipped=False))
            return disagree(found, self.scale, settling.settled(db))

    def settled(self) -> list[Settled]:
        """The decisions that stand, in the order in which they were made."""
        with self._store.reading() as db:
            return list(settling.settled(db).values())

    def settle(self, text: int | tuple[int, ...], value: float | None, by: str, note: str = "") -> Settled | None:
        """Decide what a text (or a pair) is worth; None opens it again.

        The ratings stay as they are; an export has the decision as rating. Only for what somebody
        has rated, and only by those who may (`may_settle`).
        """
        by = settings.check_rater(by)
        if not self.may_settle(by):
            raise ProjectError(f"{by!r} may not settle; these may: {', '.join(self.settlers)}")
        texts = (text,) if isinstance(text, int) else text
        texts = questions.check_texts(texts, self.scale.kind, len(self._texts))
        checked = answers.clean(Answer(value, note), self.scale, 0)
        with self._store.writing() as db:
            if item(texts) not in opinions(answers.ratings(db, skipped=False)):
                raise ProjectError(f"nobody has rated {list(texts)}; there is nothing to settle")
            return settling.settle(db, texts, checked.value, by, checked.note, self._store.time())

    def export(self, path: str, *, force: bool = False) -> Exported:
        """Write what was rated as a table for `train`, `evaluate` and `compare`.

        The format is told by the name: csv, tsv, jsonl or parquet, with .gz or .zst. A row per
        rated text, with the columns of the input and those of `exporting.OWN`; of pairs a table
        of the pairs beside it. An existing file is refused without ``force``.
        """
        rated = self._rated()
        if not rated.items:
            raise ProjectError(f"nothing in {str(self.path)!r} is rated yet; rate first")
        write = export_pairs if self.scale.kind == PAIRS else export_texts
        return write(rated, path, force=force)

    def export_options(self) -> tuple[str, ...]:
        """What `naturalness train` must be told of the table that an export would write now."""
        return options(self._rated())

    def _rated(self) -> Rated:
        with self._store.reading() as db:
            found = opinions(answers.ratings(db, skipped=False))
            decided = settling.settled(db)
        return Rated(self.scale, self._texts, self.columns, self.text_column, found, decided)
