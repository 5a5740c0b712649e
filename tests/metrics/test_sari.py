"""SARI: values by hand, bounds, and refused input."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.metrics.sari import SARI, is_meaning, operations, sari
from naturalness.text.parsing import parse

TOKENS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=7)


def test_by_hand() -> None:
    """a b c d, made a b x d where the reference has a b x e.

    Kept 4/5 (a, b and d; a and b), 1 (a b), 0, 0; left out 1 (c; b c and c d; …) at each length;
    put in 2/3 (x; x and e), 1/2 (b x and x d; b x and x e), 1/2, 0.
    """
    text, reference = list("abxd"), list("abxe")
    shares = [operations(list("abcd"), text, [reference], n) for n in (1, 2, 3, 4)]
    assert shares == [
        pytest.approx((4 / 5, 1, 2 / 3)),
        pytest.approx((1, 1, 1 / 2)),
        pytest.approx((0, 1, 1 / 2)),
        pytest.approx((0, 1, 0)),
    ]
    wanted = 100 * (9 / 5 + 4 + 5 / 3) / 12
    assert sari(list("abcd"), text, [reference]) == pytest.approx(wanted)


def test_references_vote() -> None:
    """Of "a b" the text keeps a, one reference both, one b: a has one vote of two, b two."""
    keep, leave, put = operations(["a", "b"], ["a"], [["a", "b"], ["b"]], 1)
    assert keep == pytest.approx(2 * 1 / (2 + 3))
    assert (leave, put) == (0, 0)
    keep, leave, _ = operations(["a", "b"], ["b"], [["a", "b"], ["b"]], 1)
    assert keep == pytest.approx(2 * 2 / (2 + 3))
    assert leave == pytest.approx(1 / 2)


def test_what_is_put_in_counts_once() -> None:
    """Repeated additions count once; words of the source are not new."""
    assert operations(["a"], ["a", "x", "x"], [["x"], ["x", "x", "y"]], 1)[2] == pytest.approx(2 / 3)
    assert operations(["a"], ["a", "a"], [["a", "a"]], 1)[2] == 0


def test_repetitions_are_counted() -> None:
    """Of "a a a" the text drops one, which is right; the reference drops two."""
    keep, leave, _ = operations(list("aaa"), list("aa"), [["a"]], 1)
    assert keep == pytest.approx(2 * 1 / (2 + 1))
    assert leave == 1


@given(source=TOKENS, text=TOKENS, references=st.lists(TOKENS, min_size=1, max_size=3))
def test_bounds_and_order(source: list[str], text: list[str], references: list[list[str]]) -> None:
    """0 to 100, whatever the order or repetition of references."""
    score = sari(source, text, references)
    assert 0 <= score <= 100
    assert sari(source, text, references[::-1]) == score
    assert sari(source, text, references * 2) == pytest.approx(score)


def test_a_text_like_its_reference() -> None:
    """100 if each length has something to keep, drop and add; 33 with nothing to do."""
    source, wanted = list("abcdefghij"), list("abcdexghi")
    assert sari(source, wanted, [wanted]) == pytest.approx(100)
    assert sari(source, source, [source]) == pytest.approx(100 / 3)


def test_texts_are_read_alike() -> None:
    """Capitals and spacing do not count; NaN without tokens on any side."""
    docs = parse(["She closed the old door!", "She closed the old door!", ""])
    references = [["She shut the door."]]
    one, same, empty = SARI.score(
        docs, references * 3, ["She shut that old door.", "she  SHUT that old door .", "A door."]
    )
    assert one == same and 0 < one < 100
    assert empty != empty
    for sources in ([" "], [""], [None]):
        assert SARI.score(docs[:1], references, sources) != SARI.score(docs[:1], references, sources)
    assert "|variant:easse|" in SARI.signature


def test_mistakes() -> None:
    """A single string, and a wrong number of sources, are errors."""
    docs = parse(["Rain fell.", "It rained."])
    with pytest.raises(ValueError, match="found 1 sources for 2 texts, expected one each"):
        SARI.score(docs, [["Rain."]] * 2, ["Rain."])
    with pytest.raises(TypeError, match="single string"):
        SARI.score(docs, [["Rain."]] * 2, "It")
    with pytest.raises(ValueError, match="found references for 1 texts"):
        SARI.score(docs, [["Rain."]], ["Rain.", "Rain."])


@pytest.mark.parametrize(
    "source",
    [
        "inform(name='The Anchor';area=harbour)",
        "?request(area)",
        "goodbye()",
        "confirm(near='the pier (old)') & request(price)",
        "name[The Anchor], customer rating[5 out of 5], area[harbour].",
        "name=The Anchor; area=harbour",
        "The Anchor | locatedIn | Leith",
        "Anchor | food_type | fish && Anchor | locatedIn | Leith",
        '{"name": "The Anchor"}',
        "(w / want-01 :ARG0 (b / boy))",
    ],
)
def test_a_meaning_representation_is_no_source(source: str) -> None:
    """A row with a meaning representation has no score; other rows keep theirs."""
    assert is_meaning(source)
    docs = parse(["The Anchor is by the harbour."] * 2)
    references = [["There is an inn by the harbour."]] * 2
    unknown, known = SARI.score(docs, references, [source, "An inn stands by the harbour."])
    assert math.isnan(unknown) and known > 0


@pytest.mark.parametrize(
    "source",
    [
        "He left (at last).",
        "(See above.)",
        "He paid the fee(s) and left.",
        "1 = 1",
        "[…] no.",
        "User: Hi! | System: Hello. | User: Where are you?",
        "Left | right | centre",
        "g17",
        "5",
        "",
        "She said: inform(name) is a call.",
        pytest.param("a(" * 5000, id="open"),
        pytest.param("a(b" + "(c)" * 5000, id="unclosed"),
        pytest.param("a | bC | d &&" * 2000, id="triples without an end"),
    ],
)
def test_a_text_is_no_meaning_representation(source: str) -> None:
    """Brackets, bars or equals signs do not make one, and the test is quick for any text."""
    assert not is_meaning(source)
