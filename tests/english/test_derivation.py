"""Regular formations: inflected forms, derivations and compounds, and words that only look like them."""

from __future__ import annotations

import pytest

from naturalness.english.derivation import formed, has_british_form, has_known_ize, inflected, variants
from naturalness.english.wordlist import WordList

WORDS = WordList({"garden": 900, "wash": 900, "moon": 900, "light": 900, "magnetize": 900, "rare": 1}, 10_000_000)


@pytest.mark.parametrize("word", ["gardens", "washing", "unwash", "moonlike", "moonlight", "magnetise", "gardenless"])
def test_regular_formations(word: str) -> None:
    """Regular endings, prefixes, suffixes, compounds and *-ise* for *-ize* are recognised."""
    assert formed(WORDS, word)


@pytest.mark.parametrize("word", ["gardn", "rarely", "lightx", ""])
def test_other_words(word: str) -> None:
    """A slip or a rare stem is not a regular formation."""
    assert not formed(WORDS, word)


def test_inflection_and_variants() -> None:
    """Endings are those of `inflect_regular`; variants differ by a British or American spelling."""
    assert inflected(WORDS, "washed")
    assert not inflected(WORDS, "washd")
    assert "colour" in variants("color")
    assert has_known_ize(WORDS, "magnetise")
    assert not has_known_ize(WORDS, "gardenise")


@pytest.mark.parametrize("word", ["tunnelling", "tunnelled", "tunneller", "tunnellings"])
def test_british_forms(word: str) -> None:
    """British English doubles a final *l* after a single vowel."""
    known = "tunnel tunneling tunneled tunneler tunnelings feel detail council"
    words = WordList(dict.fromkeys(known.split(), 900), 10_000_000)
    assert has_british_form(words, word)
    assert not any(has_british_form(words, other) for other in ("tunneling", "feelling", "detailled", "councillers"))
