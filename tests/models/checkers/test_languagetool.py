"""LanguageTool: matches with their offsets in the original text, and the start of its server.

A fake server stands for LanguageTool; the last test needs the real one (LTP_PATH, ../shared/tools/languagetool).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from naturalness.errors import NaturalnessError
from naturalness.features.grammar import GrammarFeatures
from naturalness.text.matches import Match, Matches, MatchFinder
from naturalness.text.parsing import MAX_CHARACTERS, parse
from tests.support.commands import printed
from tests.support.fake_languagetool import RULES, FakeServer, install

languagetool = pytest.importorskip(
    "naturalness.models.checkers.languagetool",
    reason="needs the extra languagetool",
    exc_type=NaturalnessError,  # type: ignore[arg-type]
)
VARIABLE, LanguageToolChecker = languagetool.VARIABLE, languagetool.LanguageToolChecker
available, close, version = languagetool.available, languagetool.close, languagetool.version

TYPO = Match(17, 20, "FAKE_SPELLER", "TYPOS", "Not teh.", ("the", "ten", "tea", "tech", "Ted"), "error")
STYLE = Match(27, 36, "TWICE", "STYLE", "Not very very.", ("",), "hint")
SHARED = Path(__file__).parents[4] / "shared" / "tools" / "languagetool"
IN_CHILD = (
    "from naturalness.features.grammar import open_checker; from naturalness.text.parsing import parse; "
    "import os; print(os.environ['NATURALNESS_LANGUAGETOOL'], len(open_checker().check(parse(['teh']))[0].matches))"
)


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close the server before and after each test."""
    monkeypatch.delenv(VARIABLE, raising=False)
    yield
    close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """Run a user's server in this process."""
    with FakeServer() as running:
        monkeypatch.setenv(VARIABLE, running.address)
        yield running


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with Java and LanguageTool, to which the environment points."""
    for name, value in install(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def test_matches_have_offsets_in_the_original_text(server: FakeServer) -> None:
    """Offsets account for removed spaces and an emoji; five suggestions are kept."""
    checker = LanguageToolChecker()
    assert isinstance(checker, MatchFinder)
    text = "I do n't 😀 know  teh man , very very well ."
    (findings,) = checker.check(parse([text]))
    assert findings == Matches((TYPO, STYLE))
    assert [text[m.start : m.end] for m in findings.matches] == ["teh", "very very"]
    assert server.texts[-1] == "I don't 😀 know teh man, very very well."


def test_paragraphs_are_separated_and_emoji_count_twice(server: FakeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paragraphs are sent with an empty line between them; lengths in UTF-16 units are converted to characters."""
    monkeypatch.setitem(RULES, "😀 i", ("FACE", "C", "style", []))
    text = "Teh news\n\nThey 😀 is here\n \nteh 😀 end"
    (findings,) = LanguageToolChecker().check(parse([text]))
    assert server.texts[-1] == "Teh news\n\nThey 😀 is here\n\nteh 😀 end"
    assert [text[m.start : m.end] for m in findings.matches] == ["😀 i", "teh"]


def test_unusable_texts_are_not_sent(server: FakeServer) -> None:
    """A text that the server refuses does not affect the others."""
    docs = parse(["Is teh it?", "", " \n", "x" * (MAX_CHARACTERS + 1), "refuse teh"])
    findings = LanguageToolChecker().check(docs)
    assert [len(result.matches) for result in findings] == [1, 0, 0, 0, 0]
    assert server.texts == ["Is teh it?", "refuse teh"]
    assert findings[4] == Matches((), "LanguageTool returned Error: no.")


@pytest.mark.parametrize(
    ("address", "message"),
    [("tcp:8081", "is not the address of a LanguageTool server"), ("http://127.0.0.1:9", "start one there, or unset")],
)
def test_an_unusable_address_is_an_error(address: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the user's server cannot be used, no other server is started."""
    monkeypatch.setenv(VARIABLE, address)
    assert message in available()
    with pytest.raises(NaturalnessError, match=message):
        version()


def test_no_request_goes_through_a_proxy(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests to the started server and to the user's server bypass proxies."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "example.org")
    assert version() == "6.8"
    assert os.environ["no_proxy"] == "127.0.0.1,example.org"
    monkeypatch.setenv(VARIABLE, os.environ[VARIABLE].partition("#")[0])
    monkeypatch.setenv("no_proxy", "")
    assert len(LanguageToolChecker().check(parse(["teh"]))[0].matches) == 1


def test_child_processes_share_the_server(machine: Path) -> None:
    """A child uses its parent's server on the loopback address until the parent closes it."""
    assert available() == "" and VARIABLE not in os.environ
    assert version() == "6.8"
    shared = os.environ[VARIABLE]
    assert shared.startswith("http://127.0.0.1:") and shared.endswith(f"#{os.getpid()}")
    assert printed(IN_CHILD).split() == [shared, "1"]
    close()
    assert VARIABLE not in os.environ


def test_a_dead_server_is_started_again(machine: Path) -> None:
    """After a crash, the text is sent again; a text that crashes the server twice has no matches."""
    docs = parse(["teh one", f"trip {machine / 'once'} teh", "kill it", "teh two"])
    findings = LanguageToolChecker().check(docs)
    assert [len(result.matches) for result in findings] == [1, 1, 0, 1]
    assert findings[2] == Matches((), languagetool.CRASHED)


def test_a_server_that_exits_early_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that exits early raises an error that says that LanguageTool crashed at its start."""
    for name, value in install(tmp_path, early="exit 1").items():
        monkeypatch.setenv(name, value)
    with pytest.raises(NaturalnessError, match=r"LanguageTool crashed at its start: .* exited early"):
        version()


def test_missing_programs_are_reported(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing JAR file and missing Java are reported; nothing is downloaded."""
    (machine / "lt" / "LanguageTool-6.8" / "languagetool-server.jar").unlink()
    assert f"no LanguageTool in {machine / 'lt'}; run: python -c" in available()
    monkeypatch.setenv("PATH", str(machine))
    assert "needs Java 17" in available()


def test_the_real_program_finds_known_mistakes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program finds errors at their offsets in the original text, and none in a sound sentence."""
    if "LTP_PATH" not in os.environ and SHARED.is_dir():
        monkeypatch.setenv("LTP_PATH", str(SHARED))
    if reason := available():
        pytest.skip(f"no LanguageTool: {reason}")
    texts = ["He go to school by bus.", "The 😀 dog dont know  teh way.", "The ferry leaves at nine."]
    agreement, typos, sound = LanguageToolChecker().check(parse(texts))
    assert {match.rule for match in agreement.matches} == {"HE_VERB_AGR"}
    assert "teh" in {texts[1][match.start : match.end] for match in typos.matches if match.category == "TYPOS"}
    assert sound == Matches(())
    assert GrammarFeatures().extract(parse([texts[0], texts[2]]))[:, 0].tolist() == [1, 0]
