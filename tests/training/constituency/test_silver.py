"""The teacher's trees in a file: begun, interrupted, of another sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from naturalness.models.parsers.tree import Span
from training.constituency import silver
from training.constituency.silver import Words, read_silver, write_silver

SENTENCES = [["Cats", "sleep", str(i)] for i in range(7)]


class Teacher:
    """Labels all alike, and notes what it was asked; may stop."""

    def __init__(self, most: int = 100) -> None:
        self.asked: list[Words] = []
        self.most = most

    def __call__(self, sentences: Sequence[Words]) -> list[tuple[list[Span], float]]:
        if len(self.asked) + len(sentences) > self.most:
            raise KeyboardInterrupt
        self.asked += sentences
        return [([Span(0, len(words), "S")], -0.5) for words in sentences]


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The teacher's file; sentences are labelled two at a time."""
    monkeypatch.setattr(silver, "CHUNK", 2)
    path = tmp_path / "teacher.pt"
    path.write_bytes(b"weights")
    return path


@pytest.fixture
def whole(tmp_path: Path, weights: Path) -> Path:
    """A file of all sentences."""
    path = tmp_path / "silver.jsonl"
    write_silver(Teacher(), SENTENCES, path, teacher=weights)
    return path


def test_sentences_come_back(whole: Path) -> None:
    """With their trees, in their order."""
    sentences = list(read_silver(whole))
    assert [e.words for e in sentences] == SENTENCES
    assert all((e.spans, e.tags, e.style) == ([Span(0, 3, "S")], [""] * 3, 0) for e in sentences)


def test_it_goes_on_where_it_stopped(tmp_path: Path, whole: Path, weights: Path) -> None:
    """After four of seven sentences; and does nothing when all are there."""
    part = tmp_path / "part.jsonl"
    with pytest.raises(KeyboardInterrupt):
        write_silver(Teacher(5), SENTENCES, part, teacher=weights)
    teacher = Teacher()
    write_silver(teacher, SENTENCES, part, teacher=weights)
    assert teacher.asked == SENTENCES[4:]
    assert part.read_bytes() == whole.read_bytes()
    write_silver(Teacher(0), SENTENCES, part, teacher=weights)
    assert part.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [0, 1, 40, 200, 230, -1, -20])
def test_half_a_line_is_written_anew(whole: Path, weights: Path, cut: int) -> None:
    """Wherever the process ended."""
    content = whole.read_bytes()
    whole.write_bytes(content[:cut])
    write_silver(Teacher(), SENTENCES, whole, teacher=weights)
    assert whole.read_bytes() == content


def test_a_file_of_something_else_is_refused(whole: Path, weights: Path) -> None:
    """Other sentences, another teacher, a file without the first line; it stays as it is."""
    content = whole.read_bytes()
    with pytest.raises(ValueError, match=r"silver\.jsonl was made of other sentences .*delete it"):
        write_silver(Teacher(), SENTENCES[:-1], whole, teacher=weights)
    weights.write_bytes(b"other weights")
    with pytest.raises(ValueError, match="another teacher: delete it"):
        write_silver(Teacher(), SENTENCES, whole, teacher=weights)
    assert whole.read_bytes() == content
    whole.write_bytes(content.split(b"\n", 1)[1] + b'{"wor')
    with pytest.raises(ValueError, match="delete it"):
        write_silver(Teacher(), SENTENCES, whole, teacher=weights)
    assert whole.read_bytes().endswith(b'{"wor')
