"""What is wrong with a request is said in words; what is right is read."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.features import resolve
from naturalness.features.base import FeatureGroup
from naturalness.features.columns import NumberedText
from naturalness.studio.serve.limits import Limits
from naturalness.studio.serve.reading import read_comparing, read_explaining, read_scoring
from naturalness.studio.web.refusals import Refusal

FEW = Limits(texts=4, explained=2)
GROUPS = resolve(["columns:clicks,word count", "reply:question"])
"""Of a model that reads columns beside a text."""

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


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        ({}, "found null"),
        ({"systems": {"a": []}}, "2 to 40 systems .* found 1 system$"),
        ({"systems": {"a": [], " ": []}}, "needs a name"),
        ({"systems": {"a": ["x"], "b": "y"}}, "'systems' > \"b\" must be a list"),
        ({"systems": {"\ud800": ["x", 1], "b": ["y"]}}, r"ud800. must contain only strings; number 2 is 1"),
        ({"systems": {"a": ["x"], "b": ["x", "y"]}, "paired": True}, '"a" has 1, "b" has 2'),
        ({"systems": {"a": ["x"] * 3, "b": ["x"] * 3}}, "at most 4 texts, found 6"),
    ],
)
def test_comparing_says_what_is_wrong(payload: dict[str, Any], words: str) -> None:
    """Of names, lists and lengths."""
    with pytest.raises(Refusal, match=words):
        read_comparing(json.dumps(payload).encode(), FEW)


def test_what_is_right_is_read() -> None:
    """Empty lists, a single text; systems of equal length are paired unless told otherwise."""
    assert read_scoring(b'{"texts": []}', FEW).texts == []
    assert read_scoring(b'{"text": "a\\u0000b"}', FEW).texts == ["a\0b"]
    asked = read_explaining(b'{"texts": ["a"], "edits": 3, "in_words": true}', FEW)
    assert (asked.texts, asked.edits, asked.in_words) == (["a"], 3, True)
    assert read_comparing(b'{"systems": {"a": ["x"], "b": ["y"]}}', FEW).paired
    assert not read_comparing(b'{"systems": {"a": ["x"], "b": []}}', FEW).paired
    apart = b'{"systems": {"a": ["x"], "b": ["y"]}, "paired": false}'
    assert not read_comparing(apart, FEW).paired


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        (None, "'beside' must be a list of objects, one for each text, found null"),
        ({"clicks": 1}, "'beside' must be a list of objects, one for each text, found an object"),
        ([{}, "x"], "'beside' must contain only objects; number 2 is \"x\""),
        ([{"clicks": 1, "word count": 2}], "an object for each text; found texts: 2, objects: 1"),
        ([{"click": 1}, {}], "unknown column 'click'; did you mean 'clicks'?"),
        ([{"\ud800": 1}, {}], "unknown column '\\ud800'; choose from: clicks, question, word count"),
        ([{"x" * 1000: 1}, {}], "unknown column 'xxx"),
        ([{"clicks": [1]}, {}], "'beside' > number 1 > \"clicks\" must be a string, a number, true, false or null"),
        ([{"clicks": 1, "word count": 2}, {"clicks": 1}], 'reads column "word count" beside each text, and text 2 '),
    ],
)
def test_what_stands_beside_is_checked(beside: Any, words: str) -> None:
    """Its form, the number of objects, the names of columns, their cells, and whether all that is needed is there."""
    with pytest.raises(Refusal) as refusal:
        read_scoring(json.dumps({"texts": ["a", "b"], "beside": beside}).encode(), FEW, GROUPS)
    assert refusal.value.status == 400 and words in refusal.value.words and len(refusal.value.words) < 300


def test_a_request_says_how_to_send_what_is_lacking() -> None:
    """As it would stand in the body; of systems too, and a list for the wrong number of texts is refused there."""
    systems = {"systems": {"a": ["x"], "b": ["y"]}}
    bodies: list[dict[str, Any]] = [{"text": "a"}, {"texts": ["a"]}, systems]
    for read, body in zip((read_scoring, read_explaining, read_comparing), bodies, strict=True):
        with pytest.raises(Refusal, match=r'text 1 comes without; send "beside": \[\{"clicks": 1.5\}, ...\]'):
            read(json.dumps(body).encode(), FEW, GROUPS)
    uneven = {"systems": {"a": ["x"], "b": ["x", "y"]}, "beside": [{"question": "Who?"}]}
    with pytest.raises(Refusal, match="found texts: 2, objects: 1"):
        read_comparing(json.dumps(uneven).encode(), FEW, GROUPS[1:])


@pytest.mark.parametrize("body", [{"text": "a", "beside": [{"clicks": 1}]}, {"texts": [], "beside": []}])
def test_models_without_columns_take_nothing_beside(body: dict[str, Any]) -> None:
    """Not even an empty list."""
    with pytest.raises(Refusal, match="the model reads no columns beside a text; leave out 'beside'"):
        read_scoring(json.dumps(body).encode(), FEW)


@pytest.mark.parametrize(
    ("cell", "number", "context"),
    [
        (3, 3.0, "3"),
        ("3.5", 3.5, "3.5"),
        (True, 1.0, "True"),
        (None, math.nan, ""),
        ("Who?", math.nan, "Who?"),
        ("\ud800", math.nan, "\ud800"),
        (math.nan, math.nan, "nan"),
        (10**400, math.nan, str(10**400)),
    ],
)
def test_cells_are_read_as_those_of_a_table(cell: Any, number: float, context: str) -> None:
    """Numbers in any spelling, true and false as votes, gaps; a context as text, empty where there is none."""
    row = {"clicks": cell, "word count": 1, "question": cell}
    (text,) = read_scoring(json.dumps({"text": "a", "beside": [row]}).encode(), FEW, GROUPS).texts
    assert text == NumberedText("a", {"clicks": number, "word count": 1.0, "question": context})


def test_a_context_may_be_left_out() -> None:
    """Of one text or of all; the systems of a comparison share theirs."""
    for sent in ('{"text": "a"}', '{"text": "a", "beside": [{}]}', '{"text": "a", "beside": [{"question": null}]}'):
        (text,) = read_explaining(sent.encode(), FEW, GROUPS[1:]).texts
        assert text == NumberedText("a", {"question": ""})
    shared = b'{"systems": {"a": ["x"], "b": ["y"]}, "beside": [{"question": "Who?"}]}'
    systems = read_comparing(shared, FEW, GROUPS[1:]).systems
    assert systems == {name: [NumberedText(text, {"question": "Who?"})] for name, text in (("a", "x"), ("b", "y"))}


JSON = st.recursive(
    st.sampled_from([None, True, 0, 3, -1, 1e300, float("nan"), "", "a text", "\ud800", "\0"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "b"]), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["text", "texts", "beside", "systems", "paired", "edits", "in_words"])


@settings(deadline=None)
@given(
    st.binary(max_size=20) | st.dictionaries(FIELDS, JSON).map(lambda v: json.dumps(v).encode()),
    st.sampled_from([[], resolve(["reply:a"]), resolve(["columns:a"])]),
)
def test_whatever_comes_is_read_or_refused(body: bytes, groups: list[FeatureGroup]) -> None:
    """Never an error of another kind, and words that can be sent."""
    for read in (read_scoring, read_explaining, read_comparing):
        try:
            read(body, FEW, groups)
        except Refusal as refusal:
            assert refusal.status in (400, 413)
            assert len(refusal.words) < 1000
