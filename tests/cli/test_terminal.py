"""Terminal output: colour, marked text, and escapes."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from naturalness.cli.terminal import Guarded, Mark, Paint, escaped, line_of, marked_lines, paint_for

PLAIN, COLOUR = Paint(False), Paint(True)


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": ""}, False, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour_is_for_terminals(
    environment: dict[str, str], terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Colour is used on terminals unless an environment variable says otherwise."""
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert paint_for(Terminal() if terminal else io.StringIO()).on is expected


def test_marks_are_below_their_words() -> None:
    """Marks are aligned with their words, also after double-width letters, combining accents and tabs."""
    text = "語語 go\tno e\u0301t x"
    marks = [Mark(3, 5, "sure"), Mark(9, 12, "doubtful"), Mark(13, 14, "sure")]
    assert marked_lines(text, marks, 40, PLAIN) == ["語語 go no e\u0301t x", "     ^^    ^^ ^"]


def test_an_empty_span_marks_the_next_character() -> None:
    """An empty span marks the next character or, at the end of a text, the position after it."""
    text = "I go school"
    assert marked_lines(text, [Mark(5, 5, "sure")], 40, PLAIN) == ["I go school", "     ^"]
    assert marked_lines(text, [Mark(11, 11, "sure")], 40, PLAIN) == ["I go school", " " * 11 + "^"]
    assert marked_lines(text, [Mark(5, 5, "sure")], 40, COLOUR) == ["I go \x1b[4;31ms\x1b[0mchool"]


def test_lines_break_at_spaces() -> None:
    """A mark continues on the next line, and a word longer than a line is broken."""
    assert marked_lines("one two three", [Mark(4, 13, "sure")], 8, PLAIN) == ["one two", "    ^^^^", "three", "^^^^^"]
    assert marked_lines("abcdefghij kl", [], 4, PLAIN) == ["abcd", "efgh", "ij", "kl"]


def test_control_characters_are_replaced() -> None:
    """Escape sequences and line ends of a text do not reach the terminal."""
    (line,) = marked_lines("a\x1b[31mb\r\nc\u202e", [], 40, PLAIN)
    assert line == "a\ufffd[31mb  c\ufffd"


def test_a_long_text_is_truncated_to_a_line() -> None:
    """A long text is truncated to one line, and its control characters are escaped."""
    assert line_of("a\nb\x1b") == "a b\\x1b"
    assert line_of("word " * 50) == ("word " * 40)[:199] + "…"


@given(
    st.text(alphabet="ab é語\u0301\t😀", max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5)), max_size=3),
    st.integers(2, 30),
)
def test_lines_fit(text: str, spans: list[tuple[int, int]], width: int) -> None:
    """No line is wider than the width, and the lines together have all characters of the text."""
    marks = [Mark(start, start + length, "sure") for start, length in spans if start <= len(text)]
    bare = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in marked_lines(text, marks, width, COLOUR)]
    assert all(cell_len(line) <= width for line in bare)
    assert "".join(bare).replace(" ", "") == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::stop-commands::x\n", "\\u003a:stop-commands::x\n"),
        ("a\n \t\u3000::add-mask::b\n", "a\n \t\u3000\\u003a:add-mask::b\n"),
        ("a ::b, std::vector, C:\n", "a ::b, std::vector, C:\n"),
        ("see ##[error]x ##vso[task.x]y", "see #\\u0023[error]x #\\u0023vso[task.x]y"),
        ("## [a](b)\n###\n", "## [a](b)\n###\n"),
        ("\x1b]0;t\x07 \x9b1A \r\u202e\x7f \udcff", "\\u001b]0;t\\u0007 \\u009b1A \\u000d\\u202e\\u007f \\udcff"),
        ("\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m"),
        ("plain 語 é\n", "plain 語 é\n"),
    ],
)
def test_terminal_and_log_commands_are_escaped(text: str, expected: str) -> None:
    """Control characters and CI commands are escaped, even if written in pieces; in JSON, the text stays the same."""
    assert escaped(text) == expected
    assert json.loads(escaped(json.dumps(text, ensure_ascii=False))) == text
    whole, pieces = Guarded(io.StringIO()), Guarded(io.StringIO())
    whole.writelines([text])
    for piece in re.split(r"(?<=\s)", text):
        pieces.write(piece)
    assert whole.getvalue() == pieces.getvalue() == expected


def test_styles_reach_a_terminal() -> None:
    """Escape sequences of our own styles are passed on to a terminal; all others are escaped."""
    stream = Terminal()
    Guarded(stream).write(f"{COLOUR('good', 'sure')} \x1b[2J \x1b[8mhidden")
    assert stream.getvalue() == "\x1b[4;31mgood\x1b[0m \\u001b[2J \\u001b[8mhidden"
