"""`check`: complete output and exit codes."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from naturalness.cli import run
from naturalness.explaining.codes import codes
from tests.support.commands import Captured, Cli, run_line
from tests.support.explained import BAD, FINE, REPAIRED, SURE, TEXT, WAS, WERE, HandMade
from tests.support.repositories import git, needs_git

SHOWN = """\
a.md:3:3  0.113 (0.05 to 0.19)  verb forms
He go to school 語 yesterday.
   ^^    ^      ^^
  “go”: after 'He' the verb ends in -s: 'goes' [he-go]
  “語”: this is not a word → leave it out [misspelt-word]
  “school”: a word seems to be missing before this [suspect-missing]
  verb forms −1.8; articles, prepositions, pronouns −0.6
The score means little, as the text is unlike the training texts: 30% of its
words are unknown.

"""
EDITED = """\
  verb forms −1.8; articles, prepositions, pronouns −0.6
  +0.628  to 0.741
    He goes to school 語 yesterday.
    “go” → “goes”
  +0.400  to 0.513: “go” → “goes”
    He goes to school 語 yesterday.
"""
IS, ARE = "There is two options.", "There are two options."
"""Another text with an error of which rules and networks are sure, and the same text without the error."""
GOOD = "The committee will meet again on Thursday morning."
WRONG = "He go to the school yesterday and buyed a apples for for she."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file in it, and a model made by hand."""
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: HandMade([REPAIRED, SURE]))
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text(f"# Title\n\n- {TEXT}\n- 42\n\n{FINE}\n", encoding="utf-8")
    return tmp_path


def test_text(files: Path, cli: Cli) -> None:
    """Sentences below the minimum go to standard output, counts to standard error; the exit code is 1."""
    captured = cli(1, "check a.md")
    assert captured.out == SHOWN
    assert captured.err == (
        "1 file, 4 sentences: 1 below 0.5; 1 without a score (no words)\n"
        "what a code means: naturalness check --code he-go\n"
    )
    assert EDITED in cli(1, "check a.md --edits").out


