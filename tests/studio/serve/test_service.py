"""Work on an answer ends when its time is up, or nobody waits for it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from naturalness.studio.serve.service import while_waited_for
from naturalness.studio.web.refusals import Refusal


def play(work: float, gone: float, seconds: float) -> tuple[Any, bool]:
    """The answer to work of so many seconds, and whether it was broken off."""
    broken_off = False

    async def working() -> dict[str, Any]:
        nonlocal broken_off
        try:
            await asyncio.sleep(work)
        except asyncio.CancelledError:
            broken_off = True
            raise
        return {"done": True}

    async def scene() -> Any:
        try:
            return await while_waited_for(working(), asyncio.sleep(gone), seconds)
        except Refusal as refusal:
            return refusal.status

    return asyncio.run(scene()), broken_off


@pytest.mark.parametrize(
    ("work", "gone", "seconds", "expected"),
    [(0, 60, 60, ({"done": True}, False)), (60, 0, 60, (None, True)), (60, 60, 0.01, (504, True))],
)
def test_the_answer_the_client_and_the_clock(
    work: float, gone: float, seconds: float, expected: tuple[Any, bool]
) -> None:
    """Whichever comes first; work that nobody waits for is broken off."""
    assert play(work, gone, seconds) == expected


def test_an_error_of_the_work_is_the_answer() -> None:
    """As it was raised."""

    async def failing() -> dict[str, Any]:
        raise Refusal(400, "no")

    with pytest.raises(Refusal, match="no"):
        asyncio.run(while_waited_for(failing(), asyncio.sleep(60), 60))
