"""Drawings of trees: whole output by hand, and what holds for the picture of any tree."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.models.parsers.tree import Node, nodes, read_brackets
from naturalness.pages.trees import cells, lines, picture, sheet, svg, text_width
from tests.support.trees import chain, trees

SPACE = "{http://www.w3.org/2000/svg}"
WRITTEN = (
    "(S (SBAR (IN When) (S (NP (PRP it)) (VP (VBD rained)))) (, ,) (NP (DT the) (JJ old) (NN cat)) "
    "(VP (VBD slept) (PP (IN in) (NP (DT a) (NN box)))) (. .))"
)


class Box(NamedTuple):
    """A text, and the pixels that it covers."""

    text: str
    left: float
    right: float
    top: float
    base: float

    def meets(self, left: float, right: float, top: float, bottom: float) -> bool:
        """Whether it has a pixel in common with a rectangle."""
        return self.left < right and left < self.right and self.top < bottom and top < self.base


def boxes(image: ElementTree.Element) -> list[Box]:
    """The texts of an image whose texts are all centred."""
    texts = []
    for text in image.iter(f"{SPACE}text"):
        x, y, size = (float(text.attrib[name]) for name in ("x", "y", "font-size"))
        half = text_width(text.text or "", size) / 2
        texts.append(Box(text.text or "", x - half, x + half, y - 0.75 * size, y))
    return texts


def strokes(image: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """The straight parts of the lines: left, right, top, bottom."""
    (path,) = image.iter(f"{SPACE}path")
    parts = []
    x = y = 0.0
    for kind, arguments in re.findall(r"([MVHq])([^MVHq]*)", path.attrib["d"]):
        numbers = list(map(float, arguments.split()))
        if kind == "M":
            x, y = numbers
        elif kind == "q":
            x, y = x + numbers[2], y + numbers[3]
        else:
            to = (x, numbers[0]) if kind == "V" else (numbers[0], y)
            parts.append((min(x, to[0]), max(x, to[0]), min(y, to[1]), max(y, to[1])))
            x, y = to
    return parts


def check_space(image: ElementTree.Element) -> None:
    """No text meets another text, a line, or the edge."""
    texts, drawn = boxes(image), strokes(image)
    for one, other in combinations(texts, 2):
        assert not one.meets(*other[1:]), (one, other)
    for box in texts:
        assert not any(box.meets(*stroke) for stroke in drawn), box
    width, height = float(image.attrib["width"]), float(image.attrib["height"])
    assert all(b.left > 0 and b.right < width and b.top > 0 and b.base < height for b in texts)


def test_lines_by_hand() -> None:
    """Phrases of words alone on one line, their tags on the right; a mark is its own tag."""
    assert lines(*read_brackets(WRITTEN)) == [
        "S",
        "├─ SBAR",
        "│  ├─ IN  When",
        "│  └─ S",
        "│     ├─ NP  it       PRP",
        "│     └─ VP  rained   VBD",
        "├─ ,",
        "├─ NP  the old cat    DT JJ NN",
        "├─ VP",
        "│  ├─ VBD  slept",
        "│  └─ PP",
        "│     ├─ IN  in",
        "│     └─ NP  a box    DT NN",
        "└─ .",
    ]


def test_nodes_over_the_same_words_share_a_line() -> None:
    """With words alone below them, and with more."""
    assert lines(*read_brackets("(S (VP (VB Go)))")) == ["S › VP  Go   VB"]
    assert lines(*read_brackets("(SBAR (S (NP (NN a)) (VP (VB b))))")) == ["SBAR › S", "├─ NP  a   NN", "└─ VP  b   VB"]


def test_columns_of_wide_and_of_added_characters() -> None:
    """Two columns for ideographs, none for an accent that stands on its own."""
    assert cells("ab") == 2
    assert cells("東京") == 4
    assert cells("e\u0301") == 1
    assert lines(*read_brackets("(S (NP (FW 東京)) (VP (VB abcd)))")) == ["S", "├─ NP  東京   FW", "└─ VP  abcd   VB"]


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\x9b", "\u202e", "\ud800", "\uffff"])
def test_what_must_not_reach_a_screen_is_marked(character: str) -> None:
    """Neither a terminal nor a reader of XML gets it."""
    root, words, tags = Node("NP", 0, 1, (0,)), [f"a{character}b"], ["NN"]
    assert lines(root, words, tags) == ["NP  a\ufffdb   NN"]
    image = ElementTree.fromstring(svg(root, words, tags, title=f"a{character}b"))
    assert "".join(image.itertext()) == "a\ufffdb(NP (NN a\ufffdb))NPNNa\ufffdb"


def test_svg_by_hand() -> None:
    """One column: 10 pixels of edge, half of NP's 1.64 ems of 14 pixels and of 14 between."""
    assert svg(*read_brackets("(NP (DT a))"), title="R&D") == (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="57" height="87" '
        'viewBox="0 0 57 87" font-family="system-ui, sans-serif" fill="currentColor" '
        'text-anchor="middle"><title>R&amp;D</title><desc>(NP (DT a))</desc>'
        '<path d="M28.5 30V46" fill="none" stroke="currentColor" stroke-width="1.2" '
        'opacity=".45"/><text x="28.5" y="24" font-size="14" font-weight="600">NP</text>'
        '<text x="28.5" y="58" font-size="11" opacity=".7">DT</text>'
        '<text x="28.5" y="77" font-size="14">a</text></svg>'
    )