def test_formats(files: Path, cli: Cli) -> None:
    """Each format is complete, and ends with a line end unless it is empty."""
    assert cli(1, "check a.md --format github").out.startswith("::error file=a.md,line=3,endLine=3,col=3,endColumn=")
    (result,) = json.loads(cli(1, "check a.md --format sarif").out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    report = json.loads(cli(1, "check a.md --format json").out)
    assert (report["files"], report["sentences"], report["below"]) == (1, 4, 1)
    assert report["results"][0]["place"]["column"] == 3


def test_no_flaws(files: Path, cli: Cli) -> None:
    """Without flaws, the exit code is 0, and only SARIF and JSON print anything; texts without a score do not fail."""
    for style in ("text", "github", "sarif", "json"):
        assert bool(cli(0, "check a.md --min-score 0.1 --no-rules --format", style).out) == (style in ("sarif", "json"))
    Path("b.txt").write_text("42\n\n...\n")
    assert cli(0, "check b.txt").err == ("1 file, 2 sentences: 0 below 0.5; 2 without a score (no words)\n")


def test_standard_input(files: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input has the name given by an editor, which determines its markup."""

    def typed(text: str) -> None:
        stream = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", stream)

    typed(f"\n  {TEXT}\n")
    assert cli(1, "check -").out.startswith("<stdin>:2:3  ")
    typed(f"```\n{TEXT}\n```\n")
    assert run_line("check - --stdin-name x.md") == 0


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nowhere.md"], "no file 'nowhere.md'; check the path"),
        (["empty"], "no text in folder 'empty'"),
        ([], "no files; name files or folders"),
        (["a.md", "latin.txt"], "is not UTF-8 (line 1)"),
    ],
)
def test_files_that_cannot_be_read(files: Path, arguments: list[str], expected: str, cli: Cli) -> None:
    """An unreadable file is an error with exit code 2, before anything is judged."""
    Path("latin.txt").write_bytes(b"na\xefve")
    Path("empty").mkdir()
    captured = cli(2, "check", *arguments)
    assert expected in captured.err and not captured.out


def test_rules(files: Path, cli: Cli, capsys: Captured) -> None:
    """A certain error fails at any score, without a named cause, unless an option or the settings disable rules."""
    command = ["check", "a.md", "--min-score", "0.1"]
    assert run([*command, "--no-rules"]) == 0
    capsys.readouterr()
    captured = cli(1, command)
    assert captured.out == (
        "a.md:3:3  0.113 (0.05 to 0.19)  verb forms\nHe go to school 語 yesterday.\n   ^^\n"
        "  “go”: after 'He' the verb ends in -s: 'goes' [he-go]\n"
        "The score means little, as the text is unlike the training texts: 30% of its\nwords are unknown.\n\n"
    )
    assert "4 sentences: 0 below 0.1; 1 failed by a rule only; 1 without a score" in captured.err
    Path("naturalness.toml").write_text("[check]\nrules = false\n")
    assert run(command) == 0
    assert run([*command, "--rules"]) == 1


def test_voice(files: Path, cli: Cli, capsys: Captured) -> None:
    """Passages fail by their voice only if an option or a setting asks for it."""
    stale = codes()["voice"].before
    Path("b.md").write_text(f"{stale}\n")
    command = ["check", "b.md"]
    assert run(command) == 0
    captured = cli(1, [*command, "--voice"])
    assert captured.out.startswith("b.md:1:1  voice 0.000  phrasing like chat models’\nIn today's fast-paced")
    assert "^^^^^^^^^^^^^^" in captured.out and captured.out.endswith("[voice-passage]\n\n")
    assert captured.err.splitlines()[1] == "1 file, 1 sentence: 0 below 0.5; 1 with phrasing of chat models"
    Path("naturalness.toml").write_text("[check]\nvoice = true\n")
    assert run(command) == run(command) == 1
    assert run([*command, "--no-voice"]) == 0
    assert run_line("check b.md --fix") == 1
    assert Path("b.md").read_text() == f"{stale}\n"


def test_settings_of_a_file(files: Path, cli: Cli, capsys: Captured) -> None:
    """Settings apply unless an option overrides them; `--config none` ignores them."""
    Path("naturalness.toml").write_text('[check]\nmin-score = 0.1\nrules = false\nexclude = ["b.md"]\n')
    assert run_line("check a.md") == 0
    assert run_line("check a.md --min-score 0.2") == 1
    assert run_line("check a.md --config none") == 1
    Path("b.md").write_text(f"{TEXT}\n")
    capsys.readouterr()
    assert cli(0, "check b.md --min-score 0.2").err == "0 files, 0 sentences: 0 below 0.2; 1 excluded\n"
    Path("other.toml").write_text('[check]\noff = ["he-go"]\n')
    assert "0 below 0.5; 1 ignored; 1 without" in cli(0, "check a.md --config other.toml").err
    assert run_line("check a.md --config other.toml --off length") == 1


def test_an_option_overrides_the_register_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    """`--register none` overrides the register of the settings; an unknown register is reported with its file."""
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("The committee published its report on Tuesday.\n")
    Path("naturalness.toml").write_text('[check]\nregister = "nowhere"\n')
    assert f"{tmp_path / 'naturalness.toml'}: unknown register 'nowhere'" in cli(2, "check a.md --fast").err
    assert cli(2, "check a.md --fast --register nwes").err.startswith(
        "error: --register: unknown register 'nwes'; did you mean 'news'?"
    )
    assert run_line("check a.md --fast --register none") == 0
    Path("naturalness.toml").write_text('[check]\nregister = "none"\n')
    assert run_line("check a.md --fast") == 0


def test_codes_that_are_unknown(files: Path, cli: Cli) -> None:
    """Unknown codes are errors on the command line and cause warnings in comments."""
    assert cli(2, "check a.md --off he-goo").err == "error: unknown code 'he-goo'; did you mean 'he-go'?\n"
    Path("b.md").write_text(f"{TEXT} <!-- naturalness: ignore he-goo -->\n")
    assert cli(1, "check b.md").err.startswith(
        "warning: b.md:1: unknown code 'he-goo'; did you mean 'he-go'? (in a comment)\n"
    )


def test_fixes(files: Path, cli: Cli) -> None:
    """`--diff` prints a diff; `--fix` writes the file, prints a line per change and leaves nothing to fix."""
    Path("a.md").write_text(f"# Title\n\n- {WAS}\n- 42\n\n{FINE} {IS}\n", encoding="utf-8")
    before = Path("a.md").read_text(encoding="utf-8")
    lines = cli(1, "check a.md --diff --sure 0.5").out.splitlines()
    assert lines[:2] == ["--- a.md", "+++ a.md"]
    assert [line for line in lines[2:] if line[0] in "+-"] == [
        f"-- {WAS}",
        f"+- {WERE}",
        f"-{FINE} {IS}",
        f"+{FINE} {ARE}",
    ]
    assert Path("a.md").read_text(encoding="utf-8") == before
    captured = cli(0, "check a.md --fix --sure 0.5")
    assert captured.out == ""
    fixed, passed, counts = captured.err.splitlines()
    assert re.fullmatch(r"fixed a\.md:3:8: “was” → “were” \(\d\d %\): .+", fixed)
    assert re.fullmatch(rf"fixed a\.md:6:{len(FINE) + 8}: “is” → “are” .+", passed)
    assert counts.startswith("1 file, 5 sentences: 0 below 0.5")
    assert Path("a.md").read_text(encoding="utf-8") == before.replace(WAS, WERE).replace(IS, ARE)
    assert cli(0, "check a.md --diff --sure 0.5").out == ""


def test_only_sure_fixes(files: Path, cli: Cli) -> None:
    """`--sure` limits the changes to those of at least this probability."""
    Path("a.md").write_text(f"{WAS}\n\n{IS}\n")
    assert "nothing fixed; --fix makes only safe changes" in cli(1, "check a.md --fix --sure 0.999").err
    assert Path("a.md").read_text() == f"{WAS}\n\n{IS}\n"
    assert cli(1, "check a.md --diff --sure 0.5 --off agreement").out == ""
    cli(0, "check a.md --fix --sure 0.5")
    assert Path("a.md").read_text() == f"{WERE}\n\n{ARE}\n"


def test_documents_cannot_send_commands_to_ci_or_a_terminal(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no format can a line or a file name send commands to a terminal or to a CI log."""
    text = "::stop-commands::abc and ##[endgroup] he go \x1b[2J \u202ehome."
    bad = replace(BAD, text=text, findings=(), edits=(), unlike=())
    monkeypatch.setattr("naturalness.pipelines.scorer.load_model", lambda *_, **__: HandMade([bad]))
    monkeypatch.chdir(tmp_path)
    Path("::add-mask::a\x1b]0;x\x07.md").write_text(f"{text}\n", encoding="utf-8")
    for style in ("text", "github", "json", "sarif"):
        printed = "".join(cli(1, "check . --format", style))
        for line in printed.split("\n"):
            assert not re.match(r"\s*::(?!error file=)", line)
            assert "##[" not in line or style == "github"
            assert not set(line) & set("\x1b\x07\u202e")
        if style == "json":
            (row,) = json.loads(printed[: printed.rindex("}") + 1])["results"]
            assert row["text"] == text


def test_a_file_that_cannot_be_fixed(files: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written is named and keeps its flaw; the other files are fixed."""
    for name in ("a.md", "b.md"):
        Path(name).write_text(f"- {WAS}\n", encoding="utf-8")
    monkeypatch.setattr("os.access", lambda path, mode: Path(path).name != "a.md")
    captured = cli(1, "check a.md b.md --fix --sure 0.5")
    assert captured.out.startswith("a.md:1:3  ") and "b.md" not in captured.out
    assert "warning: not fixed: a.md cannot be written; check its permissions" in captured.err
    assert Path("b.md").read_text(encoding="utf-8") == f"- {WERE}\n"
    assert "--fix cannot write standard input; name files, or use --diff" in cli(2, "check - --fix").err


@pytest.mark.slow
def test_our_own_pages(capsys: Captured) -> None:
    """Our own pages pass with this repository's settings, which accept names of packages and metrics."""
    root = Path(__file__).parents[2]
    pages = [str(root / name) for name in ("README.md", "docs/tour.md")]
    assert run_line("check", *pages, "--config", root / "naturalness.toml") == 0, capsys.readouterr().out


@pytest.mark.slow
def test_real_fixes(tmp_path: Path, cli: Cli, capsys: Captured) -> None:
    """Edits that an editor would accept are made at any score and number of processes; markup stays."""
    paths = [tmp_path / name for name in ("a.md", "b.md")]
    before = f"- {WAS}\n\n{IS} They **was** happy, and `They was happy` is code.\n"
    after = before.replace(WAS, WERE).replace(IS, ARE).replace("**was**", "**were**")
    for path, jobs in zip(paths, ("1", "2"), strict=True):
        path.write_text(before)
        options = ["--min-score", "0.01", "--sure", "0.5", "--jobs", jobs]
        added = [
            line[1:] for line in cli(1, "check", path, "--diff", *options).out.splitlines()[2:] if line.startswith("+")
        ]
        assert run_line("check", path, "--fix", *options) == 0
        assert path.read_text() == after
        assert added == [line for line in after.splitlines() if line]
        assert capsys.readouterr().err.count("fixed ") == 3


def test_hooks_of_pre_commit(files: Path, capsys: Captured) -> None:
    """Hooks run on the files passed to them, with the settings of the folder."""
    hooks = (Path(__file__).parents[2] / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^  entry: python -I -m naturalness (.+)$", hooks, re.MULTILINE)
    assert len(entries) == hooks.count("- id: ") == 2
    Path("naturalness.toml").write_text('[check]\nexclude = ["b.md"]\n')
    Path("a.md").write_text(f"{WAS}\n")
    Path("b.md").write_text(f"{WAS}\n")
    for entry, code in zip(entries, (1, 0), strict=True):
        assert run([*entry.split(), "--sure", "0.5", "a.md", "b.md"]) == code
    assert "b.md" not in capsys.readouterr().out


@needs_git
def test_changed_lines_alone(files: Path, cli: Cli) -> None:
    """Only sentences on changed lines are judged; if no file is named, those of all files in the folder."""
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    assert cli(0, "check --changed").err == "1 file, 0 sentences: 0 below 0.5\n"
    Path("a.md").write_text(f"# Title\n\n- {TEXT}\n- 42\n\n{FINE}\n\n{TEXT}\n", encoding="utf-8")
    assert cli(1, "check a.md --changed").out.startswith("a.md:8:1  ")
    assert "--changed cannot tell which lines of standard input have changed" in cli(2, "check - --changed").err
    assert "expects a commit, branch or tag, found 'a.md'; name files before it" in cli(2, "check --changed a.md").err


def test_many_files(files: Path, cli: Cli) -> None:
    """Many files are checked in batches; unreadable ones are found before anything is judged."""
    for i in range(600):
        Path(f"{i:03}.md").write_text(f"Line {i} is here.\n\n{FINE}\n")
    assert cli(1, "check .").err.startswith("601 files, 1,204 sentences: 1 below 0.5; ")
    Path("999.md").write_bytes(b"\xff\n")
    assert cli(2, "check .").err.startswith("warning: not checked: '999.md' is not UTF-8 (line 1); ")


def test_output_does_not_depend_on_the_number_of_processes(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The output is the same for any number of processes, including flaws of both kinds, names and fragments."""
    monkeypatch.chdir(tmp_path)
    lines = [f"{WRONG} Part {i} is here, and `it{i}` is short.\n\n- An item of {i}\n" for i in range(100)]
    Path("a.md").write_text("\n".join(lines))
    Path("b.md").write_text(f"{GOOD}\n\n{WRONG}\n\nI look forward to hear from you.\n")
    outputs = []
    for jobs in ("1", "2"):
        assert run_line("check . --fast --format json --jobs", jobs, "--config", "none") == 1
        outputs.append(capsys.readouterr())
    assert outputs[0] == outputs[1]
    assert json.loads(outputs[0].out)["below"] >= 101
