"""The command-line parser: help in groups with examples, one-line errors with suggestions."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from naturalness.errors import close_name, excerpt, suggestion
from naturalness.pages.formats import enumeration

EXAMPLES = "examples:"
PARAMETER = re.compile(r"`([a-z][a-z_]*)(=[^`=]*)?`")
"""A parameter in a message of the library, perhaps with its value: `` `pairs` ``, `` `input_format=csv` ``."""
PARTS = {
    **{name: f"--rule {name.replace('_', '-')}" for name in ("natural_from", "unnatural_below", "votes_from", "floor")},
    "start": "--from",
}
"""Parameters that are only a part of an option, or have another name."""
MISSING = "the following arguments are required: "
"""Start of the argparse message on missing arguments."""


def as_options(message: str) -> str:
    """Return a message in which options replace the parameters that the library names, such as `` `text_column` ``."""

    def option(match: re.Match[str]) -> str:
        value = (match[2] or "").replace("=", " ")
        if " " in value[1:]:
            value = f" {shlex.quote(value[1:])}"
        return PARTS.get(match[1], "--" + match[1].replace("_", "-")) + value

    return PARAMETER.sub(option, message)


class _StoreOnce(argparse.Action):
    """Action that stores an option's value, and refuses a second value instead of replacing the first."""

    _last: object = None

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        """Store the value; options already seen are tracked per namespace, which is new for each parse."""
        if option_string is not None and self._last is namespace:
            value = self.metavar or self.dest.upper()
            raise argparse.ArgumentError(self, f"given twice; expected once: {option_string} {value}")
        self._last = namespace
        setattr(namespace, self.dest, values)


class _Formatter(argparse.HelpFormatter):
    """Formatter that does not wrap the lines of examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(EXAMPLES) else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """A parser with one-line errors; a repeated option is an error.

    ``examples`` are command lines, shown below the options. ``sections`` are the titles of groups of commands.
    """

    def __init__(
        self,
        *arguments: Any,
        examples: Sequence[str] = (),
        sections: Mapping[str, Sequence[str]] | None = None,
        **named: Any,
    ) -> None:
        if examples:
            named["epilog"] = "\n  ".join([EXAMPLES, *examples])
        super().__init__(*arguments, **{"formatter_class": _Formatter, **named})
        self.examples = tuple(examples)
        self.sections = sections or {}
        for action in (None, "store"):
            self.register("action", action, _StoreOnce)

    def error(self, message: str) -> NoReturn:
        """Print one line and exit with 2; if an argument is missing, also print an example."""
        if message.startswith(MISSING) and self.examples:
            missing = enumeration(message.removeprefix(MISSING).split(", "))
            message = f"expected {missing}; for example: {self.examples[0]}"
        see = " See" if message.endswith("?") else "; see"
        self.exit(2, f"error: {message}{see}: {self.prog} --help\n")

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse arguments; report leftover arguments here, where the command is known."""
        values, rest = super().parse_known_args(args, namespace)
        for word in rest:
            if word.startswith("-") and word != "-":
                name = word.partition("=")[0]
                names = [option for action in self._actions for option in action.option_strings if option[:2] == "--"]
                # Without the dashes, which would make all options look similar.
                meant = close_name(name[2:], [option[2:] for option in names])
                self.error(f"unknown option {name}" + (f"; did you mean '--{meant}'?" if meant else ""))
        if rest:
            names = [str(action.metavar or action.dest) for action in self._actions if not action.option_strings]
            expected = f"{enumeration(names)}, with no option between" if names else "options alone"
            self.error(f"unexpected {enumeration(list(map(excerpt, rest)))}; expected {expected}")
        return values, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        meant = suggestion(str(value), map(str, action.choices))
        if isinstance(action, argparse._SubParsersAction):
            raise argparse.ArgumentError(None, f"unknown command {value!r}; {meant}")
        raise argparse.ArgumentError(action, f"unknown value {value!r}; {meant}")

    def format_help(self) -> str:
        """Return the help, with commands listed in their sections, if any."""
        if not self.sections:
            return super().format_help()
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        listed = {
            command.dest: command
            for action in self._actions
            if isinstance(action, argparse._SubParsersAction)
            for command in action._choices_actions
        }
        for title, names in self.sections.items():
            formatter.start_section(title)
            formatter.add_arguments([listed[name] for name in names if name in listed])
            formatter.end_section()
        formatter.start_section("options")
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()
