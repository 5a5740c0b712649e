"""The content of the pages, their protection against foreign scripts, and the buttons and keys of each scale."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from naturalness.studio.annotate.asking.teaching import Figure
from naturalness.studio.annotate.pages.pages import BASE, describe_figure, files, keys_of, said, steps_of
from naturalness.studio.annotate.project import LABELS, POINTS, SLIDER, Answer, Scale
from naturalness.studio.annotate.project.guidelines import usual_guidelines
from tests.support.annotation_pages import HOST, NATURAL, SCALES, MakeDesk, Pages
from tests.support.taught import learned

SIX, SLIDE = SCALES["points"], SCALES["slider"]
MANY = Scale(POINTS, 0.0, 12.0)


@pytest.mark.parametrize(
    ("scale", "value", "words"),
    [(NATURAL, 0.0, "unnatural"), (SIX, 4.0, "4 of 6"), (SLIDE, 62.0, "62 of 100"), (NATURAL, None, "skipped")],
)
def test_values_in_words(scale: Scale, value: float | None, words: str) -> None:
    """A value is shown in the words of its scale."""
    assert said(scale, value) == words


def test_screen_readers_hear_the_ends_of_a_scale() -> None:
    """The first and the last button are read out with the ends named in the guidelines."""
    assert [step.title for step in steps_of(SIX)] == list("123456")
    assert steps_of(SIX, ("least natural", "most natural"))[0].spoken == "1, least natural"
    assert steps_of(SIX)[5].spoken == "6, best"
    assert steps_of(SLIDE) == ()


@pytest.mark.parametrize("scale", [*SCALES.values(), MANY])
def test_each_key_has_one_action(scale: Scale) -> None:
    """The tenth value has the key 0, and further values have no key."""
    keys = keys_of(scale)
    assert len(set(keys.values())) == len(keys)
    assert keys_of(SIX)["value:4"] == "4" and keys_of(NATURAL)["value:0"] == "1"
    assert [keys_of(MANY).get(f"value:{n}") for n in (0, 9, 10, 12)] == ["0", "9", None, None]
    assert keys_of(Scale(LABELS, 0.0, 9.0, tuple("abcdefghij")))["value:9"] == "0"


EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}"
PATHS = ("/", "/rater", "/learned", "/learned/part")


class Markup(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Store a tag."""
        self.tags.append((tag, dict(attributes)))


def enter(pages: Pages, name: str = "Ann") -> None:
    """Send a rater's name, as the page does; the client stores the cookie."""
    reply = pages.client.post("/api/rater", json={"name": name}, headers={"origin": HOST})
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("path", PATHS)
def test_text_from_outside_never_becomes_markup(make_desk: MakeDesk, path: str) -> None:
    """Texts, notes and names are shown as text; pages load only files of the package."""
    texts = [f"{EVIL} number {n}" for n in range(12)]
    desk = make_desk(texts, name=f"{EVIL.replace('/', '')}.project", overlap=2)
    for number in range(8):
        rater = (EVIL, "Ben")[number % 2]
        question = desk.next(rater)
        assert question is not None
        desk.answer(question.number, Answer(float(number % 2) * 2, note=EVIL, cause="order"))
    desk.learning.taught = learned()
    desk.learning._troubles["a failure"] = EVIL
    pages = Pages(desk, EVIL)
    enter(pages, EVIL)
    page = pages.get(path)
    assert page.status_code == 200
    assert EVIL not in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for tag, attributes in Markup(page.text).tags:
        assert tag != "img"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in ("src", "href"):
            at = attributes.get(name) or "/"
            assert at.startswith(("/", "#")), (tag, at)
            assert tag != "script" or re.fullmatch(r"/static/\w+\.js", attributes["src"] or "")
            if at.startswith("/static/"):
                assert pages.get(at).status_code == 200


