"""Rating in a browser: crashes of the server, and two windows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from naturalness.studio.annotate.project import Project, Rating
from tests.support.annotation_pages import OpenRater, Rater, Server, eventually
from tests.support.rated import sentences

pytestmark = pytest.mark.slow
TEXTS = [text for text, _, _ in sentences(80, seed=5)]


@pytest.fixture
def server(serve: Callable[..., Server]) -> Server:
    """Start a server."""
    return serve(TEXTS)


def ratings_of(server: Server) -> list[Rating]:
    """Return the ratings in the file, with skipped questions."""
    with Project.open(server.project) as project:
        return project.ratings(skipped=True)


def test_killed_server_loses_no_answer(server: Server, new_rater: OpenRater) -> None:
    """The page keeps an answer while the server is down, says so, and sends it once the server is back."""
    ann = new_rater(server)
    for _ in range(4):
        ann.press("2")
    for count in (4, 5):
        ann.page.keyboard.press("1")
        ann.page.wait_for_timeout((count - 4) * 20)  # the answer may be stored, and the reply lost
        server.kill()
        eventually(lambda n=count: ann.is_cut_off or ann.done > n)  # type: ignore[misc]
        if ann.done == count:
            ann.page.keyboard.press("3")  # no further answer is taken
        server.start()
        eventually(lambda n=count: ann.done == n + 1)  # type: ignore[misc]
        eventually(lambda: ann.page.inner_text("#notice") == "")
    server.kill()
    ann.page.keyboard.press("3")
    eventually(lambda: ann.is_cut_off)
    server.start()
    eventually(lambda: ann.done == 7)
    ann.press("2")
    server.stop()
    ratings = ratings_of(server)
    assert [one.answer.value for one in ratings] == [1.0] * 4 + [0.0, 0.0, 2.0, 1.0]
    assert len({one.question.number for one in ratings}) == len(ratings)


def test_rater_uses_two_windows(rate_here: Callable[..., Rater]) -> None:
    """A question is answered once; the other window says so and shows the next question."""
    one = rate_here(TEXTS)
    two = rate_here(beside=one)
    assert one.text == two.text
    one.press("1")
    two.page.keyboard.press("3")
    eventually(lambda: two.text == one.text)
    assert "another window" in two.page.inner_text("#notice")
    for _ in range(2):
        one.press("2")
        eventually(lambda: two.text == one.text)
        two.press("3")
        eventually(lambda: two.text == one.text)
    assert one.values == [0.0] + [1.0, 2.0] * 2
