"""No command parses a sentence twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from naturalness.cli import run
from naturalness.text import parsing

TEXTS = (
    "She gave the old book to her brother.",
    "He have went to home yesterday.",
    "We look forward to hear from you.",
    "In the garden is many flower.",
)


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each text was parsed."""
    counts: Counter[str] = Counter()
    plain = parsing.parse_stream

    def parse_stream(texts: Iterable[str], **options: Any) -> Iterator[Any]:
        originals = list(texts)
        counts.update(originals)
        return plain(originals, **options)

    monkeypatch.setattr(parsing, "parse_stream", parse_stream)
    return counts


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "--fast", "--metrics", "slor,length"),
        ("explain", "--fast", "--edits", "2", "--format", "json"),
        ("check", "--fast", "--rules", "--min-score", "0.6"),
        ("check", "--fast", "--rules", "--diff", "--words", "book", "--edits"),
        ("check", "--fast", "--edits", "--min-score", "0.9"),
    ],
    ids=" ".join,
)
def test_a_sentence_is_parsed_at_most_once(arguments: tuple[str, ...], parsed: Counter[str], tmp_path: Path) -> None:
    """Scores, explanations, metrics, rules and fixes come from the same parse."""
    prose = tmp_path / "prose.txt"
    prose.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    command, *options = arguments
    assert run([command, str(prose), *options]) in (0, 1)
    assert parsed and set(parsed.values()) == {1}


def test_a_score_needs_no_parse(parsed: Counter[str]) -> None:
    """Scores of shipped models need no parse."""
    assert run(["score", *TEXTS, "--fast"]) == 0
    assert not parsed
