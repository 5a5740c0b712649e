"""Properties of words that rules use: number, verb forms, vowel sounds, repetitions and phrases."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from naturalness.english.rules import nouns, verbs
from naturalness.english.rules.pattern import RuleSentence
from naturalness.english.rules.prepositions import PHRASES, fixed_phrase
from naturalness.english.rules.repeated_words import repeated_word
from naturalness.english.rules.sounds import begins_with_vowel
from naturalness.text.view import view
from tests.support.documents import Build
from tests.support.lines import rows

QUESTIONS = [
    (nouns.is_plural, "dogs children ideas parties", "news bus physics years boss dog people"),
    (nouns.is_singular, "dog idea teacher", "dogs people team sheep a n't"),
    (verbs.is_past, "went made wanted gone disagreed guaranteed tried seen", "need hundred embed feed put go"),
    (verbs.is_third_person, "goes has makes tries is", "discuss this focus lens his as yes"),
    (verbs.is_present_base, "go want agree", "put went set wanted going n't analysis"),
    (verbs.is_verb, "go think book agre", "belief hotel library"),
    (verbs.is_verb_form, "triggers works went", "students libraries"),
    (verbs.is_gerund, "watching selling", "king thing during ring something"),
]


@pytest.mark.parametrize(("question", "yes", "no"), QUESTIONS)
def test_properties_of_a_form(question: Callable[[str], bool], yes: str, no: str) -> None:
    """Each test of a word form accepts and rejects the listed words."""
    assert [word for word in yes.split() if not question(word)] == []
    assert [word for word in no.split() if question(word)] == []


BASES = """went/go goes/go has/have does/do tries/try makes/make watches/watch stopped/stop tried/try solved/solve
    helped/help going/go making/make sitting/sit chosen/choose gots/get being/be xyz/xyz"""
PARTICIPLES = "write/written arise/arisen forget/forgotten tell/told include/included"


def test_bases_and_participles() -> None:
    """A form has the right base for any tag; participles come from the table or from spelling rules."""
    for form, base in (pair.split("/") for pair in BASES.split()):
        assert verbs.base_of(form) == base
    for base, participle in (pair.split("/") for pair in PARTICIPLES.split()):
        assert verbs.participle_of(base) == participle


NAMES = """
He/PRP saw/VBD a/DT hose/NN | False | False
He/PRP saw/VBD Anna/NNP 's/POS hose/NN | True | False
Anna/NNP saw/VBD 3/CD ,/, I/PRP think/VBP hose/NN | False | False
he/PRP saw/VBD anna/NNP 's/POS hose/NN | False | True
Anna/NNP saw/VBD london/NNP Bridge/NNP hose/NN | False | False
Anna/NNP saw/VBD hose/NNP | False | False
"""


@pytest.mark.parametrize(("words", "large", "small"), rows(NAMES))
def test_capitals_of_names(build: Build, words: str, large: str, small: str) -> None:
    """The words after the first decide whether a sentence capitalises names."""
    tokens = [word.split("/") for word in words.split()]
    doc = build("\n".join(f"{text} {text} X {tag} 0 dep" for text, tag in tokens))
    sentence, last = RuleSentence(view(doc), 0, len(tokens)), len(tokens) - 1
    assert str(nouns.names_are_large(sentence, last)) == large
    assert str(nouns.names_are_small(sentence, last)) == small


VOWEL = """apple hour honest heir FBI MBA MP HTTP X-ray e-mail S3 F-16 8 8th 11 11th 18 80 800
    8,500 18,000 urgent uninformed unimportant uncle Apple AI SMS RFID onerous umbrella American 8.5
    mRNA iPhone"""
CONSONANT = """pear house Henri unique university union European one once one-off useful utopia
    unary u.s tv bbc llama gnome rhyme knight schedule svelte
    USB UK unit yard 1 9 10 100 117 1,100,000 PhD T-shirt U-turn Ukrainian uniform ewe BBC"""
UNCLEAR = """historic herb hotel 1100 1800 NASA SAP Euler Ubuntu é McDonald hundred HIV
    nfl fbi hbo mri usb SHARE SQL SQLite Xlib uvloop scrypt nginx"""


@pytest.mark.parametrize(("words", "answer"), [(VOWEL, True), (CONSONANT, False), (UNCLEAR, None)])
def test_vowel_sounds(words: str, answer: bool | None) -> None:
    """Words take *an*, take *a*, or are unclear because people differ or the reading is unknown."""
    assert [word for word in words.split() if begins_with_vowel(word) is not answer] == []


@given(st.text(max_size=8))
def test_any_token_has_a_sound(word: str) -> None:
    """Any string begins with a vowel sound, does not, or is unclear."""
    assert begins_with_vowel(word) in (True, False, None)


VOCAB = spacy.blank("en").vocab


@pytest.mark.parametrize(
    ("words", "start", "end", "found"),
    [
        ("it was the the end", 0, 5, [(2, 4)]),
        ("it was the the the end", 0, 6, []),  # three are intended
        # The same word in a neighbouring sentence changes nothing.
        ("give it to to to them", 0, 4, [(2, 4)]),
        ("give it to to to them", 3, 6, [(3, 5)]),
        ("what it is is a slip", 1, 6, [(2, 4)]),
        # A clause may end between the two.
        ("what it is is a slip", 0, 6, []),
        ("it is is what we want", 0, 6, [(1, 3)]),
    ],
)
def test_repeated_words(words: str, start: int, end: int, found: list[tuple[int, int]]) -> None:
    """Two equal words are a slip unless a clause may end between them."""
    sentence = RuleSentence(view(Doc(VOCAB, words=words.split())), start, end)
    assert [(finding.start, finding.end) for finding in repeated_word(sentence)] == found


LINES = [line for lines in PHRASES.values() for line in lines]


def corrections(*words: str) -> list[tuple[int, int, str]]:
    """Return the matches of the table of phrases in a sentence."""
    sentence = RuleSentence(view(Doc(VOCAB, words=words)), 0, len(words))
    return [(phrase.start, phrase.end, phrase.suggestions[0]) for phrase in fixed_phrase(sentence)]


@pytest.mark.parametrize("line", LINES, ids=lambda line: "-".join(line[0]))
def test_each_phrase_fires_where_it_is_complete(line: tuple[list[str], str, str]) -> None:
    """A phrase fires in any case before a comma; one that must end does not fire inside a longer phrase."""
    words, mark, right = line
    assert corrections("well", *words, ",", "yes") == [(1, 1 + len(words), right)]
    upper = corrections(words[0].capitalize(), *words[1:], ",", "yes")
    assert upper == [(0, len(words), right[:1].upper() + right[1:])]
    assert right.split() != words
    assert bool(corrections("well", *words, "planning")) == (mark == "")
