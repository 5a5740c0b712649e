"""Request bodies are read, or refused with a message."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.studio.serve.reading import Limits, read_explaining, read_scoring
from naturalness.studio.web.refusals import Refusal

FEW = Limits(texts=4, explained=2)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "cannot be read as JSON"),
        (b"\xff\xfe", 400, "cannot be read as JSON"),
        (b"[" * 100_000, 400, "cannot be read as JSON"),
        (b"1" * 10_000, 400, "cannot be read as JSON"),
        (b"[]", 400, 'such as {"texts"'),
        (b"{}", 400, 'such as {"texts"'),
        (b'{"texts": [], "textes": ["a"]}', 400, "did you mean 'texts'"),
        (b'{"texts": "a"}', 400, "must be a list of strings, found 'a'"),
        (b'{"texts": ["a", 3]}', 400, "must be a list of strings"),
        (b'{"texts": [], "edits": 1}', 400, "field 'edits' is for /explain, not for /score"),
        (b'{"texts": [], "edit": 1}', 400, "unknown field 'edit'"),
        (b'{"texts": ["a", "b", "c", "d", "e"]}', 413, "at most 4 texts, found 5"),
    ],
)
def test_invalid_request_for_scores_is_refused(body: bytes, status: int, words: str) -> None:
    """A request of invalid form is refused with a message that says what was found and what is expected."""
    with pytest.raises(Refusal) as refusal:
        read_scoring(body, FEW)
    assert refusal.value.status == status and words in refusal.value.words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"edits": 4}, "from 0 to 3, found 4"),
        ({"edits": True}, "found True"),
        ({"edits": "1"}, "whole number"),
        ({"in_words": 1}, "true or false"),
        ({"texts": ["a", "b", "c"]}, "at most 2 texts"),
    ],
)
def test_invalid_request_for_explanations_is_refused(options: dict[str, object], words: str) -> None:
    """A request of invalid form is refused with a message that says what was found and what is expected."""
    with pytest.raises(Refusal, match=words):
        read_explaining(json.dumps({"texts": ["a"], **options}).encode(), FEW)


def test_valid_requests_are_read() -> None:
    """Valid requests are read; texts may contain any character."""
    assert read_scoring(b'{"texts": []}', FEW).texts == []
    assert read_scoring(b'{"texts": ["a\\u0000b"]}', FEW).texts == ["a\0b"]
    assert read_scoring(rb'{"texts": ["\ud800 \udcaf \ud83d\udcaf"]}', FEW).texts == ["\ud800 \ufffd 💯"]
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
def test_any_body_is_read_or_refused(body: bytes) -> None:
    """Any body is read, or refused with a short message; no other error is raised."""
    for read in (read_scoring, read_explaining):
        try:
            read(body, FEW)
        except Refusal as refusal:
            assert refusal.status in (400, 413)
            assert len(refusal.words) < 1000
