"""`naturalness completion`: a script that lets a shell complete commands, options and their values."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from naturalness import __version__

FILES = frozenset({"FILE", "TEXTS", "TABLE", "RATED", "PROJECT", "INPUT", "CORPUS", "OLD", "NEW"})
"""Values that are files, by what the help calls them."""
WORDS, LIST, FILE, FOLDER, MODEL, LANGUAGE_MODEL = "words", "list", "file", "folder", "model", "language model"
"""Kinds of values: words to choose from, several of them with commas between, and what lies in folders."""


@dataclass(frozen=True, slots=True)
class Value:
    """What can be completed in the place of a value; nothing where there is no kind."""

    kind: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """An option under all its names; without a value it is a flag."""

    names: tuple[str, ...]
    meaning: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Command:
    """A command by the words that call it; the program itself has none."""

    called: str
    meaning: str
    options: tuple[Option, ...]
    arguments: tuple[Value, ...]
    commands: tuple[str, ...]
    """The commands inside it, by their last words."""


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands in bash, zsh or fish",
        description="Print a script that lets a shell complete commands, options, choices, models, groups of features, "
        "metrics and files. Load it in the start-up file of the shell.",
        examples=(
            "naturalness completion bash > ~/.local/share/bash-completion/completions/naturalness",
            'naturalness completion zsh > "${fpath[1]}/_naturalness"',
            "naturalness completion fish > ~/.config/fish/completions/naturalness.fish",
        ),
    )
    parser.add_argument("shell", choices=tuple(SHELLS), metavar="SHELL", help=f"{', '.join(SHELLS)}")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from naturalness.cli import build_parser

    sys.stdout.write(script_for(args.shell, build_parser()))
    return 0


def script_for(shell: str, parser: argparse.ArgumentParser) -> str:
    """Return the script of a shell for all commands of a parser."""
    head = f"# Completion of naturalness {__version__}; printed by: naturalness completion {shell}\n"
    body = SHELLS[shell](list(commands_of(parser, lists())))
    return f"{body[0]}{head}{body[1]}"


def lists() -> Mapping[str, tuple[str, ...]]:
    """Return the values that options take one by one or with commas between, by the name of the option."""
    from naturalness.features import ALL, EVERY, SETS
    from naturalness.judging.fields import FIELDS
    from naturalness.metrics import APART, METRICS
    from naturalness.pipelines.scorer import open_model

    people = open_model("default").people
    groups = (*EVERY, *SETS, ALL)
    return {
        "features": groups,
        "groups": groups,
        "metrics": (*METRICS, *APART),
        "fields": (*FIELDS, *EVERY),
        "register": (*(people.registers if people else ()), "auto", "none"),
    }


def commands_of(
    parser: argparse.ArgumentParser, known: Mapping[str, tuple[str, ...]], called: str = "", meaning: str = ""
) -> Iterator[Command]:
    """Yield a command and those inside it."""
    inside: dict[str, argparse.ArgumentParser] = {}
    meanings: dict[str, str] = {}
    options, arguments = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            inside = dict(action.choices)
            meanings = {choice.dest: choice.help or "" for choice in action._choices_actions}
        elif action.option_strings:
            value = None if action.nargs == 0 else _value(action, called, known)
            options.append(Option(tuple(action.option_strings), (action.help or "").replace("%%", "%"), value))
        elif action.help != argparse.SUPPRESS:
            arguments.append(_value(action, called, known))
    yield Command(called, meaning, tuple(options), tuple(arguments), tuple(inside))
    for name, child in inside.items():
        yield from commands_of(child, known, f"{called} {name}".strip(), meanings[name])


def _value(action: argparse.Action, called: str, known: Mapping[str, tuple[str, ...]]) -> Value:
    if action.choices:  # one with a blank in it needs quotes, which shells put in each their way
        return Value(WORDS, tuple(choice for choice in map(str, action.choices) if " " not in choice))
    if action.dest in known:
        return Value(WORDS if action.dest == "register" else LIST, known[action.dest])
    if action.metavar == "MODEL":
        if called.startswith("lm"):
            return Value(LANGUAGE_MODEL, ("words", "pieces", "tags", "neural"))
        return Value(MODEL, ("default", "fast", "large"))
    if action.metavar == "FOLDER":
        return Value(FOLDER)
    return Value(FILE) if FILES & set(str(action.metavar).split("|")) else Value()


# bash and zsh: one table, read by `case`.

Row = tuple[list[str], Value]


def _cases(rows: Sequence[tuple[str, Value]]) -> str:
    """Return the lines of a `case` that sets the kind and the words; keys of one value share a line."""
    together: dict[Value, list[str]] = {}
    for key, value in rows:
        together.setdefault(value, []).append(f'"{key}"')
    return "\n".join(
        f"        {'|'.join(keys)}) kind='{value.kind or 'none'}' choices='{' '.join(value.words)}' ;;"
        for value, keys in together.items()
    )


def _tables(commands: Sequence[Command]) -> dict[str, str]:
    """Return the parts that the scripts of bash and zsh have in common."""
    valued = [
        (f"{command.called} {name}", option.value)
        for command in commands
        for option in command.options
        if option.value is not None
        for name in option.names
    ]
    arguments = [(command.called, _joint(command.arguments)) for command in commands if command.arguments]
    inside = [(command.called, Value(WORDS, command.commands)) for command in commands if command.commands]
    options = "\n".join(
        f"        \"{command.called}\") options='{' '.join(name for o in command.options for name in o.names)}' ;;"
        for command in commands
    )
    return {
        "called": "|".join(f'"{command.called}"' for command in commands if command.called),
        "valued": _cases(valued),
        "arguments": _cases([*inside, *arguments]),
        "options": options,
    }


def _joint(arguments: Sequence[Value]) -> Value:
    """Return one value for all arguments of a command: models and files, where both are there."""
    kinds = [value for value in arguments if value.kind != FILE]
    return kinds[0] if kinds else arguments[0]


def _filled(template: str, parts: Mapping[str, str]) -> str:
    for name, text in parts.items():
        template = template.replace(f"@{name}@", text)
    return template


TABLES = """\
    called=''
    for word in "${before[@]}"; do
        case "${called:+$called }$word" in
            @called@) called="${called:+$called }$word" ;;
        esac
    done
    case "$called" in
