"""Which words begin with the sound of a vowel."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalness.english.rules.sounds import begins_with_vowel

VOWEL = """apple hour honest heir FBI MBA MP HTTP X-ray e-mail S3 F-16 8 8th 11 11th 18 80 800
    8,500 18,000 urgent uninformed unimportant uncle Apple AI SMS RFID onerous umbrella American 8.5
    mRNA iPhone"""
CONSONANT = """pear house Henri unique university union European one once one-off useful utopia
    unary u.s tv bbc llama gnome rhyme knight schedule svelte
    USB UK unit yard 1 9 10 100 117 1,100,000 PhD T-shirt U-turn Ukrainian uniform ewe BBC"""
UNCLEAR = """historic herb hotel 1100 1800 NASA SAP Euler Ubuntu é McDonald hundred HIV
    nfl fbi hbo mri usb SHARE SQL SQLite Xlib uvloop scrypt nginx"""


@pytest.mark.parametrize("word", VOWEL.split())
def test_an(word: str) -> None:
    """These take *an*."""
    assert begins_with_vowel(word) is True


@pytest.mark.parametrize("word", CONSONANT.split())
def test_a(word: str) -> None:
    """These take *a*."""
    assert begins_with_vowel(word) is False


@pytest.mark.parametrize("word", UNCLEAR.split())
def test_either(word: str) -> None:
    """People differ before these, or nothing tells how they are read."""
    assert begins_with_vowel(word) is None


@given(st.text(max_size=8))
def test_never_fails(word: str) -> None:
    """Any token has an answer."""
    assert begins_with_vowel(word) in (True, False, None)
