"""The language server, called by a client over standard input and output."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.explaining.codes import codes
from tests.support.checks import checked
from tests.support.editor import Editor, Message, applied
from tests.support.explained import FINE, TEXT, WAS, WERE

HAND_MADE = """\
from naturalness.integrations import lsp
from tests.support.explained import REPAIRED, SURE, HandMade
lsp.SURE_TO_FIX = 0.5
lsp.load_model = lambda name: print("what a library says", flush=True) or HandMade([REPAIRED, SURE])
lsp.serve()
"""
EDITOR = Path(__file__).parents[2] / "editors" / "vscode"
RESOLVES = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """Start an editor whose server has a handmade model, and end the session."""
    folder = tmp_path_factory.mktemp("texts")
    (folder / "naturalness.toml").write_text("[check]\n")
    started = Editor(folder, code=HAND_MADE, **RESOLVES)
    yield started
    assert started.close() == 0


def starts(reports: list[Message]) -> list[tuple[int, int]]:
    """Return lines and columns of reports."""
    return [(report["range"]["start"]["line"], report["range"]["start"]["character"]) for report in reports]


def settings(editor: Editor, lines: str) -> None:
    """Change the settings, and notify the server."""
    path = editor.folder / "naturalness.toml"
    path.write_text(f"[check]\n{lines}\n")
    changed = [{"uri": path.as_uri(), "type": 2}]
    editor.tell("workspace/didChangeWatchedFiles", changes=changed)


def test_reports_are_those_of_check(editor: Editor) -> None:
    """Reports equal those of `check`, with columns in UTF-16 units, of which an emoji has two."""
    text = f"# Notes\n\n😀 {FINE} He **go**\r\nto school 語 yesterday.\n\n- {TEXT}\n"
    reports = editor.open("same.md", text)
    flaws = checked(text, "same.md").flaws
    assert [report["code"] for report in reports] == [flaw.code for flaw in flaws] == ["he-go", "he-go"]
    assert starts(reports) == [(2, text.split("\n")[2].index("go**") + 1), (5, 5)]
    assert reports[1]["message"] == (
        "“go”: after 'He' the verb ends in -s: 'goes'; unlike the training texts: 30% of its words are unknown "
        "(naturalness 0.113)"
    )


def test_edits_move_known_flaws_and_judge_new_sentences(editor: Editor) -> None:
    """A flaw moves with edits above it, disappears when it is fixed, and returns with the error."""
    assert starts(editor.open("moves.md", f"{FINE}\n\n{TEXT}\n")) == [(2, 3)]
    assert starts(editor.type("moves.md", f"{FINE}\n\nWe are here.\n\n{TEXT}\n")) == [(4, 3)]
    assert starts(editor.type("moves.md", f"{FINE}\n\nWe are here.\n\n{TEXT} {TEXT}\n")) == [(4, 3), (4, len(TEXT) + 4)]
    assert editor.type("moves.md", f"{FINE}\n\nWe are here.\n") == []
    assert starts(editor.type("moves.md", TEXT)) == [(0, 3)]


def test_lines_are_those_of_editors(editor: Editor) -> None:
    """A carriage return ends a line, a form feed does not, and a lone surrogate is replaced."""
    assert starts(editor.open("lines.txt", f"{FINE}\r\r{FINE}\f\n\n\ud800 is odd.\n\n{TEXT}", "plaintext")) == [(6, 3)]


@pytest.mark.parametrize(
    ("name", "language", "comment"),
    [
        ("a.md", "markdown", f"{FINE}\n{TEXT} <!-- naturalness: ignore he-go -->\n"),
        ("a.txt", "plaintext", f"{FINE}\n{TEXT} <!-- naturalness: ignore he-go -->\n"),
        ("README", "markdown", f"{FINE}\n{TEXT} <!-- naturalness: ignore he-go -->\n"),
    ],
)
def test_ignore_here(editor: Editor, name: str, language: str, comment: str) -> None:
    """The inserted comment suits the markup, and the flaw is no longer reported."""
    text = f"{FINE}\n\n{FINE}\n{TEXT}\n"
    (report,) = editor.open(name, text, language)
    action = next(one for one in editor.actions(name, report) if one["title"] == "Ignore he-go here")
    ignored = applied(text, action)
    assert ignored == f"{FINE}\n\n{comment}"
    assert editor.type(name, ignored) == []


def test_a_comment_is_not_inserted_into_code(editor: Editor) -> None:
    """At a line that ends within inline code, the comment follows the sentence."""
    (report,) = editor.open("a.md", f"{TEXT} Here `foo\nbar` is a name.\n", "markdown")
    action = next(one for one in editor.actions("a.md", report) if one["title"] == "Ignore he-go here")
    ignored = applied(f"{TEXT} Here `foo\nbar` is a name.\n", action)
    assert ignored == f"{TEXT} <!-- naturalness: ignore he-go --> Here `foo\nbar` is a name.\n"


def test_fixes(editor: Editor) -> None:
    """Replacements and the repair are offered; changes that `check --fix` would make are preferred."""
    text = f"😀 {FINE} {WAS}\n"
    (report,) = editor.open("fix.md", text)
    actions = {action["title"]: action for action in editor.actions("fix.md", report)}
    fix = actions["“was” → “were”: naturalness 0.713 (+0.600)"]
    assert (fix["kind"], fix["isPreferred"], fix["diagnostics"]) == ("quickfix", True, [report])
    assert applied(text, fix) == text.replace(WAS, WERE)
    assert len({json.dumps(action.get("edit")) for action in actions.values()}) == len(actions)
    quick = editor.actions("fix.md", report, triggerKind=2, only=["quickfix"])
    assert [action["title"].partition(":")[0] for action in quick] == ["“was” → “were”", "Ignore they-was here"]


def test_fix_all_when_chosen(editor: Editor) -> None:
    """The action makes all changes of `check --fix`, found when it is chosen, also in a text without reports."""
    text = f"{WAS}\n\n{FINE} There is two options.\n"
    (report,) = editor.open("all.md", text)
    (action,) = editor.actions("all.md", report, only=["source.fixAll"])
    assert "edit" not in action
    fixed = applied(text, editor.ask("codeAction/resolve", **action))
    assert fixed == f"{WERE}\n\n{FINE} There are two options.\n"
    assert editor.actions("all.md", report, only=["refactor"]) == []
    assert editor.open("quiet.md", text.replace(WAS, FINE)) == []
    assert editor.actions("quiet.md", report, only=["source.fixAll"])


def test_hover_gives_the_reason(editor: Editor) -> None:
    """Hovering over a sentence with a flaw shows score, findings, causes and the meaning of the code."""
    editor.open("why.md", f"{FINE}\n\n{TEXT}\n")

    def hover(line: int) -> Any:
        position = {"line": line, "character": 12}
        return editor.ask("textDocument/hover", textDocument={"uri": editor.uri("why.md")}, position=position)

    contents = hover(2)["contents"]
    assert contents["kind"] == "plaintext"
    lines = contents["value"].split("\n")
    assert lines[:2] == [
        "naturalness 0.113 (0.05 to 0.19): verb forms",
        "“go”: after 'He' the verb ends in -s: 'goes' [he-go]",
    ]
    assert "verb forms −1.8; articles, prepositions, pronouns −0.6" in lines
    assert lines[-1].startswith("he-go: ")
    assert hover(0) is None


def test_settings_are_read_again_when_they_change(editor: Editor) -> None:
    """Changed settings apply at once, and an error in them is shown once."""
    name = "settings.md"
    assert len(editor.open(name, f"{TEXT}\n")) == 1
    for lines, number in (
        ('off = ["verbs"]', 0),
        ("min-score = 0.1\nrules = false", 0),
        ('exclude = ["settings.md"]', 0),
        ("", 1),
    ):
        settings(editor, lines)
        assert len(editor.reported(name)) == number
    settings(editor, "voice = true")
    (passage,) = editor.open("stale.md", f"{codes()['voice'].before}\n")
    assert passage["code"] == "voice-phrase" and passage["message"].endswith("(voice 0.000)")
    settings(editor, "")
    assert editor.reported("stale.md") == []
    editor.messages.clear()
    settings(editor, 'of = ["verbs"]')
    assert editor.reported(name) == []
    assert editor.type(name, f"{TEXT}\n\n{TEXT}\n") == []
    settings(editor, "")
    assert len(editor.reported(name)) == 2
    (message,) = editor.messages
    assert "unknown setting 'of'; did you mean 'off'?" in message


HOSTILE = {
    "entities.md": "a &amp; " * 4000,
    "blanks.md": f"<!-- naturalness: ignore he-go{' ' * 40_000}x -->",
    "brackets.md": f"<!-- naturalness: ignore {'(' * 60_000} -->",
    "footnotes.md": "a[^" * 27_000,
    "items.md": "- a\n" * 70_000,
    "long.md": f"{FINE} " * (5_000_000 // len(FINE)),
}


def hovered(editor: Editor, name: str) -> tuple[Any, float]:
    """Return the text shown at the flaw of a text, and the seconds until it is shown."""
    started = time.perf_counter()
    position = {"line": 0, "character": 4}
    shown = editor.ask("textDocument/hover", textDocument={"uri": editor.uri(name)}, position=position)
    return shown, time.perf_counter() - started


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_does_not_delay_others(tmp_path: Path, name: str) -> None:
    """While a large or hostile text is read, other requests are answered at once."""
    editor = Editor(tmp_path, code=HAND_MADE)
    editor.open("calm.md", TEXT)
    document = {"uri": editor.uri(name), "languageId": "markdown", "version": 1, "text": HOSTILE[name]}
    editor.tell("textDocument/didOpen", textDocument=document)
    time.sleep(0.3)  # until it is being read
    shown, taken = hovered(editor, "calm.md")
    assert shown and taken < 1
    started = time.perf_counter()
    editor.ask("shutdown")
    assert time.perf_counter() - started < 1
    editor.tell("exit")
    assert editor.process.wait(60) == 0


def test_a_text_that_is_too_long(editor: Editor) -> None:
    """An overlong text gets a single diagnostic, which is cleared when the text is shortened or closed."""
    long = HOSTILE["long.md"]
    (report,) = editor.open("long.md", long)
    assert report["severity"] == 3 and "5,100,000 characters, more than the 300,000" in report["message"]
    editor.open("short.md", TEXT)
    started = time.perf_counter()
    assert editor.type("long.md", f"{long}.") != []
    shown, _ = hovered(editor, "short.md")
    assert shown and time.perf_counter() - started < 1
    assert hovered(editor, "long.md")[0] is None
    assert len(editor.type("long.md", TEXT)) == 1
    assert len(editor.type("long.md", long)) == 1
    editor.tell("textDocument/didClose", textDocument={"uri": editor.uri("long.md")})
    closed = editor.hear(lambda message: message.get("params", {}).get("uri") == editor.uri("long.md"))
    assert closed["params"]["diagnostics"] == []


@pytest.mark.parametrize(
    "data", [5, 0, True, 1.5, {}, {"a": 1}, [1], ["a.md"], "a.md", "file:///nowhere.md", "\0", "http://["]
)
def test_unknown_actions_are_unchanged(editor: Editor, data: object) -> None:
    """An unknown action is returned unchanged."""
    action = {"title": "Fix", "kind": "source.fixAll.naturalness", "data": data}
    assert editor.ask("codeAction/resolve", **action) == action


ODD: list[tuple[str, Message]] = [
    ("codeAction/resolve", {}),
    ("textDocument/hover", {"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}}),
    ("textDocument/hover", {"textDocument": {"uri": "a.md"}, "position": {"line": -1, "character": 10**12}}),
    ("textDocument/codeAction", {"textDocument": {"uri": "a:b"}, "range": 1, "context": {"diagnostics": [{"a": 1}]}}),
]


@pytest.mark.parametrize(("method", "params"), ODD)
def test_odd_requests_are_answered(editor: Editor, method: str, params: Message) -> None:
    """An invalid request gets an empty result or an error about its parameters."""
    editor.send(method=method, params=params, id="odd")
    answer = editor.hear(lambda message: message.get("id") == "odd")
    assert answer.get("error", {"code": -32602})["code"] == -32602 and not answer.get("result")


def test_odd_notifications_do_no_harm(editor: Editor) -> None:
    """Notifications about unknown texts are ignored."""
    for method in ("textDocument/didClose", "textDocument/didSave", "textDocument/didChange"):
        editor.tell(method, textDocument={"uri": "file:///never.md", "version": 1}, contentChanges=[])
        editor.tell(method, textDocument=5)
    assert len(editor.open("after.md", TEXT)) == 1


def test_columns_in_utf_8(tmp_path: Path) -> None:
    """UTF-8 columns are used if preferred, output of libraries is redirected, and settings are watched."""
    watching = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    editor = Editor(tmp_path, code=HAND_MADE, general={"positionEncodings": ["utf-8", "utf-16"]}, workspace=watching)
    assert editor.server["capabilities"]["positionEncoding"] == "utf-8"
    watched = editor.hear(lambda message: message.get("method") == "client/registerCapability")
    patterns = watched["params"]["registrations"][0]["registerOptions"]["watchers"]
    assert [watcher["globPattern"] for watcher in patterns] == ["**/naturalness.toml"]
    assert starts(editor.open("a.md", f"😀 {FINE} {TEXT}\n")) == [(0, 4 + 1 + len(FINE) + 1 + 3)]
    editor.process.stdin.close()  # type: ignore[union-attr]
    assert editor.process.wait(60) == 0


@pytest.mark.slow
def test_with_a_real_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reports, fixes and the fixed file are those of `check`."""
    text = (
        "# Letters\n\n😀 We look forward to hear from you. The office opens at nine.\n\n"
        "We recieved the letter yesterday.\n\nThe alarms says what it finds.\n"
    )
    path = tmp_path / "a.md"
    path.write_text(text, encoding="utf-8")
    editor = Editor(tmp_path, "lsp", "--fast", **RESOLVES)
    reports = editor.open("a.md", text)
    assert run(["check", str(path), "--fast", "--format", "json"]) == 1
    flaws = json.loads(capsys.readouterr().out)["results"]
    assert [report["code"] for report in reports] == [flaw["codes"][0] for flaw in flaws]
    scores = [f"(naturalness {flaw['naturalness']:.3f})" for flaw in flaws]
    assert [report["message"].rpartition(" (")[2] for report in reports] == [score[1:] for score in scores]
    (action,) = editor.actions("a.md", reports[0], only=["source.fixAll"])
    fixed = applied(text, editor.ask("codeAction/resolve", **action))
    assert run(["check", str(path), "--fast", "--fix"]) in (0, 1)
    assert text != fixed == path.read_text(encoding="utf-8")
    assert editor.close() == 0
    assert sorted(item.name for item in tmp_path.iterdir()) == ["a.md"]


def test_the_extension_for_vs_code_is_sound() -> None:
    """The manifest names a program whose source parses."""
    manifest = json.loads((EDITOR / "package.json").read_text())
    program = (EDITOR / manifest["main"]).read_text()
    if node := shutil.which("node"):
        subprocess.run([node, "--check", "-"], input=program, check=True, text=True, timeout=60)
    assert manifest["contributes"]["configuration"]["properties"].keys() == {
        "naturalness.command",
        "naturalness.arguments",
    }
