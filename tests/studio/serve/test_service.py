"""Work on an answer is cancelled if the client disconnects."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from naturalness.studio.serve.service import while_connected
from naturalness.studio.web.refusals import Refusal


def test_work_is_cancelled_if_the_client_disconnects() -> None:
    """If the client stays connected, the result or the error is returned."""
    ends: list[str] = []

    async def work(seconds: float, error: Exception | None = None) -> dict[str, Any]:
        try:
            await asyncio.sleep(seconds)
            if error:
                raise error
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise
        return {"done": True}

    assert asyncio.run(while_connected(work(0), asyncio.sleep(60))) == {"done": True}
    assert asyncio.run(while_connected(work(60), asyncio.sleep(0))) is None
    assert ends == ["cancelled"]
    with pytest.raises(Refusal, match="no"):
        asyncio.run(while_connected(work(0, Refusal(400, "no")), asyncio.sleep(60)))
