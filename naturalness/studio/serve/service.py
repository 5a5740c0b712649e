"""The service behind the routes: it applies limits and asks the model."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from naturalness import __version__
from naturalness.data.cells import finite
from naturalness.explaining.page import card
from naturalness.judging.fields import NATURALNESS
from naturalness.studio.serve.reading import Limits, read_explaining, read_scoring
from naturalness.studio.serve.worker import Judge, ModelThread, Row

Result = TypeVar("Result")
Answer = dict[str, Any]


class Service:
    """Answers all requests to a model."""

    def __init__(self, judge: Judge, limits: Limits) -> None:
        self.judge = judge
        self.limits = limits
        self.worker = ModelThread(judge, limits)

    @property
    def model(self) -> Answer:
        """Name and checksum of the model."""
        return {"name": self.judge.name, "checksum": self.judge.checksum}

    def health(self) -> Answer:
        """Return the state of the server."""
        return {
            "status": "ok",
            "model": self.model,
            "version": __version__,
            "register": self.judge.register,
            "min_score": self.judge.min_score,
            "waiting": self.worker.waiting,
        }

    async def score(self, body: bytes) -> Answer:
        """Return the answer to ``POST /score``."""
        asked = read_scoring(body, self.limits)
        rows = await self._short(asked.texts, self.worker.score, lambda text, why: self.judge.unscored(why))
        return {"model": self.model, "scores": [self._marked(row) for row in rows]}

    async def explain(self, body: bytes) -> Answer:
        """Return the answer to ``POST /explain``; if the client asks for it, with the wording of the page."""
        asked = read_explaining(body, self.limits)
        explanations = await self._short(
            asked.texts, lambda texts: self.worker.explain(texts, asked.edits), self.judge.unexplained
        )
        rows = [
            asdict(explanation) | ({"shown": card(explanation, number)} if asked.in_words else {})
            for number, explanation in enumerate(explanations, 1)
        ]
        return {"model": self.model, "explanations": rows}

    def _marked(self, row: Row) -> Row:
        """Return a text's score; ``below`` is null if there is no minimum or no score."""
        value, minimum = row[NATURALNESS], self.judge.min_score
        return row | {"below": None if minimum is None or math.isnan(value) else value < minimum}

    async def _short(
        self,
        texts: Sequence[str],
        find: Callable[[Sequence[str]], Awaitable[list[Result]]],
        refused: Callable[[str, str], Result],
    ) -> list[Result]:
        """Return the result of each text; texts that are too long are refused."""
        most = self.limits.characters
        results = iter(await find([text for text in texts if len(text) <= most]))
        why = f"longer than {most} characters"
        return [next(results) if len(text) <= most else refused(text, why) for text in texts]


async def while_connected(work: Awaitable[Answer], gone: Awaitable[None]) -> Answer | None:
    """Return the result of ``work``; None if ``gone`` completes first, that is, if the client disconnects.

    What is not complete is cancelled.
    """
    task, leaving = asyncio.ensure_future(work), asyncio.ensure_future(gone)
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for pending in (task, leaving):
            pending.cancel()
        await asyncio.gather(task, leaving, return_exceptions=True)


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """Encode a value as JSON in ASCII, because lone surrogates in a text cannot be encoded as UTF-8."""
    text = json.dumps(finite(value), allow_nan=False)
    return f"{text}\n".encode("ascii")
