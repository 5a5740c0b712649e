"""Spellings of 0.1.0 that are others now: they work for one more release, and a line says what to write."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from naturalness.errors import NaturalnessError, close_name

RATED = ("train", "evaluate", "compare", "report raters")
REPORTS = ("raters", "systems", "change")
PROJECTS = ("new", "open", "import", "guidelines", "export")


@dataclass(frozen=True, slots=True)
class Renamed:
    """An option with another name; its value stays the same."""

    commands: tuple[str, ...]
    old: str
    new: str


RENAMED = (
    Renamed(("score",), "--fail-under", "--min-score"),
    Renamed(("score", "label"), "--metric", "--metrics"),
    Renamed(RATED, "--rating-column", "--rating-columns"),
    Renamed(RATED, "--ratings-column", "--rating-columns"),
    Renamed(RATED, "--ratings-columns", "--rating-columns"),
    Renamed(("label",), "--workers", "--jobs"),
    Renamed(("lm lstm",), "--threads", "--jobs"),
    Renamed(("lm mix",), "--on", "--held-out"),
    Renamed(("explain",), "--most", "--show"),
    Renamed(("report raters",), "--sentences", "--show"),
    Renamed(("report systems", "report change"), "--worst", "--show"),
    Renamed(("report systems", "report change"), "--by", "--system-column"),
    Renamed(("report raters", "report systems", "report change"), "--json", "--output"),
    Renamed(("annotate export",), "--export", "--output"),
)
LISTS = ("--rating-columns",)
"""Options that stand for two old ones, whose lists become one."""


class Words:
    """The words behind a command, told apart: options, their values, and the rest."""

    def __init__(self, words: Sequence[str], valued: Mapping[str, bool]) -> None:
        self.words = list(words)
        self.valued = valued

    def positions(self) -> list[int]:
        """Return where the words are that are neither options nor their values."""
        positions: list[int] = []
        i = 0
        while i < len(self.words):
            word = self.words[i]
            if word == "--":
                return [*positions, *range(i + 1, len(self.words))]
            if len(word) > 1 and word[0] == "-":
                i += self._takes_next(word)
            else:
                positions.append(i)
            i += 1
        return positions

    def _takes_next(self, word: str) -> bool:
        if "=" in word or (word[1] != "-" and len(word) > 2):
            return False
        return self.valued.get(word) or any(
            takes for name, takes in self.valued.items() if word[:2] == "--" and name.startswith(word)
        )

    def arguments(self) -> list[str]:
        """Return the words that are neither options nor their values."""
        return [self.words[i] for i in self.positions()]

    def has(self, *options: str) -> bool:
        """Tell whether one of the options is there."""
        arguments = set(self.positions())
        return any(word.partition("=")[0] in options for i, word in enumerate(self.words) if i not in arguments)

    def without(self, *options: str) -> list[str]:
        """Return the words without options, and without their values."""
        rest, i = [], 0
        while i < len(self.words):
            word = self.words[i]
            if word.partition("=")[0] in options:
                i += self._takes_next(word)
            else:
                rest.append(word)
            i += 1
        return rest

    def value(self, option: str) -> str | None:
        """Return the value of an option; None where it is not there."""
        for i, word in enumerate(self.words):
            name, equals, value = word.partition("=")
            if name == option:
                return value if equals else "".join(self.words[i + 1 : i + 2])
        return None

    def less(self, *arguments: int) -> list[str]:
        """Return the words without some of the arguments, by their number among these."""
        positions = self.positions()
        dropped = {positions[number] for number in arguments}
        return [word for i, word in enumerate(self.words) if i not in dropped]


@dataclass(frozen=True, slots=True)
class Moved:
    """A command that is called in another way."""

    command: str
    old: str
    new: str
    rewrite: Callable[[Words], list[str] | None]
    """The words of the new call; None where the typed ones are no such old call."""


def _flag(option: str, command: str, *useless: str) -> Callable[[Words], list[str] | None]:
    """Return the rewriting of an option that was a command; it has no use for others that were allowed."""

    def rewrite(words: Words) -> list[str] | None:
        return [command, *words.without(option, *useless)] if words.has(option) else None

    return rewrite


def _list(words: Words) -> list[str] | None:
    if not words.has("--list"):
        return None
    parser = words.value("--parser")
    groups = [words.value("--features"), parser and f"parser:{parser}"]
    format_name = words.value("--format")
    return ["groups", *filter(None, groups), *(["--format", format_name] if format_name else [])]


def _evaluate(words: Words) -> list[str] | None:
    arguments = words.arguments()
    return ["evaluate", *words.less(0), "--model", arguments[0]] if len(arguments) == 2 else None


def _serve(words: Words) -> list[str] | None:
    arguments = words.arguments()
    return ["serve", *words.less(0), "--model", arguments[0]] if len(arguments) == 1 else None


def _label(words: Words) -> list[str] | None:
    arguments = words.arguments()
    if words.has("-o", "--output"):
        return None
    return ["label", *words.less(1), "-o", arguments[1]] if len(arguments) == 2 else None


def _is_new(words: Words, actions: Sequence[str]) -> bool:
    """Tell whether the first argument is one of the commands of today, or a slip in one."""
    arguments = words.arguments()
    if not arguments or arguments[0] in actions:
        return True
    return bool(close_name(arguments[0], actions)) and not Path(arguments[0]).exists()


def _report(kind: str) -> Callable[[Words], list[str] | None]:
    """Return the rewriting of ``report``, with or without a model before the table, into one kind of report."""

    def rewrite(words: Words) -> list[str] | None:
        arguments = words.arguments()
        if _is_new(words, REPORTS) or len(arguments) > 2 or _kind(words) != kind:
            return None
        rest = [*words.less(0), "--model", arguments[0]] if len(arguments) == 2 else words.words
        before = words.value("--before")
        if before is not None:
            rest = [before, *Words(rest, words.valued).without("--before")]
        return ["report", kind, *rest]

    return rewrite


def _kind(words: Words) -> str:
    """Return which report was meant: by its options, or by what the table holds."""
    if words.has("--before"):
        return "change"
    rated = ("--label-column", "--rating-columns", "--rating-column", "--ratings-columns", "--ratings-column")
    if words.has(*rated) or not words.has("--by", "--system-column"):
        return "raters"
    return "raters" if _has_ratings(words.arguments()[-1], words.value("--input-format")) else "systems"


def _has_ratings(table: str, format_name: str | None) -> bool:
    from naturalness.cli.inputs import table_of
    from naturalness.data.rated_columns import LABEL, RATING, RATINGS
    from naturalness.data.reading import first_columns

    try:
        where = table_of(table, format_name)
        return not where.is_stream and bool({LABEL, RATING, RATINGS} & set(first_columns(where)))
    except (NaturalnessError, OSError):
        return False  # the command itself says what is wrong


def _annotate(action: str) -> Callable[[Words], list[str] | None]:
    def rewrite(words: Words) -> list[str] | None:
        if _is_new(words, PROJECTS) or len(words.arguments()) != 1:
            return None
        asked = "export" if words.has("--export") else "new" if words.has("-o", "--output") else "open"
        return ["annotate", action, *words.words] if asked == action else None

    return rewrite


def _generate(words: Words) -> list[str] | None:
    method = words.value("--method")
    return ["generate", method, *words.without("--method")] if method else None


MOVED = (
    Moved("features", "features --list", "groups", _list),
    Moved("features", "features --show-tree TEXT", "trees TEXT", _flag("--show-tree", "trees")),
    Moved("features", "features --show-words TEXT", "words TEXT", _flag("--show-words", "words", "--quiet", "--force")),
    Moved("report", "report [MODEL] TABLE", "report raters TABLE [--model MODEL]", _report("raters")),
    Moved(
        "report",
        "report [MODEL] TABLE --by COLUMN",
        "report systems TABLE [--model MODEL] --system-column COLUMN",
        _report("systems"),
    ),
    Moved("report", "report [MODEL] TABLE --before OLD", "report change OLD TABLE [--model MODEL]", _report("change")),
    Moved("generate", "generate CORPUS --method METHOD", "generate METHOD CORPUS", _generate),
    Moved("evaluate", "evaluate MODEL TABLE", "evaluate TABLE --model MODEL", _evaluate),
    Moved("serve", "serve MODEL", "serve --model MODEL", _serve),
    Moved("label", "label IN OUT", "label IN -o OUT", _label),
    Moved("annotate", "annotate TEXTS -o PROJECT", "annotate new TEXTS -o PROJECT", _annotate("new")),
    Moved("annotate", "annotate PROJECT", "annotate open PROJECT", _annotate("open")),
    Moved("annotate", "annotate PROJECT --export RATED", "annotate export PROJECT -o RATED", _annotate("export")),
)
VALUED = ("--before", "--method", *(renamed.old for renamed in RENAMED))
"""Old options that take a value."""


def respell(words: Sequence[str], parser: argparse.ArgumentParser) -> tuple[list[str], str]:
    """Return the words as they are written today, and what to say of those that were not; ``parser`` is the command's.

    The words begin with the name of the command.
    """
    command, rest = words[0], Words(words[1:], {**valued_options(parser), **dict.fromkeys(VALUED, True)})
    notes = []
    current = list(words)
    for moved in MOVED:
        if moved.command == command and (rewritten := moved.rewrite(rest)) is not None:
            current = rewritten
            notes.append(f"{moved.old} is now {moved.new}")
            break
    current, renamed = _rename(current)
    shown = " ".join(notes).split()
    return current, "; ".join([*notes, *(note for note in renamed if note.split()[0] not in shown)])


def _rename(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words with the options of today, and what to say of those that have changed."""
    names = {
        renamed.old: renamed.new
        for renamed in RENAMED
        if words[0] in renamed.commands or " ".join(words[:2]) in renamed.commands
    }
    end = words.index("--") if "--" in words else len(words)
    current: list[str] = []
    notes: dict[str, None] = {}
    i = 0
    while i < end:
        name, equals, value = words[i].partition("=")
        new = names.get(name)
        if new is None:
            current.append(words[i])
        else:
            notes[f"{name} is now {new}"] = None
            if not equals and i + 1 < end:
                i, value = i + 1, words[i + 1]
            if new in LISTS and new in current:
                current[current.index(new) + 1] += f",{value}"
            else:
                current += [new, value]
        i += 1
    return [*current, *words[end:]], list(notes)


def valued_options(parser: argparse.ArgumentParser) -> dict[str, bool]:
    """Return whether each option of a command, and of those inside it, takes a value."""
    options: dict[str, bool] = {}
    for action in parser._actions:
        options |= dict.fromkeys(action.option_strings, action.nargs != 0)
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                options |= valued_options(child)
    return options
