"""The features of all texts, measured once, in a thread of their own, while people rate.

What is measured goes to the feature store, so that a server that is started again has it at once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from naturalness.annotate.asking.pool import Pool
from naturalness.annotate.asking.slips import shown_by
from naturalness.annotate.asking.space import space_of
from naturalness.errors import NaturalnessError
from naturalness.features import column_names, resolve
from naturalness.features.measuring import Measured, measure

if TYPE_CHECKING:
    from naturalness.features.store.folder import FeatureStore

FIRST, MOST = 32, 128
"""Texts of the first batch and of later ones: soon something to choose by, then less often."""
AT_ONCE = 16
"""Texts that are parsed together; after them the thread can end."""
PATIENCE = 60.0
"""Seconds: a process that ends while a network runs in a thread is aborted by its library."""
GROWN = 1.2
"""How much larger a new pool is than the one before: what is derived from one takes time, too."""
LOG = logging.getLogger("naturalness")


class _Stopped(Exception):
    """Nobody waits for more."""


class Measuring:
    """A pool of texts that fills while it is used."""

    def __init__(
        self, texts: Sequence[str], groups: Sequence[str] | None, *, nlp: str, store: FeatureStore | None, seed: int
    ) -> None:
        self.told: Callable[[], None] = lambda: None
        """Called when there is a new pool."""
        self.texts = tuple(texts)
        self.trouble = ""
        """Why no more is measured; empty while all is well."""
        self._groups, self._nlp, self._store = groups, nlp, store
        self._columns = tuple(column_names(resolve(groups)))
        self._table = np.full((len(texts), len(self._columns)), np.nan)
        self._measured = np.zeros(len(texts), dtype=np.bool_)
        # In no order of the table: its first rows may all be of one system or one topic.
        self._order = np.random.default_rng(seed).permutation(len(texts))
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._pool = self._make()
        self._thread = threading.Thread(target=self._run, name="measuring", daemon=True)

    @property
    def pool(self) -> Pool:
        """The texts as far as they are measured; the same object until there are more."""
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
        """End after the texts in hand; not waited for longer than ``patience``."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def wait(self, patience: float) -> bool:
        """Wait until all is measured, for tests and programs; whether it is."""
        self._thread.join(patience)
        return not self._thread.is_alive()

    def _run(self) -> None:
        size, start = FIRST, 0
        try:
            while start < len(self._order) and not self._stopped.is_set():
                self._batch(self._order[start : start + size].tolist())
                start, size = start + size, min(size * 2, MOST)
        except _Stopped:
            return
        except NaturalnessError as error:
            self.trouble = f"texts are not measured: {error}"
        except Exception as error:
            # Rating goes on without features; what happened stands in the server's log.
            LOG.exception("measuring failed")
            self.trouble = f"texts are not measured ({type(error).__name__}: {error})"
        self.told()

    def _go_on(self, done: int) -> None:
        if self._stopped.is_set():
            raise _Stopped

    def _batch(self, places: list[int]) -> None:
        found: Measured = measure(
            [self.texts[place] for place in places],
            self._groups,
            nlp=self._nlp,
            store=self._store,
            batch_size=AT_ONCE,
            advance=self._go_on,
        )
        self._table[places] = found.table
        self._measured[places] = True
        if self.done >= GROWN * self.pool.measured.sum() or self.done == len(self.texts):
            pool = self._make()
            # What choosing derives from a pool is remembered there; here no rater waits for it.
            space_of(pool)
            shown_by(pool)
            with self._lock:
                self._pool = pool
            self.told()

    def _make(self) -> Pool:
        """What is measured so far; never changed later, so others may keep what they derive."""
        return Pool(self.texts, self._table.copy(), self._columns, self._measured.copy())
