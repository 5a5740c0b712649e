"""The service behind the routes: it applies limits, caches recent results and queries the worker."""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from naturalness import __version__
from naturalness.data.cells import finite
from naturalness.explaining.explanation import Explanation, without_score
from naturalness.explaining.page import card
from naturalness.files.recent import Recent
from naturalness.judging.fields import NATURALNESS
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.reading import read_explaining, read_scoring
from naturalness.studio.serve.worker import Judge, ModelThread, Row
from naturalness.studio.web.refusals import Refusal

REMEMBERED_CHARACTERS = 2_000_000
"""Maximum total length, in characters, of the texts whose scores are cached."""
REMEMBERED_EXPLANATIONS, EXPLANATIONS_CHARACTERS = 256, 100_000
"""Maximum number of cached explanations, which are large, and maximum total length of their texts in characters."""
Result = TypeVar("Result")
Answer = dict[str, Any]


class Service:
    """Answers all requests to a model."""

    def __init__(self, judge: Judge, limits: Limits) -> None:
        self.judge = judge
        self.limits = limits
        self.worker = ModelThread(judge, limits)
        self._scores: Recent[Row] = Recent(limits.remembered, REMEMBERED_CHARACTERS)
        self._explanations: Recent[Explanation] = Recent(REMEMBERED_EXPLANATIONS, EXPLANATIONS_CHARACTERS)
        self._started = time.monotonic()

    @property
    def model(self) -> Answer:
        """Name and checksum of the model."""
        return {"name": self.judge.name, "checksum": self.judge.checksum}

    def health(self) -> Answer:
        """Return the state of the server."""
        return {
            "status": "ok" if self.worker.alive else "the model has stopped",
            "model": self.model,
            "version": __version__,
            "register": self.judge.register,
            "min_score": self.judge.min_score,
            "uptime_seconds": round(time.monotonic() - self._started, 1),
            "waiting": self.worker.waiting,
            "answered": self.worker.done,
            "remembered": len(self._scores) + len(self._explanations),
        }

    async def score(self, body: bytes) -> Answer:
        """Return the answer to ``POST /score``."""
        request = read_scoring(body, self.limits)
        scores = await self._scored(request.texts)
        return {"model": self.model, "scores": [self._marked(row) for row in scores]}

    async def explain(self, body: bytes) -> Answer:
        """Return the answer to ``POST /explain``."""
        request = read_explaining(body, self.limits)

        def refused(text: str) -> Explanation:
            model = self.judge.model
            return without_score(text, self._too_long, unit=model.unit, threshold=model.threshold)

        async def find(texts: Sequence[str]) -> list[Explanation]:
            return await self.worker.explain(texts, request.edits)

        explanations = await self._known(request.texts, request.edits, self._explanations, find, refused)
        answer = _explanations(explanations, in_words=request.in_words)
        return {"model": self.model} | answer

    async def _scored(self, texts: Sequence[str]) -> list[Row]:
        def refused(text: str) -> Row:
            return self.judge.unscored(self._too_long)

        return await self._known(texts, None, self._scores, self.worker.score, refused)

    def _marked(self, row: Row) -> Row:
        """Return a text's score; ``below`` is null if there is no minimum or no score."""
        value, minimum = row[NATURALNESS], self.judge.min_score
        return row | {"below": None if minimum is None or math.isnan(value) else value < minimum}

    @property
    def _too_long(self) -> str:
        return f"longer than {self.limits.characters} characters"

    async def _known(
        self,
        texts: Sequence[str],
        edits: int | None,
        recent: Recent[Result],
        find: Callable[[Sequence[str]], Awaitable[list[Result]]],
        refused: Callable[[str], Result],
    ) -> list[Result]:
        """Return the results of texts; compute those that are not cached, once for each distinct text."""
        results: dict[str, Result] = {}
        for text in texts:
            if len(text) > self.limits.characters:
                results[text] = refused(text)
            elif (known := recent.get((text, edits))) is not None:
                results[text] = known
        new = [text for text in dict.fromkeys(texts) if text not in results]
        if new:
            for text, result in zip(new, await find(new), strict=True):
                results[text] = result
                recent.put((text, edits), result, len(text))
        return [results[text] for text in texts]


async def while_waited_for(work: Awaitable[Answer], gone: Awaitable[None], seconds: float) -> Answer | None:
    """Return the result of ``work``; None if the client disconnects first, that is, if ``gone`` completes.

    Raise `Refusal` after ``seconds``. In both cases, the work is cancelled.
    """
    task, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone)
    try:
        done, _ = await asyncio.wait({task, leaving}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            return task.result()
        if leaving in done:
            return None
        raise Refusal(504, f"no answer within {seconds:g} seconds; ask for less at a time")
    finally:
        for pending in (task, leaving):
            pending.cancel()
        await asyncio.gather(task, leaving, return_exceptions=True)


def _explanations(explanations: Sequence[Explanation], *, in_words: bool) -> dict[str, Any]:
    """Return one entry per text; ``in_words`` adds the wording of the page."""
    rows = [asdict(explanation) for explanation in explanations]
    if in_words:
        rows = [
            row | {"shown": card(explanation, i + 1)}
            for i, (row, explanation) in enumerate(zip(rows, explanations, strict=True))
        ]
    return {"explanations": rows}


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """Encode a value as JSON in ASCII, because lone surrogates in a text cannot be encoded as UTF-8."""
    text = json.dumps(finite(value), allow_nan=False)
    return f"{text}\n".encode("ascii")
