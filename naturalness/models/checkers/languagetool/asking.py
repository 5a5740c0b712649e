"""Send many texts to a server: several at a time, each in its own request, none lost.

A request for each text keeps texts apart: rules that look beyond a sentence see no neighbour, and a
text that takes too long, or brings the server down, is the only one that goes without an answer.
Many texts in one request would be little faster: a server that keeps its rules between requests
takes nearly all its time for spelling suggestions and the analysis of sentences.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool import client, sharing

MAX_THREADS = 4
SECONDS = 30.0
SECONDS_PER_CHARACTER = 0.001
"""A sentence takes a hundredth of a second; but the first of each of our threads waits until the
server has set up rules for it, which took ten seconds on a machine with much other work."""
DEATHS = 3
"""How often a text may be under way when the server dies, the last time alone, before it is skipped."""
PATIENCE = 40
"""Servers that may die in a row without an answer between them, once there has been one."""
FRUITLESS = 4
"""Servers that may die in a row before any text is answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says of a text: matches as it reports them, or why there are none."""

    matches: tuple[dict[str, Any], ...] = ()
    problem: str = ""
    slow: bool = field(default=False, compare=False)
    """Whether it took too long, perhaps because other texts kept the server busy."""


def limit(text: str) -> float:
    """Return how many seconds the check of a text may take."""
    return SECONDS + SECONDS_PER_CHARACTER * len(text)


def ask_all(texts: Sequence[str], *, language: str) -> list[Answer]:
    """Return the answer to each text; a server that dies on the way is started again."""
    answers: dict[int, Answer] = {}
    deaths: Counter[int] = Counter()
    suspects: set[int] = set()  # asked alone, when all others have their answers
    fruitless, patience = 0, FRUITLESS
    while left := [i for i in range(len(texts)) if i not in answers]:
        here = sharing.address()
        batch = [i for i in left if i not in suspects] or left[:1]
        replies = _Round(here, language, texts, batch).run()
        died = [i for i, answer in replies.items() if answer is None]
        deaths.update(died)
        if len(died) < len(replies):
            patience = PATIENCE
        for i, answer in replies.items():
            if answer is None and deaths[i] == DEATHS:
                answers[i] = Answer(problem="LanguageTool crashed each time it checked this text")
            elif answer is not None and (not answer.slow or i in suspects):
                answers[i] = answer
            elif answer is not None or deaths[i] == DEATHS - 1:
                suspects.add(i)
        if died:
            fruitless = 0 if any(i in answers for i in replies) else fruitless + 1
            if fruitless == patience:
                raise NaturalnessError(
                    "LanguageTool crashes at every request, whatever the text, perhaps for lack of memory; "
                    "run: naturalness doctor"
                )
            sharing.renew(here)
    return [answers[i] for i in range(len(texts))]


class _Round:
    """One server asked about some texts, until all are answered or it dies."""

    def __init__(self, address: str, language: str, texts: Sequence[str], asked: Sequence[int]) -> None:
        self.address = address
        self.language = language
        self.texts = texts
        self.waiting = iter(asked)
        self.threads = min(MAX_THREADS, os.cpu_count() or 1, len(asked))
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.answers: dict[int, Answer | None] = {}
        """None where the server died; texts that were not asked are missing."""
        self.failure: BaseException | None = None

    def run(self) -> dict[int, Answer | None]:
        """Ask; an interrupt ends it at once, whatever the server does."""
        # A process waits at its end for the threads of a pool, even while a server hangs.
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(self.threads)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        finally:
            self.over.set()
        if self.failure is not None:
            raise self.failure
        return self.answers

    def _work(self) -> None:
        try:
            while not self.over.is_set():
                with self.lock:
                    i = next(self.waiting, None)
                if i is None:
                    return
                answer = self._ask(self.texts[i])
                with self.lock:
                    self.answers[i] = answer
                if answer is None:
                    self.over.set()
        except BaseException as error:
            self.failure = error
            self.over.set()

    def _ask(self, text: str) -> Answer | None:
        seconds = limit(text)
        try:
            matches = client.check(self.address, text, language=self.language, seconds=seconds)
        except client.Unreachable:
            return None
        except client.TooSlow:
            if not client.answers(self.address, sharing.ALIVE_SECONDS):
                return None
            reason = f"LanguageTool took longer than {seconds:.0f} seconds"
            return Answer(problem=reason, slow=True)
        except client.Refused as error:
            return Answer(problem=f"LanguageTool returned {error}")
        return Answer(tuple(matches))
