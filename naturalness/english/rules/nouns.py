"""Nouns whose number is not what their form says, how a noun phrase begins, and whether names have capitals.

Where a sentence does not write its names with capitals, any noun may be a name. The first word and *I* have their
capitals anyway; commas and figures are no letters. A tagger knows some names without them, and more names in small
letters than capitals mean a text without.
"""

from __future__ import annotations

from functools import lru_cache

from naturalness.english.rules.pattern import NAMED, Sentence, words
from naturalness.english.wordlist import REMEMBERED, load_wordlist

COLLECTIVE = words(
    """people police family team staff government group public audience crew committee company army
    band board cast class club council couple crowd data media majority minority number percent
    pair party press rest variety range lot half part third quarter bulk bunch plenty handful
    dozen hundred thousand million billion youth clergy cattle poultry militia gang jury navy
    congregation generation series species means headquarters fish sheep deer aircraft
    spacecraft offspring crossroads trout salmon none all some any most more other proportion
    percentage set host multitude myriad total remainder kind type sort mass pack enemy
    opposition management wing bourgeoisie infantry cavalry peasantry folk kin personnel vermin
    side squad orchestra choir parliament cabinet union association commission ministry firm bank
    senate tribe clan battalion brigade mafia church
    fleet faculty trio duo quartet quintet trinity brotherhood bacteria criteria phenomena algae
    two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety fungi
    larvae cent pence united states men women children"""
)
"""Nouns that take verbs, determiners and numbers of either kind, or are plural without an s."""

SINGULAR_S = words(
    """news series species means headquarters crossroads physics mathematics economics politics
    ethics linguistics statistics athletics gymnastics electronics genetics mechanics dynamics
    aerobics classics optics acoustics logistics tactics analytics robotics phonetics semantics
    measles mumps diabetes rabies billiards darts relations lens gas bus boss class process
    analysis basis crisis thesis hypothesis emphasis synthesis diagnosis oasis axis always
    perhaps christmas texas paris virus status campus bonus census sales focus chorus genius
    sports savings earnings goods thanks congratulations barracks gallows works innings kudos
    chess pants jeans glasses scissors this his its us yes plus versus ours yours theirs states
    times years months weeks days hours minutes seconds miles dollars pounds euros cents feet
    inches percents degrees metres meters kilometres kilometers"""
)
"""Words in s that need not be plural, and measures, which are often one thing (ten years is)."""

COUNT = words(
    """advantage disadvantage animal answer aspect book boy building car child choice city company
    computer concept country customer day detail difference disease doctor employee engineer
    example factor family fact field friend girl goal house human idea individual job key kid
    language lesson method mistake month movie opinion opportunity parent passenger person plan
    plant player problem product professor program question reason resource restaurant result
    rule scientist situation skill society solution step student subject teacher thing tool
    topic tourist traveler traveller trip vehicle week woman word worker year minute hour
    university village town tree tradition teenager adult citizen consumer driver"""
)
"""Frequent nouns that do not stand in the singular without a determiner."""

PHRASE = words("DT PRP$ JJ JJR JJS NN NNS NNP CD POS PDT VBN VBG HYPH")
_OPENING = words(
    """, ; : because if when while although though since but so that whether where unless then
    however until therefore thus how why what"""
)


@lru_cache(maxsize=REMEMBERED)
def is_plural(word: str) -> bool:
    """Return whether a noun is plural by its form: *dogs*, *children*; not *news*, *people*, *years*."""
    if word in ("children", "men", "women"):
        return True
    if len(word) < 4 or not word.endswith("s") or word[-2] in "su'" or word in SINGULAR_S:
        return False
    known = load_wordlist()
    return word[:-1] in known or word[:-2] in known or word[:-3] + "y" in known


@lru_cache(maxsize=REMEMBERED)
def is_singular(word: str) -> bool:
    """Return whether a noun is singular by its form, and counted as one: *dog*; not *team*, *sheep*."""
    return word.isalpha() and len(word) > 2 and not word.endswith("s") and word not in COLLECTIVE


def phrase_start(sentence: Sentence, i: int) -> int:
    """Return the first token of the run of determiners, adjectives and nouns that ends in a token."""
    tags = sentence.view.tags
    while i > sentence.start and tags[i - 1] in PHRASE:
        i -= 1
    return i


def opens_clause(sentence: Sentence, i: int, *, coordinated: bool = False) -> bool:
    """Return whether a clause may begin at a token: at the start, after a comma or a conjunction."""
    if i == sentence.start:
        return True
    before = sentence.view.lower[i - 1]
    return before in _OPENING or (coordinated and before in ("and", "or"))


def is_noun_phrase(sentence: Sentence, first: int, last: int) -> bool:
    """Return whether only determiners, adjectives and nouns stand from one token up to another."""
    return all(tag in PHRASE for tag in sentence.view.tags[first:last])


def names_are_large(sentence: Sentence, i: int) -> bool:
    """Return whether the words beside one in small letters show that names have capitals here."""
    large, small = _beside(sentence, i)
    return large > small


def names_are_small(sentence: Sentence, i: int) -> bool:
    """Return whether they show that names have none."""
    large, small = _beside(sentence, i)
    return small > large


def _beside(sentence: Sentence, i: int) -> tuple[int, int]:
    """Count capitals and small names without a token in small letters: it is the one in question."""
    large, small = sentence.names
    view = sentence.view
    counted = i > sentence.start and view.tags[i] in NAMED and view.texts[i].islower()
    return large, small - counted
