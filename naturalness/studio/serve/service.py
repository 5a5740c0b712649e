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
from naturalness.pipelines.summary import rounded
from naturalness.reports.systems.pairs import Compared, compare_scores
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.reading import read_comparing, read_explaining, read_scoring
from naturalness.studio.serve.worker import Judge, Judged, Worker
from naturalness.studio.web.refusals import Refusal

REMEMBERED_CHARACTERS = 2_000_000
"""Maximum total length, in characters, of the texts whose scores are cached."""
REMEMBERED_EXPLANATIONS, EXPLANATIONS_CHARACTERS = 256, 100_000
"""Maximum number of cached explanations, which are large, and maximum total length of their texts in characters."""
MAX_COMPARISONS = 2
"""Maximum number of comparisons computed at a time."""
Result = TypeVar("Result")
Answer = dict[str, Any]


class Service:
    """Answers all requests to a model."""

    def __init__(self, judge: Judge, limits: Limits) -> None:
        self.judge = judge
        self.limits = limits
        self.worker = Worker(judge, limits)
        self._scores: Recent[Judged] = Recent(limits.remembered, REMEMBERED_CHARACTERS)
        self._explanations: Recent[Explanation] = Recent(REMEMBERED_EXPLANATIONS, EXPLANATIONS_CHARACTERS)
        self._started = time.monotonic()
        self._comparing = asyncio.Semaphore(MAX_COMPARISONS)

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
        return {"model": self.model, "scores": [_score(score, self.judge.min_score) for score in scores]}

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

    async def compare(self, body: bytes) -> Answer:
        """Return the answer to ``POST /compare``."""
        request = read_comparing(body, self.limits)
        all_texts = [text for texts in request.systems.values() for text in texts]
        scored = iter(await self._scored(all_texts))
        judged = {name: [next(scored) for _ in texts] for name, texts in request.systems.items()}
        scores = {name: [score.naturalness for score in values] for name, values in judged.items()}
        async with self._comparing:
            compared = await asyncio.to_thread(compare_scores, scores, paired=request.paired)
        answer = _comparison(compared, judged, paired=request.paired)
        return {"model": self.model} | answer

    async def _scored(self, texts: Sequence[str]) -> list[Judged]:
        def refused(text: str) -> Judged:
            return Judged(math.nan, math.nan, None, self._too_long)

        return await self._known(texts, None, self._scores, self.worker.score, refused)

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


def _score(score: Judged, min_score: float | None) -> dict[str, Any]:
    """Return the response's entry for a text; ``below`` is null if there is no minimum or no score."""
    below = None if min_score is None or math.isnan(score.naturalness) else score.naturalness < min_score
    standing = asdict(score.standing) if score.standing else None
    return score._asdict() | {"standing": standing, "axes": dict(score.axes), "below": below}


def _explanations(explanations: Sequence[Explanation], *, in_words: bool) -> dict[str, Any]:
    """Return one entry per text; ``in_words`` adds the wording of the page."""
    rows = [asdict(explanation) for explanation in explanations]
    if in_words:
        rows = [
            row | {"shown": card(explanation, i + 1)}
            for i, (row, explanation) in enumerate(zip(rows, explanations, strict=True))
        ]
    return {"explanations": rows}


def _comparison(comparison: Compared, judged: Mapping[str, Sequence[Judged]], *, paired: bool) -> dict[str, Any]:
    """Return systems with their scores, best first, and pairs of systems; numbers have six significant digits."""
    answer: dict[str, Any] = rounded(
        {
            "paired": paired,
            "systems": [asdict(part) | _in_lists(judged[part.system]) for part in comparison.systems],
            "pairs": [asdict(part) | {"differs": part.differs} for part in comparison.pairs],
            "verdict": list(comparison.verdict),
        }
    )
    return answer


def _in_lists(scores: Sequence[Judged]) -> dict[str, Any]:
    """Return the scores and voices of a system's texts, and the axes of an adapted model; NaN for unscored texts."""
    names = dict.fromkeys(name for score in scores for name in score.axes)
    return {
        "naturalness": [score.naturalness for score in scores],
        "voice": [score.voice for score in scores],
        "axes": {name: [score.axes.get(name, math.nan) for score in scores] for name in names},
    }


def as_bytes(value: Mapping[str, Any]) -> bytes:
    """Encode a value as JSON in ASCII, because lone surrogates in a text cannot be encoded as UTF-8."""
    text = json.dumps(finite(value), allow_nan=False)
    return f"{text}\n".encode("ascii")
