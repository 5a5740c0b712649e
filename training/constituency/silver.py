"""Corpus sentences with the teacher's trees: more, and more varied, examples than the treebanks.

The file's first line says what it was made of; then a line for each sentence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from naturalness.files.resources import file_checksum
from naturalness.models.parsers.tree import Span
from training.constituency.examples import Example

CHUNK = 2_000
Words = list[str]
Label = Callable[[Sequence[Words]], Sequence[tuple[Sequence[Span], float]]]
"""The tree of each sentence, and its log-probability."""


def write_silver(label: Label, sentences: Sequence[Words], path: Path, *, teacher: Path) -> None:
    """Label sentences, a chunk at a time; goes on where it stopped.

    ``teacher``: the file of the network that labels. A file of other sentences or of another
    teacher is an error.
    """
    sample = hashlib.sha256(json.dumps(list(sentences)).encode()).hexdigest()
    origin = {"sample": sample, "teacher": file_checksum(teacher)}
    done = _begun(path, json.dumps(origin).encode() + b"\n")
    with path.open("a", encoding="utf-8") as out, tqdm(total=len(sentences), initial=done) as bar:
        for start in range(done, len(sentences), CHUNK):
            chunk = sentences[start : start + CHUNK]
            for words, (spans, logprob) in zip(chunk, label(chunk), strict=True):
                row = {"words": words, "spans": spans, "logprob": round(logprob, 4)}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
            out.flush()
            bar.update(len(chunk))


def _begun(path: Path, head: bytes) -> int:
    """Sentences that a file has; it is made if there is none, and cut back to whole lines."""
    content = path.read_bytes() if path.exists() else b""
    if head.startswith(content):
        path.write_bytes(head)
        return 0
    if not content.startswith(head):
        raise ValueError(f"{path} was made of other sentences or by another teacher: delete it")
    whole = content.rindex(b"\n") + 1
    with path.open("r+b") as file:
        file.truncate(whole)
    return content.count(b"\n") - 1


def read_silver(path: Path) -> Iterator[Example]:
    """The sentences with their trees; tags are not known."""
    with path.open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            words = row["words"]
            spans = [Span(*span) for span in row["spans"]]
            yield Example(words, [""] * len(words), spans, 0)
