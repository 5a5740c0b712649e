"""The pages as they are sent: what is on them, and that nothing on them can run."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from naturalness.studio.annotate.pages.pages import BASE, describe_figure, files
from naturalness.studio.annotate.project import PAIRS, POINTS, SLIDER, Answer, Scale
from naturalness.studio.annotate.project.guidelines import usual_guidelines
from naturalness.studio.web.tokens import Access
from tests.support.annotation_pages import HOST, NATURAL, TOKEN, MakeDesk, OpenPages, Pages, differ
from tests.support.annotation_projects import rate
from tests.support.taught import learned

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>{{7*7}}"
PATHS = ("/", "/rater", "/answers", "/learned", "/learned/part")


class Markup(HTMLParser):
    """Tags, attributes and text of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Keep it."""
        self.tags.append((tag, dict(attributes)))


def enter(pages: Pages, name: str = "Ann") -> None:
    """Say a name, as the page does; the cookie stays with the client."""
    reply = pages.client.post("/api/rater", json={"name": name}, headers={"origin": HOST})
    assert reply.status_code == 200, reply.text


@pytest.fixture
def hostile(make_desk: MakeDesk, open_pages: OpenPages) -> Pages:
    """A project in which everything that comes from outside is an attack."""
    texts = [f"{EVIL} number {n}" for n in range(12)]
    desk = make_desk(texts, name=f"{EVIL.replace('/', '')}.project", overlap=2)
    for number in range(8):
        rater = (EVIL, "Ben")[number % 2]
        question = desk.next(rater)
        assert question is not None
        desk.answer(question.number, Answer(float(number % 2) * 2, note=EVIL, cause="order"))
    desk.teaching.taught = learned()
    desk.measuring.trouble = EVIL
    pages = open_pages(desk, EVIL)
    enter(pages, EVIL)
    return pages


@pytest.mark.parametrize("path", PATHS)
def test_what_comes_from_outside_is_text(hostile: Pages, path: str) -> None:
    """Texts, notes, names of raters and files are shown, and never become markup."""
    page = hostile.get(path)
    assert page.status_code == 200
    assert EVIL not in page.text
    markup = Markup(page.text)
    for tag, attributes in markup.tags:
        assert tag != "img"
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        if tag == "script":
            assert re.fullmatch(r"/static/\w+\.js", attributes["src"] or "")


def test_scripts_write_no_markup() -> None:
    """Nothing that comes from a project reaches a page by a way that reads markup."""
    for name, (data, _) in files().items():
        script = data.decode()
        if not name.endswith(".js"):
            continue
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in script, name
        # One page takes markup of the server, which is escaped there.
        assert ("DOMParser" in script) is (name == "learned.js")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_else_is_loaded(make_desk: MakeDesk, open_pages: OpenPages, path: str) -> None:
    """All addresses are ours, the policy says so too, and every file is there."""
    pages = open_pages(make_desk())
    enter(pages)
    page = pages.get(path)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for tag, attributes in Markup(page.text).tags:
        for name in ("src", "href"):
            at = attributes.get(name) or "/"
            assert at.startswith(("/", "#")), (tag, at)
            if at.startswith("/static/"):
                assert pages.get(at).status_code == 200


def test_files_name_files_that_are_there() -> None:
    """No import of a script is forgotten in the package."""
    known = files()
    for name, (data, _) in known.items():
        for wanted in re.findall(r'from "\./(\w+\.js)"', data.decode()):
            assert wanted in known, name
    assert BASE in known


@pytest.mark.parametrize("name", ["..%2fapp.py", "app.py", "%2e%2e/app.py", "nothing.js"])
def test_only_these_files_are_given(make_desk: MakeDesk, open_pages: OpenPages, name: str) -> None:
    """Nothing else of the disk can be asked for."""
    assert open_pages(make_desk()).get(f"/static/{name}").status_code == 404


def test_the_name_comes_first(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """Without one there is nothing to rate; with one it is on every page."""
    pages = open_pages(make_desk())
    reply = pages.get("/")
    assert (reply.status_code, reply.headers["location"]) == (303, "/rater")
    enter(pages, "Zoë “Z” O'Neil; x=y")
    assert "Zoë “Z” O&#39;Neil; x=y" in pages.get("/").text
    (cookie,) = (c for c in pages.client.cookies.jar if "rater" in c.name)
    assert cookie.has_nonstandard_attr("HttpOnly")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101, None, 5])
def test_what_is_no_name(make_desk: MakeDesk, open_pages: OpenPages, name: object) -> None:
    """It is refused in words; a cookie with one is as good as none."""
    pages = open_pages(make_desk())
    reply = pages.client.post("/api/rater", json={"name": name}, headers={"origin": HOST})
    assert reply.status_code in (409, 422)
    assert "name" in reply.json()["error"]


def test_the_keys_of_a_rater_are_on_their_page(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """And not on those of others."""
    pages = open_pages(make_desk())
    keys = pages.post("/api/keys", keys=None).json()["keys"]
    pages.post("/api/keys", keys={**keys, "skip": "x"})
    for name, key in (("Ann", "x"), ("Ben", "s")):
        enter(pages, name)
        assert f'"skip": "{key}"'.replace('"', "&#34;") in pages.get("/").text


@pytest.mark.parametrize("scale", [NATURAL, Scale(POINTS, 0.0, 12.0)])
def test_every_step_has_a_button(make_desk: MakeDesk, open_pages: OpenPages, scale: Scale) -> None:
    """Also those that have no key."""
    pages = open_pages(make_desk(scale=scale))
    enter(pages)
    page = pages.get("/").text
    assert page.count("data-value=") == scale.high - scale.low + 1


def test_what_was_learned_is_told(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """Figure with its interval, curve with its numbers, causes, agreement, advice, commands."""
    pages = open_pages(make_desk())
    assert "Nothing has been learned yet" in pages.get("/learned").text
    before = pages.get("/api/version").json()
    pages.desk.teaching.taught = learned()
    pages.desk.teaching.version += 1
    assert pages.get("/api/version").json() != before
    part = pages.get("/learned/part").text
    for words in (
        "0.55",
        "0.31 to 0.72",
        "rank correlation",
        "Go on: it still grows.",
        "<svg",
        '<th scope="row">40</th><td>0.500</td>',
        "word order",
        "60%",
        "71% (45% to 88%)",
        "10 answers needed",
        "hotel.project -o rated.csv",
        "naturalness train rated.csv -o my-model",
    ):
        assert words in part, words


def test_strangers_get_nothing(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """No token, another name of the host, another site, too much, a form: refused in words."""
    pages = open_pages(make_desk())
    number = pages.turn()["question"]["number"]
    body = {"project": pages.desk.identity, "rater": "Ann", "question": number, "value": 1}
    same_origin = {"origin": HOST}
    post = pages.client.post
    assert post("/api/answer", json=body, headers={**same_origin, "authorization": ""}).status_code == 401
    assert pages.client.get("/", headers={"authorization": ""}).status_code == 401
    assert pages.client.get("/", headers={"host": "evil.example"}).status_code == 421
    evil = {"origin": "https://evil.example"}
    assert post("/api/answer", json=body, headers=evil).status_code == 403
    assert post("/api/answer", data=body, headers=same_origin).status_code == 415
    big = {**body, "note": "x" * 10_000_000}
    assert post("/api/answer", json=big, headers=same_origin).status_code == 413
    assert pages.client.get("/api/answer").status_code == 405
    assert pages.desk.project.ratings() == []


def test_the_printed_address_lets_in(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """It sets a cookie and leads to the page without the token in its address."""
    pages = open_pages(make_desk())
    del pages.client.headers["authorization"]
    reply = pages.client.get(f"/?token={TOKEN}", headers={"sec-fetch-site": "none"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert Access(TOKEN).cookie in reply.headers["set-cookie"]
    assert pages.client.get("/rater").status_code == 200


def test_templates_and_files_are_in_the_package() -> None:
    """Beside the code that reads them; each has one subject too."""
    folder = Path(__file__).parents[4] / "naturalness" / "studio" / "annotate" / "pages"
    for path in [*folder.glob("static/*"), *folder.glob("templates/*")]:
        assert path.read_text(encoding="utf-8").count("\n") < 300, path.name


SCALES = (NATURAL, Scale(POINTS, 1.0, 5.0), Scale(SLIDER, 0.0, 100.0), Scale(PAIRS, -1.0, 1.0))


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.kind)
def test_the_question_and_the_instructions_are_on_every_page(
    make_desk: MakeDesk, open_pages: OpenPages, scale: Scale
) -> None:
    """Where people rate and correct; unfolded for who has answered nothing under these."""
    pages = open_pages(make_desk(scale=scale))
    enter(pages)
    question = usual_guidelines(scale).question
    for path in ("/", "/answers"):
        page = pages.get(path).text
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


def test_agreement_is_shown_where_two_rated_the_same(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """Nothing about it before: neither of one rater, nor of two who rated other texts, or skipped one."""
    desk = make_desk(overlap=2)
    pages = open_pages(desk)
    enter(pages)
    shown = ("/learned", "/learned/part")
    for rater, number, value in (("Ann", 3, 0.0), ("Ann", 4, 2.0), ("Ben", 5, 2.0), ("Ben", 4, None)):
        for path in shown:
            assert "Agreement of raters" not in pages.get(path).text
        rate(desk.project, rater, number, value)
    for path in shown:
        assert "Agreement of raters" not in pages.get(path).text
    differ(desk, 7)
    for path in shown:
        section = pages.get(path).text.partition("Agreement of raters</h2>")[2].partition("</section>")[0]
        (row,) = re.findall(r"<tbody>\s*<tr>(.*?)</tr>\s*</tbody>", section, re.S)
        assert re.sub(r"<[^>]+>", " ", row).split() == ["Ann", ",", "Ben", "20", "texts", "needed", "1"]


def test_no_figure_of_agreement_stands_on_a_few_texts(make_desk: MakeDesk, open_pages: OpenPages) -> None:
    """From twenty texts on it has its interval; before, the page says how many are needed."""
    desk = make_desk([f"This is sentence number {n}." for n in range(30)], overlap=2)
    pages = open_pages(desk)
    enter(pages)
    for number in range(20):
        assert "20 texts needed" in pages.get("/learned").text or not number
        rate(desk.project, "Ann", number, number % 3)
        rate(desk.project, "Ben", number, number % 3 if number > 4 else 1)
    (alpha,) = re.findall(r"<td>(0\.\d\d \(0\.\d\d to \d\.\d\d\))</td><td>85%</td>", pages.get("/learned").text)
    low, high = desk.project.agreement().interval
    assert alpha == f"{desk.project.agreement().alpha:.2f} ({low:.2f} to {high:.2f})"
    assert 0 < low < desk.project.agreement().alpha < high


def test_the_page_shows_no_figure_of_a_small_test_set() -> None:
    """Beside the sentence stand words instead, and on the page of the model."""
    assert describe_figure(None) == {"value": "", "said": "no figure before 20 texts are held out for it"}
    assert describe_figure(replace(learned(), figures=())) == describe_figure(None)
    assert describe_figure(learned())["value"] == "0.55"
