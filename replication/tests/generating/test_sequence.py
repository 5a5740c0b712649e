"""Texts glued together from sequences of a corpus."""

from __future__ import annotations

import pytest

from naturalness.errors import CorpusError
from naturalness_replication.generating import SequenceGlue


def tokens(sentence: str) -> list[tuple[str, bool]]:
    """Return words, and whether a space follows: after all but the last word and the full stop."""
    words = sentence.split()
    return [(word, at < len(words) - 2) for at, word in enumerate(words)]


TOKENS = [tokens("The cat saw a dog ."), tokens("A dog saw the cat ."), tokens("The dog ran to the cat and sat .")]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_glued_texts_have_the_length_and_look_of_sentences(size: int) -> None:
    """Texts have six tokens, a capital at the start, and one full stop, at the end."""
    for text in SequenceGlue(TOKENS, length=6).generate(20, size=size):
        assert len(text.removesuffix(".").split()) == 5
        assert text[0].isupper()
        assert text.count(".") == 1


def test_a_whole_sentence_is_an_extract() -> None:
    """With one piece, the text is a corpus sentence of that length."""
    assert list(SequenceGlue(TOKENS, length=9).generate(1, size=9)) == ["The dog ran to the cat and sat."]


QUOTED = [
    [
        ("He", True),
        ("said", True),
        ('"', False),
        ("no", False),
        ('"', True),
        ("to", True),
        ("a", True),
        ("well", False),
        ("-", False),
        ("known", True),
        ("man", False),
        (".", False),
    ]
]


def test_marks_at_joints_are_spaced_as_in_the_corpus() -> None:
    """Quotes have no space on their inner side, and hyphens none on either side."""
    (text,) = SequenceGlue(QUOTED, length=12).generate(1, size=12)
    assert text == 'He said "no" to a well-known man.'
    texts = set(SequenceGlue(QUOTED, length=12).generate(60, size=1, seed=2))
    assert not any(wrong in text for text in texts for wrong in (" -", "- "))
    assert any('"no" to a well-known man' in text for text in texts)


@pytest.mark.parametrize(
    ("length", "size", "n", "message"),
    [
        (24, 5, 1, "does not divide"),
        (24, 24, 1, "0 sentences of 24 tokens"),
        (24, 12, 1, "no sentence of more than 12 tokens"),
    ],
)
def test_a_corpus_with_too_little_text_is_an_error(length: int, size: int, n: int, message: str) -> None:
    """A corpus with too little text raises an error that says what was found."""
    with pytest.raises(CorpusError, match=message):
        list(SequenceGlue(TOKENS, length=length).generate(n, size=size))