def test_scripts_write_no_markup() -> None:
    """Scripts import only scripts of the package, and never insert markup."""
    known = files()
    assert BASE in known
    for name, (data, _) in known.items():
        script = data.decode()
        assert set(re.findall(r'from "\./(\w+\.js)"', script)) <= set(known)
        if name.endswith(".js"):
            for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
                assert way not in script, name
            # One page takes markup from the server, which is escaped there.
            assert ("DOMParser" in script) is (name == "learned.js")


@pytest.mark.parametrize("name", ["..%2fapp.py", "app.py", "%2e%2e/app.py", "nothing.js"])
def test_no_other_file_is_served(make_desk: MakeDesk, name: str) -> None:
    """Paths outside the folder of static files give status 404."""
    assert Pages(make_desk()).get(f"/static/{name}").status_code == 404


def test_rater_enters_a_name_first(make_desk: MakeDesk) -> None:
    """Without a name, the rating page redirects; the name is stored in a cookie and shown."""
    pages = Pages(make_desk())
    reply = pages.get("/")
    assert (reply.status_code, reply.headers["location"]) == (303, "/rater")
    enter(pages, "Zoë “Z” O'Neil; x=y")
    assert "Zoë “Z” O&#39;Neil; x=y" in pages.get("/").text
    (cookie,) = (c for c in pages.client.cookies.jar if "rater" in c.name)
    assert cookie.has_nonstandard_attr("HttpOnly")
    for name in ("", "x" * 101, None, 5):
        reply = pages.client.post("/api/rater", json={"name": name}, headers={"origin": HOST})
        assert (reply.status_code, "name" in reply.json()["error"]) == (409, True)


def test_model_page(make_desk: MakeDesk) -> None:
    """The page shows figure, curve, advice and commands, or that nothing has been learned; versions identify models."""
    pages = Pages(make_desk())
    assert "Nothing has been learned yet" in pages.get("/learned").text
    before = pages.get("/api/live").json()["version"]
    pages.desk.learning.taught = learned()
    pages.desk.learning.version += 1
    assert pages.get("/api/live").json()["version"] != before
    part = pages.get("/learned/part").text
    for words in (
        "0.55",
        "0.31 to 0.72",
        "rank correlation",
        "Go on: the model still grows.",
        "<svg",
        '<th scope="row">40</th><td>0.500</td>',
        "71% (45% to 88%)",
        "10 answers needed",
        "hotel.project --export rated.csv",
        "naturalness train rated.csv -o my-model",
    ):
        assert words in part, words
    undefined = Figure("", math.nan, math.nan, math.nan, 25)
    assert "the 25 held out" in describe_figure(replace(learned(), figure=undefined))["said"]


@pytest.mark.parametrize("scale", SCALES.values(), ids=list(SCALES))
def test_question_and_instructions_are_on_every_page(make_desk: MakeDesk, scale: Scale) -> None:
    """Instructions are expanded until the rater's first answer, and again after they change."""
    pages = Pages(make_desk(scale=scale))
    enter(pages)
    question = usual_guidelines().question
    page = pages.get("/").text
    assert f'<h1 class="question">{question}</h1>' in page
    assert "<strong>" in page.partition('class="guide-text"')[2]
    assert " open>" in page.partition('class="guide"')[2][:120]
    assert f"<h2>{question}</h2>" in pages.get("/rater").text
    pages.rate(scale.low)
    assert " open>" not in pages.get("/").text.partition('class="guide"')[2][:120]
    pages.desk.project.settings.set_guidelines("# Would <b>you</b> say that?\n*never … daily*\n\nBe quick & *kind*.")
    page = pages.get("/").text
    assert '<h1 class="question">Would &lt;b&gt;you&lt;/b&gt; say that?</h1>' in page
    assert "<p>Be quick &amp; <em>kind</em>.</p>" in page
    assert " open>" in page.partition('class="guide"')[2][:120]
    assert ("<span>never</span>" in page) == (scale.kind in (POINTS, SLIDER))
    pages.desk.project.settings.set_guidelines("# Fine?")
    assert 'class="guide"' not in pages.get("/").text
