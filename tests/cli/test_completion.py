"""`naturalness completion`: scripts that complete, asked in the shells themselves."""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from naturalness.cli import COMMANDS, build_parser, run
from naturalness.cli.completion import SHELLS, commands_of, lists, script_for

ASK = """
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
COMP_WORDS=("${@:3}") COMP_CWORD=$(($# - 3))
_naturalness
printf '%s\\n' "${COMPREPLY[@]}"
"""
LINES = {
    "naturalness sc": {"score"},
    "naturalness ": set(COMMANDS),
    "naturalness report ": {"raters", "systems", "change"},
    "naturalness report raters rated.csv --mo": {"--model"},
    "naturalness --deb": {"--debug"},
    "naturalness --debug sc": {"score"},
    "naturalness report raters rated.csv --model ": {"default", "fast", "large", "my-model"},
    "naturalness score --format j": {"json", "jsonl"},
    "naturalness score tex": {"texts.csv"},
    "naturalness score score tex": {"texts.csv"},
    "naturalness check tex": {"texts.csv"},
    "naturalness features x --features lexical,dam": {"lexical,damage", "lexical,damage_fast", "lexical,damage_large"},
    "naturalness score x --metrics length,wps": {"length,wpslor", "length,wpslor-words"},
    "naturalness score x --register new": {"news"},
    "naturalness label texts.csv --jobs ": set(),
    "naturalness train texts.csv -o my": {"my-model"},
    "naturalness lm score wo": {"words"},
    "naturalness lm ": {"train", "score", "mix", "lstm"},
    "naturalness assets ver": {"verify"},
    "naturalness groups dam": {"damage", "damage_fast", "damage_large"},
    "naturalness completion f": {"fish"},
    "naturalness annotate export my.": {"my.project"},
}
"""Lines as far as they are typed, and what may follow the last blank."""
WHOLE = ("naturalness report raters rated.csv --model ",)
"""Lines of which shells also offer folders."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script of every shell, by its name."""
    folder = tmp_path_factory.mktemp("scripts")
    parser = build_parser()
    for shell in SHELLS:
        (folder / shell).write_text(script_for(shell, parser), encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a model, a table and a project."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-model").mkdir()
    (tmp_path / "empty folder").mkdir()
    for name in ("my-model/manifest.json", "texts.csv", "my.project"):
        (tmp_path / name).touch()


def judged(line: str, replies: set[str]) -> None:
    """Compare what a shell offers with the table; folders end in a slash in some."""
    offered = {reply.rstrip("/") for reply in replies}
    assert (
        offered - ({"my-model", "empty folder"} - LINES[line]) == LINES[line]
        if line in WHOLE
        else offered == (LINES[line])
    )


def bash(script: Path, line: str) -> set[str]:
    """What bash offers; its words are cut at = and :, as readline cuts them."""
    words = [part for word in line.split(" ") for part in re.split(r"([=:])", word)]
    done = subprocess.run(
        ["bash", "--norc", "-c", ASK, "bash", str(script), line, *words], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(filter(None, done.stdout.splitlines()))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", LINES)
def test_bash_completes(line: str, scripts: Path) -> None:
    """Commands, options, choices, models, lists and files."""
    judged(line, bash(scripts / "bash", line))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("line", "replies"),
    [
        ("naturalness score x --model=my", {"my-model"}),
        ("naturalness score x --format=js", {"json", "jsonl"}),
        ("naturalness score x --metrics slor:neu", {"neural"}),
        ("naturalness score x --metrics length,slor:neu", {"neural"}),
    ],
)
def test_bash_completes_behind_the_marks_where_it_cuts_words(line: str, replies: set[str], scripts: Path) -> None:
    """Only what follows the last = or : is replaced."""
    assert bash(scripts / "bash", line) == replies


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("line", LINES)
@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes(line: str, scripts: Path) -> None:
    """The same."""
    ask = f"source {scripts / 'fish'}; complete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", ask], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    judged(line, {reply.partition("\t")[0] for reply in done.stdout.splitlines()})


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("naturalness sc", "naturalness score "),
        ("naturalness report ra", "naturalness report raters "),
        ("naturalness report raters rated.csv --mo", "--model "),
        ("naturalness score x --model=my", "--model=my-model "),
        ("naturalness features x --features lexical,piece", "lexical,piece_lm "),
        ("naturalness score te", "naturalness score texts.csv "),
        ("naturalness lm score wo", "naturalness lm score words "),
    ],
)
def test_zsh_completes(line: str, completed: str, scripts: Path, tmp_path: Path) -> None:
    """The same, typed at a terminal."""
    ready = "autoload -Uz compinit; compinit -u -d .dump; source " + str(scripts / "zsh")
    number, terminal = pty.fork()
    if not number:
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "PS1": "$ "})
    try:
        os.write(terminal, f"{ready}; echo rea'dy'\n".encode())
        seen(terminal, "ready")
        os.write(terminal, f"{line}\t".encode())
        assert completed in seen(terminal, completed)
    finally:
        os.close(terminal)
        os.waitpid(number, 0)


def seen(terminal: int, awaited: str, seconds: float = 20) -> str:
    """What a terminal shows until some text is there, or time is up."""
    shown, end = "", time.monotonic() + seconds
    while awaited not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace").replace("\r", "")
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07", "", shown)
    return shown


@pytest.mark.parametrize("shell", SHELLS)
def test_the_syntax_is_the_shells(shell: str, scripts: Path) -> None:
    """Where the shell is installed it reads the script."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run([shell, "-n", str(scripts / shell)], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_there(shell: str, scripts: Path) -> None:
    """In every script, though not every shell is here to be asked."""
    script = (scripts / shell).read_text(encoding="utf-8")
    for command in commands_of(build_parser(), lists()):
        assert command.called in script
        for option in command.options:
            name = option.names[-1]
            fish = f" -{'l' if name[:2] == '--' else 's'} {name.lstrip('-')} "
            assert (fish if shell == "fish" else name) in script


def test_values_have_their_kinds() -> None:
    """By choices, by the names of options and by what the help calls values."""
    commands = {command.called: command for command in commands_of(build_parser(), lists())}

    def kind(command: str, option: str) -> str | None:
        (value,) = [o.value for o in commands[command].options if option in o.names]
        return None if value is None else value.kind

    assert kind("score", "--model") == kind("train", "--from") == kind("compare", "--model") == "model"
    assert kind("lm lstm", "--beside") == "language model"
    assert kind("label", "-o") == kind("serve", "--token-file") == kind("adapt", "--against") == "file"
    assert kind("train", "-o") == kind("label", "--parts") == "folder"
    assert kind("score", "--format") == "words" and kind("compare", "--metrics") == "list"
    assert kind("train", "--seed") == "" and kind("score", "--quiet") is None


def test_the_command_prints_the_script(scripts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """And no other shell has one."""
    assert run(["completion", "bash"]) == 0
    assert capfd.readouterr().out == (scripts / "bash").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        run(["completion", "bsh"])
    assert "unknown value 'bsh'; did you mean 'bash'?" in capfd.readouterr().err


def test_hidden_arguments_are_not_completed() -> None:
    """What the help does not show."""
    parser = argparse.ArgumentParser(prog="x")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("old", nargs="?", help=argparse.SUPPRESS)
    (command,) = commands_of(parser, {})
    assert [value.kind for value in command.arguments] == ["file"]