def test_the_description_holds_the_tree() -> None:
    """Also of a word that is cut in the drawing; the title is the words, if none is given."""
    word = "long" * 20
    written = f"(S (NP (NNP {word})) (VP (VBD slept)))"
    image = ElementTree.fromstring(svg(*read_brackets(written)))
    assert image.findtext(f"{SPACE}desc") == written
    assert image.findtext(f"{SPACE}title") == f"{word} slept"
    assert image.attrib["role"] == "img"
    shown = [box.text for box in boxes(image)]
    assert shown[-2:] == ["VBD", "slept"]
    assert max(map(len, shown)) == 40


@given(root=trees(), data=st.data())
def test_nothing_overlaps(root: Node, data: st.DataObject) -> None:
    """No text with another, no line with a text, nothing beyond the edge; whatever the words."""
    count = root.stop
    words = data.draw(st.lists(st.text(min_size=1, max_size=12), min_size=count, max_size=count))
    tags = data.draw(st.lists(st.sampled_from(["DT", "-LRB-", "."]), min_size=count, max_size=count))
    written = svg(root, words, tags)
    assert written == svg(root, words, tags)
    image = ElementTree.fromstring(written)
    assert len(boxes(image)) == sum(1 for _ in nodes(root)) + 2 * count
    check_space(image)


@given(root=trees())
def test_labels_stand_above_what_they_hold(root: Node) -> None:
    """Words on one line from left to right; a label over its words, higher than those inside."""
    words, tags = [f"word{i}" for i in range(root.stop)], ["NN"] * root.stop
    texts = boxes(ElementTree.fromstring(svg(root, words, tags)))
    order = list(nodes(root))
    labels, leaves = texts[: len(order)], texts[len(order) + 1 :: 2]
    assert [box.text for box in leaves] == words
    assert len({box.base for box in leaves}) == 1
    assert all(left.right < right.left for left, right in pairwise(leaves))
    base = {id(node): box.base for node, box in zip(order, labels, strict=True)}
    for node, box in zip(order, labels, strict=True):
        assert all(base[id(c)] > box.base for c in node.children if isinstance(c, Node))
        left = leaves[node.start - 1].left if node.start else 0
        right = leaves[node.stop].right if node.stop < len(leaves) else float("inf")
        assert left < box.left
        assert box.right < right


def test_a_sheet_holds_captions_and_trees() -> None:
    """Below each other; as broad as the broadest."""
    tree = picture(*read_brackets(WRITTEN))
    image = ElementTree.fromstring(sheet([("a < b", None), ("1.", tree), ("2.", tree)], title="t"))
    captions = [float(text.attrib["y"]) for text in image.findall(f"{SPACE}text")]
    moved = [group.attrib["transform"] for group in image.findall(f"{SPACE}g")]
    assert captions == [20, 48, 48 + tree.height + 10 + 28]
    assert moved == ["translate(0 56)", f"translate(0 {56 + tree.height + 10 + 28:g})"]
    assert float(image.attrib["width"]) == tree.width
    assert float(image.attrib["height"]) == 28 + 2 * (28 + tree.height + 10) + 10


def test_deep_trees() -> None:
    """Deeper than Python calls may be nested."""
    depth = 1500
    root, words, tags = chain(depth), ["so"] * depth, ["RB"] * depth
    assert len(lines(root, words, tags)) == 2 * depth - 1
    assert svg(root, words, tags).count("<text") == 3 * depth
