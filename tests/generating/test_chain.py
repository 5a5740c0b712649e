"""Texts of drawn tags: which sentences teach, how tags are drawn, how words are written."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from naturalness.errors import CorpusError, PipelineError
from naturalness.generating import Damaged, TagChain, pos_tagged, supertagged, token_count
from naturalness.generating.chain import TagSequences
from naturalness.generating.drawing import draw_texts
from naturalness.generating.spacing import Spacing, made
from naturalness.generating.supertags import backed_off, levels
from naturalness.generating.tagged import Tagged, inner, is_usable
from naturalness.text.parsing import load_pipeline, parse
from naturalness.text.view import view

SUBJECTS = ("The teacher", "My brother", "A tall woman", "She", "The two old dogs", "Peter")
VERBS = ("saw", "didn't see", "often painted", "has sold", "bought")
OBJECTS = ("a house", "the well-known garden", "some bread, milk and tea", "his 20 letters")
TEXTS = [f"{' '.join(parts)}." for parts in product(SUBJECTS, VERBS, OBJECTS)]


@pytest.fixture(scope="module")
def sentences() -> list[Tagged]:
    """Tagged sentences of our own."""
    return pos_tagged(parse(TEXTS))


def document(words: str, tags: str, deps: str, heads: list[int]) -> Doc:
    """A Doc with an annotation of our own."""
    return Doc(
        load_pipeline().vocab,
        words=words.split(),
        tags=tags.split(),
        deps=deps.split(),
        heads=heads,
        spaces=[True] * (len(heads) - 2) + [False] * 2,
    )


GAVE = (
    "She gave him an old book .",
    "PRP VBD PRP DT JJ NN .",
    "nsubj root iobj det amod obj punct",
    [1, 1, 1, 5, 5, 1, 1],
)


def test_supertags_are_those_of_the_documentation() -> None:
    """The example of the module's docstring."""
    seen = view(document(*GAVE))
    assert [fine for fine, *_ in levels(seen, 0, 7)] == [
        "PRP nsubj> [_]",
        "VBD root [nsubj _ iobj obj]",
        "PRP iobj< [_]",
        "DT det> [_]",
        "JJ amod> [_]",
        "NN obj< [amod det _]",
        ". punct< [_]",
    ]
    assert levels(seen, 0, 7)[5][1:] == ("NN obj<", "NN")


def test_rare_supertags_back_off() -> None:
    """Kept where seen twice; else label and side, counted over those that came down; else tag."""
    often, rare = ("N a< [x _]", "N a<", "N"), ("N a< [_ y]", "N a<", "N")
    other, single = ("N a< [z _]", "N a<", "N"), ("N b> [_]", "N b>", "N")
    found = backed_off([[often, rare, often], [other, single]], least=2)
    assert found == [["N a< [x _]", "N a<", "N a< [x _]"], ["N a<", "N"]]


def test_supertagged_sentences_have_their_words() -> None:
    """Of a second sentence in a text, too, each word has the supertag of its own place."""
    docs = [*parse(["Peter sleeps. The old dog was tired."]), document(*GAVE)]
    first, second, third = supertagged(docs, least=1)
    assert [t.text for t in first] == ["Peter", "sleeps", "."]
    assert [t.text for t in second] == ["the", "old", "dog", "was", "tired", "."]
    assert [t.tag.split()[0] for t in second] == ["DT", "JJ", "NN", "VBD", "JJ", "."]
    assert third[5].tag == "NN obj< [amod det _]"


USABLE = [
    ("Dogs bark .", True),
    ("Dogs bark !", False),
    ("Dogs bark . Cats do .", False),
    ('" Dogs bark .', False),
    ("2 dogs bark .", False),
    (".", False),
    ("Dogs bark", False),
]


@pytest.mark.parametrize(("text", "expected"), USABLE)
def test_whole_sentences_teach(text: str, expected: bool) -> None:
    """From a letter to a full stop, with no other mark of an end."""
    words = text.split()
    assert is_usable(words, ["." if w == "." else "X" for w in words]) is expected


FIRST = [
    ("The", "DT", "the"),
    ("A", "DT", "a"),
    ("Peter", "NNP", "Peter"),
    ("I", "PRP", "I"),
    ("NATO", "NN", "NATO"),
    ("iPods", "NNS", "iPods"),
]


@pytest.mark.parametrize(("word", "tag", "expected"), FIRST)
def test_first_words_lose_their_capital(word: str, tag: str, expected: str) -> None:
    """But for names, and words with capitals of their own."""
    assert inner(word, tag) == expected


def test_a_pipeline_without_tags_is_refused() -> None:
    """All words would have the same, empty tag."""
    with pytest.raises(PipelineError, match="gives no tags"):
        pos_tagged([Doc(load_pipeline().vocab, words=["Dogs", "bark", "."])])


CHAIN = [["A", "B"], ["A", "A", "B"], ["A", "B", "A", "B"], ["B"]]


