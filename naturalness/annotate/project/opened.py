"""A project's file, open: its texts and its settings."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from naturalness.annotate.project import settings
from naturalness.annotate.project.checking import check_rows
from naturalness.annotate.project.creating import Row, create_file
from naturalness.annotate.project.records import Scale, Text
from naturalness.annotate.project.store import Clock, Store, now
from naturalness.errors import ProjectError, damage_as
from naturalness.files.storage import is_remote

LEASE = 900.0
"""Seconds for which a question keeps its text from other raters."""

FIXED = ("scale", "seed", "text_column", "columns", "left_out", "lease", "overlap", "overlap_share")
"""Settings that a file is made with, or that have a method of their own."""


def _local(path: str | os.PathLike[str]) -> Path:
    """A path on this machine; an object store cannot keep what is half written."""
    if is_remote(os.fspath(path)):
        raise ProjectError(f"{path!r}: a project lies on a disk of this machine; give a path")
    return Path(path)


class OpenProject:
    """What `Project` can do without questions and answers."""

    def __init__(self, store: Store) -> None:
        self._store = store
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
                    Text(number, text, json.loads(cells)) for number, text, cells in rows
                )
                # A page may be whole to SQLite and hold nonsense; better found now than later.
                check_rows(db, self._texts)
                settings.check_all(db)
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
        overlap: int = 1,
        overlap_share: float = 1.0,
        seed: int = 0,
        lease: float = LEASE,
        clock: Clock = now,
    ) -> Self:
        """Make a new file, and open it.

        ``rows`` are texts, each with the other cells of its row (`table_rows` reads them from a
        table). Empty texts are left out, and so are texts that came before: see ``left_out``.
        ``overlap`` raters answer each of a share ``overlap_share`` of the texts, one the others.
        """
        settings.check_scale(scale)
        settings.check_overlap(overlap, overlap_share)
        given = {
            "scale": settings.write_scale(scale),
            "overlap": overlap,
            "overlap_share": overlap_share,
            "seed": seed,
            "lease": lease,
        }
        create_file(_local(path), rows, text_column, given)
        return cls.open(path, clock=clock)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, clock: Clock = now) -> Self:
        """Open a file; one that is damaged, newer or no project is refused and left as it is."""
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
        """All texts to ask about, by number."""
        return self._texts

    # Settings that may change

    @property
    def overlap(self) -> tuple[int, float]:
        """How many raters answer each of a share of the texts, and that share; one the others."""
        with self._store.reading() as db:
            return settings.get(db, "overlap"), settings.get(db, "overlap_share")

    def set_overlap(self, raters: int, share: float = 1.0) -> None:
        """Change the overlap; what is answered stays, and what is now lacking is asked."""
        settings.check_overlap(raters, share)
        with self._store.writing() as db:
            settings.put(db, "overlap", raters)
            settings.put(db, "overlap_share", share)

    @property
    def settlers(self) -> tuple[str, ...]:
        """Who may settle disagreements; everyone where nobody is named."""
        return tuple(self.setting("settlers", ()))

    def set_settlers(self, raters: Sequence[str]) -> None:
        """Name who may settle disagreements; nobody in particular: everyone."""
        if isinstance(raters, str):
            raise TypeError(f"raters is the string {raters!r}; expected a list of names")
        self.set_setting("settlers", [settings.check_rater(rater) for rater in raters])

    def may_settle(self, rater: str) -> bool:
        """Whether a rater may settle disagreements."""
        return not self.settlers or rater.strip() in self.settlers

    def keys(self, rater: str) -> dict[str, str]:
        """The keys that a rater has chosen, from action to key; only those that were changed."""
        found: dict[str, str] = self.setting(f"keys:{settings.check_rater(rater)}", {})
        return found

    def set_keys(self, rater: str, keys: Mapping[str, str]) -> None:
        """Store the keys that a rater has chosen, in place of all before."""
        self.set_setting(f"keys:{settings.check_rater(rater)}", dict(keys))

    def setting(self, key: str, default: Any = None) -> Any:
        """Anything else that the page keeps in the file; as JSON gives it back."""
        with self._store.reading() as db:
            return settings.get(db, key, default)

    def set_setting(self, key: str, value: Any) -> None:
        """Keep anything that JSON can hold; not what the file itself is made with."""
        if key in FIXED:
            raise ValueError(f"the setting {key!r} is that of the file; use another key")
        with self._store.writing() as db:
            settings.put(db, key, value)
