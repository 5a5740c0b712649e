"""What is wrong with a request is said in words; what is right is read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.reading import read_explaining, read_scoring
from naturalness.studio.web.refusals import Refusal

FEW = Limits(texts=4, explained=2)
BAD = [
    (b"", 400, "cannot be read as JSON"),
    (b"{", 400, "at character 1"),
    (b"\xff\xfe", 400, "cannot be read as JSON"),
    (b"[" * 100_000, 400, "cannot be read as JSON"),
    (b"1" * 10_000, 400, "cannot be read as JSON"),
    (b"[]", 400, "found a list"),
    (b"null", 400, 'such as {"texts"'),
    (b"{}", 400, "either 'texts'"),
    (b'{"text": "a", "texts": ["b"]}', 400, "either 'texts'"),
    (b'{"textes": ["a"]}', 400, "did you mean 'texts'"),
    (b'{"texts": "a"}', 400, "must be a list of strings"),
    (b'{"texts": ["a", 3]}', 400, "number 2 is 3"),
    (b'{"text": null}', 400, "'text' must be a string, found null"),
    (b'{"texts": ["a", "b", "c", "d", "e"]}', 413, "at most 4 texts, found 5"),
]


@pytest.mark.parametrize(("body", "status", "words"), BAD)
def test_scoring_says_what_is_wrong(body: bytes, status: int, words: str) -> None:
    """With the status that belongs to it."""
    with pytest.raises(Refusal) as refusal:
        read_scoring(body, FEW)
    assert refusal.value.status == status and words in refusal.value.words


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({"text": "a", "edits": 4}, "from 0 to 3, found 4"),
        ({"text": "a", "edits": True}, "found true"),
        ({"text": "a", "edits": "1"}, "whole number"),
        ({"text": "a", "in_words": 1}, "true or false"),
        ({"texts": ["a", "b", "c"]}, "at most 2 texts"),
    ],
)
def test_explaining_says_what_is_wrong(payload: dict[str, Any], words: str) -> None:
    """Of its options too."""
    with pytest.raises(Refusal, match=words):
        read_explaining(json.dumps(payload).encode(), FEW)


def test_valid_requests_are_read() -> None:
    """Empty lists, a single text, and options."""
    assert read_scoring(b'{"texts": []}', FEW).texts == []
    assert read_scoring(b'{"text": "a\\u0000b"}', FEW).texts == ["a\0b"]
    asked = read_explaining(b'{"texts": ["a"], "edits": 3, "in_words": true}', FEW)
    assert (asked.texts, asked.edits, asked.in_words) == (["a"], 3, True)


JSON = st.recursive(
    st.sampled_from([None, True, 0, 3, -1, 1e300, float("nan"), "", "a text", "\ud800", "\0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "b"]), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["text", "texts", "edits", "in_words"])


@settings(deadline=None)
@given(st.binary(max_size=20) | st.dictionaries(FIELDS, JSON).map(lambda v: json.dumps(v).encode()))
def test_whatever_comes_is_read_or_refused(body: bytes) -> None:
    """Never an error of another kind, and words that can be sent."""
    for read in (read_scoring, read_explaining):
        try:
            read(body, FEW)
        except Refusal as refusal:
            assert refusal.status in (400, 413)
            assert len(refusal.words) < 1000