def test_tags_are_drawn_as_the_chain_has_them() -> None:
    """Shares in 4,000 draws of three tags, against the product of shares of pairs, by hand."""
    start = {"A": 3 / 4, "B": 1 / 4}
    step = {"AA": 1 / 5, "AB": 4 / 5, "BA": 1 / 5, "B.": 4 / 5, "A.": 0.0, "BB": 0.0}
    wanted = {}
    for tags in product("AB", repeat=3):
        share = start[tags[0]] * step[tags[2] + "."]
        for pair in pairwise(tags):
            share *= step["".join(pair)]
        wanted["".join(tags)] = share
    total = sum(wanted.values())
    drawn = TagSequences(CHAIN, 3)
    counts = Counter("".join(drawn.draw(random.Random(f"{i}"))) for i in range(4000))
    assert set(counts) == {name for name, share in wanted.items() if share}
    for name, share in wanted.items():
        assert counts[name] / 4000 == pytest.approx(share / total, abs=0.025)


def test_a_length_that_no_chain_has_is_an_error() -> None:
    """Nothing is drawn that the corpus does not allow."""
    with pytest.raises(CorpusError, match="no sequence of 3 tags and a full stop"):
        TagSequences([["A", "B"]], 3)


@settings(deadline=None, max_examples=12)
@given(length=st.integers(5, 30), seed=st.integers(0, 10**6))
def test_texts_have_the_length_and_look_of_sentences(sentences: list[Tagged], length: int, seed: int) -> None:
    """Read as so many tokens; a capital first, one full stop, at the end; nothing recorded."""
    count = token_count()
    for text in TagChain(sentences, length=length, count=count).generate(3, seed=seed):
        assert count(text.text) == length
        assert text.text[0].isupper()
        assert text.text.endswith(".")
        assert text.text.count(".") == 1
        assert (text.original, text.damages) == ("", ())
        assert text.amount != text.amount


def test_a_seed_gives_its_texts(sentences: list[Tagged]) -> None:
    """However many are asked for; another seed gives others."""
    chain = TagChain(sentences, length=9)
    few, many, other = ([d.text for d in chain.generate(n, seed=seed)] for n, seed in ((3, 4), (9, 4), (3, 5)))
    assert many[:3] == few
    assert other != few


@pytest.mark.parametrize(("length", "message"), [(1, "texts of 1 tokens"), (2, "no sequence of")])
def test_a_chain_without_such_texts_says_so(sentences: list[Tagged], length: int, message: str) -> None:
    """A text has a word at least; a corpus of sentences of one word would allow two tokens."""
    with pytest.raises(CorpusError, match=message):
        TagChain(sentences, length=length)
    with pytest.raises(CorpusError, match="no sentence from a letter to a full stop"):
        TagChain([])


SPACED = [
    "He said \"yes\" to the well-known (old) man's dog, but didn't pay $5 or 7%.",
    "We won't go, he said.",
    "It is 20% off, the boys' room is not.",
]
WRITTEN = [
    (["he", "said", ",", '"', "no", '"', "."], 'He said, "no".'),
    (["they", "do", "n't", "pay", "$", "20", "."], "They don't pay $20."),
    (["new", "-", "old", "(", "cars", ")", "."], "New-old (cars)."),
    (["wo", "pay", "%", "or", "5", "%", "."], "Wo pay % or 5%."),
    (["boys", "'", "dogs", ",", "the", "end", "."], "Boys' dogs, the end."),
    (["unseen", ";", "words", ":", "ours", "."], "Unseen; words: ours."),
]


@pytest.mark.parametrize(("words", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_words_are_written_as_in_the_corpus(words: list[str], text: str) -> None:
    """Marks and clitics stand where they stood; unknown ones by rule."""
    docs = parse(SPACED)
    spacing = Spacing([(t.text, bool(t.whitespace_)) for t in doc] for doc in docs)
    assert spacing.text(words) == text


@pytest.mark.parametrize("text", TEXTS[::17] + SPACED)
def test_what_was_read_is_written_again(text: str) -> None:
    """The tokens of a sentence of the corpus give its text."""
    docs = parse([text])
    spacing = Spacing([(t.text, bool(t.whitespace_)) for t in doc] for doc in docs)
    assert spacing.text([token.text for token in docs[0]]) == text


def test_a_text_that_is_read_otherwise_is_drawn_again() -> None:
    """Until one has the tokens asked for; or an error says that none was found."""

    def draw(rng: random.Random) -> Damaged:
        return made("a " * rng.randint(1, 9))

    def count(text: str) -> int:
        return text.count("a")

    found = list(draw_texts(20, draw, key="k", length=4, count=count))
    assert {d.text for d in found} == {"a a a a "}
    with pytest.raises(CorpusError, match="no text of 10 tokens was found in 1000 tries"):
        next(draw_texts(1, draw, key="k", length=10, count=count))
