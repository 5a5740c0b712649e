"""TOML from untrusted sources: limits on bytes, depth, keys and numbers are checked before parsing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from naturalness.errors import TableError
from naturalness.files.toml import MAX_BYTES, read_toml


def test_tables(tmp_path: Path) -> None:
    """Ordinary TOML is read, also with a byte order mark, and with brackets and dots in strings and comments."""
    path = tmp_path / "x.toml"
    brackets = 100 * "["
    path.write_text(
        f"\ufeff[a.b]\nx = [1, [2.5]]  # {brackets} {'a.' * 100}\ny = \"{brackets}\\\"\"\nz = '''{'a.' * 999}'''\n"
    )
    assert read_toml(path, "stop") == {"a": {"b": {"x": [1, [2.5]], "y": f'{brackets}"', "z": "a." * 999}}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = " + 50_000 * "[", "nested too deeply"),
        ("x = " + 2000 * "{x = " + "1" + 2000 * "}", "nested too deeply"),
        (".".join(50_000 * ["a"]) + " = 1", "nested too deeply"),
        (".".join(60_000 * ['"!"']) + " = 1", "nested too deeply"),
        ("x = " + 5000 * "9", "a number or a key of more than a thousand characters"),
        ("x = 0x" + 50_000 * "f", "a number or a key of more than a thousand characters"),
        ("x = 0b1" + 50_000 * "_1", "a number or a key of more than a thousand characters"),
        ('x = "' + 400_000 * '\\"', "is not TOML"),
        ('x = """' + 400_000 * '\\"', "is not TOML"),
        ("x = '''" + 300_000 * "''\\", "is not TOML"),
        ("x = [" + (MAX_BYTES // 2) * "1,", "has more than 1,000,000 bytes"),
        ("x = \udcff", "is not TOML"),
    ],
)
def test_giants(tmp_path: Path, text: str, message: str) -> None:
    """Oversized input is refused quickly, and the error says what to do."""
    path = tmp_path / "x.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    begin = time.monotonic()
    with pytest.raises(TableError, match=message) as caught:
        read_toml(path, "stop")
    assert time.monotonic() - begin < 10
    assert str(caught.value).endswith("or stop")