@options@
    esac
    case "$called $previous" in
@valued@
    esac
    if [[ -z $kind && $current != -* ]]; then
        case "$called" in
@arguments@
        esac
    fi
"""
BASH = (
    """\
_naturalness() {
    local line=${COMP_LINE:0:COMP_POINT} at=$COMP_CWORD current called word previous
    local kind='' choices='' options='' head='' IFS=$' \\t\\n'
    # The shell cuts words at = and :, and only what follows the last cut is replaced.
    local typed=${line##*[[:space:]]} joined=${COMP_WORDS[COMP_CWORD]}
    while [[ $joined != "$typed" && $at -gt 1 ]]; do
        at=$((at - 1))
        joined=${COMP_WORDS[at]}$joined
    done
    local before=("${COMP_WORDS[@]:1:at-1}")
    previous=${COMP_WORDS[at - 1]}
    current=$typed
    if [[ $typed == --*=* ]]; then
        previous=${typed%%=*} current=${typed#*=}
    fi
"""
    + TABLES
    + """\
    if [[ -z $kind ]]; then
        kind=words choices=$options
    fi
    COMPREPLY=()
    case "$kind" in
        words) COMPREPLY=($(compgen -W "$choices" -- "$current")) ;;
        list)
            if [[ $current == *,* ]]; then head=${current%,*},; fi
            COMPREPLY=($(compgen -P "$head" -W "$choices" -- "${current##*,}"))
            ;;
        *)
            IFS=$'\\n'
            case "$kind" in
                model | 'language model')
                    for word in */manifest.json; do
                        if [[ -f $word ]]; then choices="$choices ${word%/manifest.json}"; fi
                    done
                    IFS=$' \\t\\n'
                    COMPREPLY=($(compgen -W "$choices" -- "$current"))
                    IFS=$'\\n'
                    ;;
            esac
            case "$kind" in
                none) ;;
                file | 'language model')
                    compopt -o filenames 2>/dev/null
                    COMPREPLY+=($(compgen -f -- "$current"))
                    ;;
                *)
                    compopt -o filenames 2>/dev/null
                    COMPREPLY+=($(compgen -d -- "$current"))
                    ;;
            esac
            ;;
    esac
    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
        COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
    fi
}
complete -F _naturalness naturalness
"""
)
ZSH = (
    """\
