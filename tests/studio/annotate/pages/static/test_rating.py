"""Rating in a browser with a separate server: crashes, and several windows."""

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


def test_rate_thirty_sentences_by_keyboard(server: Server, new_rater: OpenRater) -> None:
    """Ratings, a skip, undone answers and notes are stored as given; no key rates while the rater writes."""
    ann = new_rater(server)
    seen: list[tuple[str, float | None, str]] = []
    for number in range(30):
        text, note, value = ann.text, "", float(number % 3)
        if number % 10 == 4:
            note = f"1 2 3 s u m n c ? number {number}"
            ann.page.keyboard.press("n")
            ann.page.keyboard.type(note)
            ann.page.keyboard.press("Enter")
        if number == 7:
            ann.press("s")
            seen.append((text, None, ""))
            continue
        ann.press(str(int(value) + 1))
        seen.append((text, value, note))
        if number == 12:
            ann.press("u")
            assert ann.text == text
            ann.press("1")
            seen[-1] = (text, 0.0, "")
        if number == 14:
            ann.press("u")
            assert ann.page.input_value("#note") == note
            ann.press("3")
            seen[-1] = (text, 2.0, note)
    assert server.stop() == 0
    ratings = ratings_of(server)
    with Project.open(server.project) as project:
        texts = project.texts()
    assert [(texts[r.question.texts[0]].text, r.answer.value, r.answer.note) for r in ratings] == seen
    assert sum(r.question.test for r in ratings) == 6
    assert sum(r.question.again for r in ratings) >= 2


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


def test_full_disk_costs_no_answer(server: Server, new_rater: OpenRater) -> None:
    """The page says why it waits; the answer is stored once, when there is room."""
    resource = pytest.importorskip("resource", reason="needs limits of a process")
    ann = new_rater(server)
    for _ in range(3):
        ann.press("2")
    assert server.process is not None
    limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    try:
        # No file may grow, as on a full disk.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, limits[1]))
        ann.page.keyboard.press("1")
        eventually(lambda: "room on the disk" in ann.page.inner_text("#notice"))
        assert "kept in this browser" in ann.page.inner_text("#notice")
        assert len(ratings_of(server)) == 3
    finally:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
    ann.wait_until_free()
    ann.press("u")
    ann.press("3")
    assert server.stop() == 0
    assert [one.answer.value for one in ratings_of(server)] == [1.0, 1.0, 1.0, 2.0]


def test_answer_survives_browser_and_server(server: Server, new_rater: OpenRater) -> None:
    """It is in the browser's storage, and is sent when the page is opened again."""
    ann = new_rater(server)
    ann.press("2")
    server.kill()
    ann.page.keyboard.press("3")
    eventually(lambda: ann.is_cut_off)
    context = ann.page.context
    ann.page.close()
    server.start()
    again = Rater(context.new_page(), server, "Ann")
    again.page.goto(server.base)
    again.wait_for_sentence()
    assert again.done == 2
    server.stop()
    assert [one.answer.value for one in ratings_of(server)] == [1.0, 2.0]


def test_rater_uses_two_windows(rate_here: Callable[..., Rater]) -> None:
    """A question is answered once; the other window says so, and shows the next one."""
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
