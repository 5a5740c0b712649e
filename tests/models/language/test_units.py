"""Units of language models: words, pieces and tags of sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from naturalness.errors import ModelError
from naturalness.models.language.units import Reader, open_pieces, pieces
from naturalness.models.language.vocabulary import OTHER
from naturalness.text.view import view
from tests.support.language_models import doc_of

CAPITALS = {"i": "I", "peter": "Peter", "bbc": "BBC"}


def test_sentences_are_apart_and_know_their_tokens() -> None:
    """Each sentence has its units and the positions of its tokens in the view."""
    seen = view(doc_of("We left .", "Peter stayed ."))
    assert Reader("words", CAPITALS)(seen) == [
        (["We", "left", "."], range(3), None),
        (["Peter", "stayed", "."], range(3, 6), None),
    ]


@pytest.mark.parametrize("text", ["we met peter .", "WE MET PETER ."])
def test_a_model_that_knows_no_capitals_reads_what_is_typed(text: str) -> None:
    """A model without capitalised forms changes no word, since its training text may have had no capitals."""
    assert Reader("words", {})(view(doc_of(text)))[0].units == text.split()


def test_pieces_are_cut_token_by_token() -> None:
    """Each token has its own pieces; a token without pieces is an unknown unit."""
    calls: list[str] = []

    def cut(word: str) -> list[str]:
        calls.append(word)
        return [] if word == "?" else [f"_{word[:2]}", *([word[2:]] if word[2:] else [])]

    read = pieces(cut, CAPITALS, "abc")
    expected = [(["_We", "_le", "ft", OTHER], range(3), [1, 2, 1])]
    assert read(view(doc_of("We left ?"))) == expected
    assert read(view(doc_of("we left ?"))) == expected
    assert calls == ["We", "left", "?"]
    assert (read.kind, read.encoder) == ("pieces", "abc")


def test_a_text_without_a_word_has_no_units() -> None:
    """The list of sentences is empty for words, pieces and tags."""
    seen = view(doc_of("... !"))
    assert [read(seen) for read in (Reader("words", {}), Reader("tags"), pieces(list, {}))] == [[], [], []]


def test_a_damaged_encoder_is_an_error(tmp_path: Path) -> None:
    """A damaged SentencePiece model raises a `ModelError`."""
    (tmp_path / "pieces.model").write_bytes(b"nothing of the kind")
    with pytest.raises(ModelError, match=r"pieces\.model is not a SentencePiece model"):
        open_pieces(tmp_path / "pieces.model")