_naturalness() {
    local current=$PREFIX called word previous=$words[CURRENT-1] kind='' choices='' options=''
    local -a before folders
    before=("${(@)words[2,CURRENT-1]}")
    if [[ $current == --*=* ]]; then
        previous=${current%%=*}
        current=${current#*=}
        compset -P '*='
    fi
"""
    + TABLES
    + """\
    case "$kind" in
        '') compadd -- ${=options} ;;
        words) compadd -- ${=choices} ;;
        list)
            compset -P '*,'
            compadd -- ${=choices}
            ;;
        model | 'language model')
            folders=(*/manifest.json(N:h))
            compadd -- ${=choices} $folders
            if [[ $kind == model ]]; then _files -/; else _files; fi
            ;;
        file) _files ;;
        folder) _files -/ ;;
    esac
}
if [[ $funcstack[1] == _naturalness ]]; then
    _naturalness "$@"
else
    compdef _naturalness naturalness
fi
"""
)


def _bash(commands: Sequence[Command]) -> tuple[str, str]:
    return "", _filled(BASH, _tables(commands))


def _zsh(commands: Sequence[Command]) -> tuple[str, str]:
    return "#compdef naturalness\n", _filled(ZSH, _tables(commands))


# fish: a line for each option.

FISH = """\
function __naturalness_called
    set -l called ''
    for word in (commandline -opc)[2..-1]
        switch (string trim "$called $word")
            case @called@
                set called (string trim "$called $word")
        end
    end
    echo $called
end
function __naturalness_in
    test (__naturalness_called) = "$argv[1]"
end
function __naturalness_models
    printf '%s\\n' $argv
    for manifest in */manifest.json
        string replace /manifest.json '' -- $manifest
    end
    __fish_complete_directories (commandline -ct)
end
complete -c naturalness -f
"""


def _fish(commands: Sequence[Command]) -> tuple[str, str]:
    called = " ".join(f"'{command.called}'" for command in commands if command.called)
    lines = [_filled(FISH, {"called": called})]
    meanings = {command.called: command.meaning for command in commands}
    for command in commands:
        here = f"complete -c naturalness -n '__naturalness_in \"{command.called}\"'"
        for name in command.commands:
            meaning = meanings[f"{command.called} {name}".strip()]
            lines.append(f"{here} -a {name} -d {_quoted(meaning)}\n")
        lines += [f"{here} {_fish_values(value)}\n" for value in command.arguments if value.kind]
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name[:2] == "--" else f"-s {name[1:]}" for name in option.names)
            value = "" if option.value is None else f" -r {_fish_values(option.value)}"
            lines.append(f"{here} {names}{value} -d {_quoted(option.meaning)}\n")
    return "", "".join(lines)


def _fish_values(value: Value) -> str:
    words = " ".join(value.words)
    kinds = {
        WORDS: f"-f -a '{words}'",
        LIST: f"-f -a '(__fish_append , {words})'",
        FILE: "-F",
        FOLDER: "-f -a '(__fish_complete_directories (commandline -ct))'",
        MODEL: f"-f -a '(__naturalness_models {words})'",
        LANGUAGE_MODEL: f"-F -a '{words}'",
    }
    return kinds.get(value.kind, "-f")


def _quoted(text: str) -> str:
    """Return a text, up to its first semicolon or parenthesis, in quotes."""
    short = text.partition("; ")[0].partition(" (")[0]
    return "'" + short.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Mapping[str, Callable[[Sequence[Command]], tuple[str, str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""What begins a script and what follows its first comment, by shell."""
