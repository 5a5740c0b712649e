"""The thread that owns the model, and the requests that wait for it; a text that fails does not affect the others.

A request asks for one part at a time: a batch of texts, or a single text to explain. Parts take turns in the order in
which they were asked for, so a request waits for at most one part of each other request, however much that one sends.
Parts with short texts that wait at the same time form one batch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from naturalness.errors import NaturalnessError
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.judging.fields import LABEL
from naturalness.labelling.scorer import batches, empty_row, robustly
from naturalness.pipelines.scorer import NaturalnessModel, load_model
from naturalness.studio.serve.reading import MAX_EDITED_CHARACTERS, Limits
from naturalness.studio.web.refusals import Refusal

BROKEN_REASON = "no score: something in this text broke the model"
LOG = logging.getLogger("naturalness")
WARMING_TEXT = "A sentence to begin with."
Row = dict[str, Any]
"""The fields of a text's score."""
Result = TypeVar("Result")


class Judge:
    """A model that returns a result for every text; only one thread at a time may use it."""

    register: str | None = None
    """Register within which scores are judged."""
    min_score: float | None = None
    """Scores below this value are flagged; if it is None, no score is flagged."""

    def __init__(self, name: str, *, register: str | None = None) -> None:
        self.model: NaturalnessModel = load_model(name)
        self.name = self.model.name
        self.register = register
        self.checksum = self.model.saved.checksum

    def warm(self) -> None:
        """Load what scores and explanations need, before anyone waits for them."""
        self.explain(WARMING_TEXT, 1)

    def score(self, texts: Sequence[str]) -> list[Row]:
        """Return the score of each text; an error in one text does not affect the others."""

        def score(batch: Sequence[str]) -> list[Row]:
            scores = self.model.score(batch, batch_size=max(len(batch), 1), register=self.register)
            return scores.rows(self.model.fields(self.register))

        def failure(text: str, error: Exception) -> Row:
            LOG.warning("a text could not be scored", exc_info=error)
            return self.unscored(BROKEN_REASON)

        return robustly(texts, score, failure)

    def unscored(self, reason: str) -> Row:
        """Return the entry of a text that was not scored."""
        fields = self.model.fields(self.register)
        return dict(zip(fields, empty_row(fields, reason), strict=True)) | {LABEL: None}

    def explain(self, text: str, edits: int) -> Explanation:
        """Explain a text; if that fails, the explanation has no score. No edits are searched for in a long text."""

        def explain(batch: Sequence[str]) -> list[Explanation]:
            most = edits if len(text) <= MAX_EDITED_CHARACTERS else 0
            return self.model.explain(batch, edits=most, register=self.register)

        def failure(text: str, error: Exception) -> Explanation:
            LOG.warning("a text could not be explained", exc_info=error)
            return self.unexplained(text, BROKEN_REASON)

        return robustly([text], explain, failure)[0]

    def unexplained(self, text: str, reason: str) -> Explanation:
        """Return the explanation of a text that was not explained."""
        return without_score(text, reason, unit=self.model.unit, threshold=self.model.threshold)


BATCH_TEXTS, BATCH_CHARACTERS = 64, 10_000
"""Maximum number of texts in a batch, and of their characters; a longer text is a batch of its own."""


@dataclass(eq=False)
class Part:
    """Texts that are scored together, and the future for their scores."""

    texts: list[str]
    scores: asyncio.Future[list[Row]] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class ModelThread:
    """The thread that owns the model, and the parts of requests that wait for it."""

    def __init__(self, judge: Judge, limits: Limits) -> None:
        self.judge = judge
        self.limits = limits
        self.waiting = 0
        """Number of texts that wait for their results."""
        self._parts: list[Part] = []
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, "naturalness-model")

    def start(self) -> None:
        """Start the thread, and load what the model needs."""
        self._thread.submit(self.judge.warm)

    def close(self) -> None:
        """Stop after the current part."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def score(self, texts: Sequence[str]) -> list[Row]:
        """Return the scores of texts, in order."""
        rows: list[Row] = []
        with self._counted(len(texts)):
            for batch in batches(texts, BATCH_TEXTS, BATCH_CHARACTERS):
                rows += await self._scored(Part(batch))
        return rows

    async def explain(self, texts: Sequence[str], edits: int) -> list[Explanation]:
        """Return the explanations of texts, in order."""
        explanations = []
        with self._counted(len(texts)):
            for text in texts:
                async with self._turn:
                    explanations.append(await self._run(self.judge.explain, text, edits))
        return explanations

    @contextmanager
    def _counted(self, texts: int) -> Iterator[None]:
        """Count the texts of a request while it waits; refuse it if there are too many."""
        if self.waiting and self.waiting + texts > self.limits.waiting:
            words = f"{self.waiting} texts are waiting already; ask again in a few seconds"
            raise Refusal(503, words, {"retry-after": "5"})
        self.waiting += texts
        try:
            yield
        finally:
            self.waiting -= texts

    async def _scored(self, part: Part) -> list[Row]:
        """Wait for a turn, unless the turn of another part includes this one; return the scores of the part."""
        self._parts.append(part)
        try:
            async with self._turn:
                while part in self._parts:
                    # If this request is cancelled, the other parts of its turn still need their scores.
                    await asyncio.shield(asyncio.create_task(self._score_parts(self._take())))
            return await part.scores
        finally:
            if part in self._parts:
                self._parts.remove(part)

    def _take(self) -> list[Part]:
        """Take the parts that have waited longest, as many as fit into a batch."""
        [texts, *_] = batches([text for part in self._parts for text in part.texts], BATCH_TEXTS, BATCH_CHARACTERS)
        parts, taken = [self._parts.pop(0)], len(texts)
        while self._parts and sum(len(part.texts) for part in (*parts, self._parts[0])) <= taken:
            parts.append(self._parts.pop(0))
        return parts

    async def _score_parts(self, parts: list[Part]) -> None:
        distinct = list(dict.fromkeys(text for part in parts for text in part.texts))
        try:
            rows = dict(zip(distinct, await self._run(self.judge.score, distinct), strict=True))
        except Exception as error:
            for part in parts:
                if not part.scores.done():
                    part.scores.set_exception(error)
            return
        for part in parts:
            if not part.scores.done():
                part.scores.set_result([rows[text] for text in part.texts])

    async def _run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of work on the thread."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)
        except NaturalnessError as error:
            raise Refusal(500, str(error)) from error
