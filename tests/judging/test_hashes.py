"""Texts are recognised by their letters, however they are typed."""

from __future__ import annotations

import pytest

from naturalness.judging.hashes import known_texts, text_hash

TEXT = 'The cook didn\'t shut the "old" door (at 7), did he?'
TYPED = [
    'the cook didn\'t shut the "old" door (at 7), did he?',
    "THE COOK DID N'T SHUT THE `` OLD '' DOOR -LRB- AT 7 -RRB- , DID HE ?",
    "  The cook didn’t\tshut the “old” door (at 7) , did he",
    "Ｔｈｅ cook didn't shut the old door at 7 did he",
]


@pytest.mark.parametrize("typed", TYPED)
def test_a_text_is_known_however_it_is_typed(typed: str) -> None:
    """Capitals, spaces, punctuation, quotes, brackets and tokenisation do not matter."""
    assert typed in known_texts([TEXT])
    assert TEXT in known_texts([typed])


def test_other_words_are_another_text() -> None:
    """An added or missing word, another number or an accent makes another text; texts without letters differ, too."""
    known = known_texts([TEXT, "?!"])
    for other in ("The cook shut the old door.", TEXT.replace("7", "8"), "...", "", "é"):
        assert other not in known
    assert text_hash("?!") != text_hash("...")
    assert text_hash("Résumé") != text_hash("Resume")
    assert "?!" in known


def test_shares_are_of_distinct_texts() -> None:
    """Two spellings of a text count once; without texts there is no share."""
    known = known_texts(["A door.", "A gate."])
    assert known.share(["a door", "A door!", "A window."]) == 0.5
    assert known.share([]) == 0.0
    assert len(known) == 2
