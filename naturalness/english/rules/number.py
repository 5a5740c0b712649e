"""Number: determiners, quantifiers and numerals with the noun that they count."""

from __future__ import annotations

from naturalness.english.rules.nouns import COUNT, is_noun_phrase, is_plural, is_singular
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token, words
from naturalness.english.rules.verbs import VERB_ONLY, is_gerund
from naturalness.english.wordlist import load_wordlist

NUMBERS = "two three four five six seven eight nine ten eleven twelve"
UNITS = words(
    """year month week day hour minute second mile foot inch pound dollar euro degree percent head
    dozen hundred thousand million billion cent pence ton stone acre gallon litre liter metre
    meter yen yuan yard point man one time way star bit fold pennyworth"""
)
"""Nouns that stand in the singular after numbers, or before another noun."""
PARTITIVE = words(
    """city country book day week year month movie house village town family company university
    life language plant"""
)
"""Nouns of which there can be a part (*most of the city*), or a mass."""
MASS = words(
    """money water information knowledge advice homework furniture traffic pollution luck equipment
    weather stress energy electricity gasoline research evidence progress luggage food stuff
    software news"""
)
# The noun is not the last of its phrase, or no noun at all (do those suit you).
MORE = (
    token("next", "after noun", tag="NN NNS NNP NNPS JJ VBG VBN HYPH POS CD DT PRP$"),
    token("next", "after noun", lower="- – / and or & ' 's \""),
)
# "A few brief, choice words", "the five uniform, pigmented stripes".
TWO_NOUNS = (token("comma", "after noun", lower=","), token("other", "after comma", tag="JJ NN NNS VBN"))
OF = {"NN", "NNS", "NNP", "POS", "DT"}


def counted(s: Sentence, b: Binding) -> bool:
    """Return whether only adjectives stand between determiner and noun, and the noun is a known common noun."""
    first, noun = b["determiner"] + 1, b["noun"]
    return (
        is_noun_phrase(s, first, noun)
        and OF.isdisjoint(s.view.tags[first:noun])
        and s.view.tags[noun - 1] != "HYPH"
        and s.view.texts[noun].islower()
        and s.view.lower[noun] in load_wordlist()
    )


def single(s: Sentence, b: Binding) -> bool:
    """Return the same, with no numeral or gerund between them: *another two weeks*."""
    inside = range(b["determiner"] + 1, b["noun"])
    odd = any(s.view.tags[i] in ("CD", "VBG", "VBN", "VBD") or s.view.lower[i] in ("few", "other") for i in inside)
    return counted(s, b) and not odd


def after_numeral(s: Sentence, b: Binding) -> bool:
    """Return the same as `counted`, where the numeral is no part of a name."""
    numeral, noun = b["determiner"], b["noun"]
    plain = "CD" not in s.view.tags[numeral + 1 : noun]
    return plain and counted(s, b) and (numeral == s.start or s.view.texts[numeral].islower())


def several_of(s: Sentence, b: Binding) -> bool:
    """Return whether one phrase with one noun stands behind *of*, and no part of one thing is meant."""
    first, noun = b["the"] + 1, b["noun"]
    singular = s.view.lower[b["determiner"]] in ("one", "each")
    return (
        is_noun_phrase(s, first, noun)
        and OF.isdisjoint(s.view.tags[first:noun])
        and (s.view.lower[noun] != "family" if singular else s.view.lower[noun] not in PARTITIVE)
    )


def lot_of(s: Sentence, b: Binding) -> bool:
    """Return whether only adjectives stand between *of* and the noun."""
    first, noun = b["of"] + 1, b["noun"]
    return is_noun_phrase(s, first, noun) and not (OF | {"PRP$"}) & set(s.view.tags[first:noun])


RULES: tuple[Rule, ...] = (
    Rule(
        id="THIS_THINGS",
        mark="determiner",
        suggest=replaced("determiner", {"this": "these"}),
        message="'{noun}' is plural: '{suggestion} {noun}'",
        tokens=(
            token("determiner", lower="this", tag="DT", dep="det"),
            token("noun", "soon after determiner", tag="NNS", like=is_plural),
        ),
        unless=MORE,
        test=single,
        bad=("I bought this books in the city.", "In this difficult cases we ask a friend."),
        good=("I bought these books in the city.", "This means nothing to me.", "This sports car is fast."),
    ),
    Rule(
        id="THAT_THINGS",
        mark="determiner",
        suggest=instead("those"),
        message="'{noun}' is plural: 'those {noun}'",
        tokens=(
            token("determiner", lower="that", dep="det"),
            token("noun", "after determiner", tag="NNS", like=is_plural),
            token("before", "before determiner", tag="IN", lower="of in for with by from at on about"),
        ),
        unless=MORE,
        bad=("I never heard of that places.", "She always speaks about that books."),
        good=("I never heard of those places.", "I know that places like this exist."),
    ),
    Rule(
        id="THESE_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="'{determiner}' takes a plural: '{determiner} {suggestion}'",
        tokens=(
            token("determiner", lower="these those", tag="DT"),
            token("noun", "soon after determiner", tag="NN", like=is_singular),
        ),
        unless=(
            (
                token("of", "before determiner", lower="of"),
                token(
                    "none",
                    "before of",
                    lower=(
                        "none one all some any each neither either most many both few two three first "
                        "second third last latter rest"
                    ),
                ),
            ),
            *MORE,
            token("gerund", "same as noun", like=is_gerund),
        ),
        test=counted,
        bad=("These problem is hard to solve.", "I like those red coat."),
        good=(
            "These problems are hard to solve.",
            "These people are kind.",
            "I heard the last of these talk about it.",
            "Those car parts are new.",
        ),
    ),
    Rule(
        id="MANY_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="'{determiner}' takes a plural: '{determiner} {suggestion}'",
        tokens=(
            token("determiner", lower="many several various numerous few", tag="JJ DT"),
            token(
                "noun",
                "soon after determiner",
                tag="NN",
                like=is_singular,
                lower_not={*MASS, *VERB_ONLY, "more", "one"},
            ),
        ),
        unless=(*MORE, token("a", "after determiner", lower="a an more another of"), TWO_NOUNS),
        test=counted,
        bad=("There are many reason to stay.", "Several student came too late."),
        good=(
            "There are many reasons to stay.",
            "Many a man has tried.",
            "Many people came.",
            "It solved many long-standing (and ugly) problems.",
        ),
    ),
    Rule(
        id="TWO_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="after '{determiner}' the noun is plural: '{suggestion}'",
        tokens=(
            token("determiner", lower=NUMBERS, tag="CD"),
            token("noun", "soon after determiner", tag="NN", like=is_singular, lower_not=UNITS),
        ),
        unless=(
            token("bracket", "after noun", lower="( ["),
            TWO_NOUNS,
            *MORE[:1],
            token("next", "after noun", lower="- – / ' 's \""),
            token("name", "before determiner", pos="PROPN NOUN NUM SYM"),
            token("before", "before determiner", lower="- – / of or to . a an one"),
            token("one", "2 before determiner", lower="one"),
            token("to", "after determiner", lower="- to or and of"),
        ),
        test=after_numeral,
        bad=("I have two brother and a sister.", "There are three reason for this."),
        good=("I have two brothers and a sister.", "We booked a two star hotel.", "It costs two hundred."),
    ),
    Rule(
        id="EVERY_THINGS",
        mark="noun",
        suggest=instead("{noun:NN}"),
        message="'{determiner}' takes a singular: '{determiner} {suggestion}'",
        tokens=(
            token("determiner", lower="every each another"),
            token("noun", "soon after determiner", tag="NNS", like=is_plural),
        ),
        unless=(
            token("next", "after noun", tag="NN NNS NNP JJ VBG VBN HYPH POS CD"),
            token("sign", "after noun", lower="- – / ' 's"),
            token("verb", "after noun", tag="VBP", dep="root", lower_not="have are do"),
        ),
        test=single,
        bad=("Every students must wear a badge.", "We found another mistakes in it."),
        good=("Every student must wear a badge.", "Another two weeks went by.", "He calls every few days."),
    ),
    Rule(
        id="MUCH_THINGS",
        mark="determiner",
        suggest=instead("many"),
        message="'{noun}' can be counted: 'many {noun}'",
        tokens=(token("determiner", lower="much"), token("noun", "after determiner", tag="NNS", like=is_plural)),
        unless=(*MORE, token("how", "before determiner", lower="how that this as very")),
        test=counted,
        bad=("I do not have much friends here.", "There are too much cars in the city."),
        good=("I do not have many friends here.", "How much things cost!", "There is not much news."),
    ),
    Rule(
        id="MANY_MONEY",
        mark="determiner",
        suggest=replaced("determiner", {"many": "much", "few": "little", "fewer": "less"}),
        message="'{noun}' cannot be counted: '{suggestion} {noun}'",
        tokens=(token("determiner", lower="many few fewer"), token("noun", "soon after determiner", lower=MASS)),
        unless=MORE,
        test=counted,
        bad=("I do not have many money with me.", "She gave me many information."),
        good=("I do not have much money with me.", "She gave me many information sheets."),
    ),
    Rule(
        id="ONE_OF_THE_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="after '{determiner} of' the noun is plural: '{suggestion}'",
        tokens=(
            token("determiner", lower="one each some many most several few two three none"),
            token("of", "after determiner", lower="of"),
            token("the", "after of", lower="the my your his her our their these those its"),
            token("noun", "soon after the", tag="NN", lower=COUNT),
        ),
        unless=MORE,
        test=several_of,
        bad=("One of the student was late.", "It is one of my favourite book."),
        good=("One of the students was late.", "One of the family was late.", "Most of the city burned."),
    ),
    Rule(
        id="A_LOT_OF_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="after '{lot} of' the noun is plural: '{suggestion}'",
        tokens=(
            token("noun", tag="NN", lower=COUNT),
            token("of", "soon before noun", lower="of"),
            token("lot", "before of", lower=("lot lots plenty variety dozens hundreds thousands couple number")),
        ),
        unless=MORE,
        test=lot_of,
        bad=("There are a lot of car in my city.", "He told us lots of different problem."),
        good=(
            "There are a lot of cars in my city.",
            "He paid a lot of the bill.",
            "There was a lot of family pride in it.",
        ),
    ),
    Rule(
        id="ALL_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="'{noun}' is singular; with '{determiner}' alone it should be '{suggestion}'",
        tokens=(
            token("determiner", lower="all most other different such"),
            token("noun", "after determiner", tag="NN", lower=COUNT - PARTITIVE - {"society"} | {"country"}),
        ),
        unless=(
            *MORE,
            (token("all", "same as determiner", lower="all"), token("doubt", "same as noun", lower="reason question")),
            (
                token("other", "same as determiner", lower="different"),
                token("comma", "before other", lower=", ; : - –"),
            ),
            token("of", "before determiner", tag="DT PRP$ POS CD JJS RBS JJ RB NN"),
            token("no", "before determiner", lower=("no any some every each one another the or this that many")),
        ),
        bad=("All student must come.", "In other country it is the same."),
        good=(
            "All students must come.",
            "There is no other reason.",
            "No such person lives here.",
            "It was good for all society.",
            "If you mean the house, different question.",
            "He is kind beyond all reason.",
        ),
    ),
    Rule(
        id="OTHERS_PEOPLE",
        mark="determiner",
        suggest=instead("other"),
        message="use 'other' before a noun",
        tokens=(token("determiner", lower="others anothers"), token("noun", "after determiner", tag="NNS NN")),
        unless=(
            token("as", "before determiner", lower="as than what that which the"),
            token("as", "before determiner", tag="CD DT"),
            token("verb", "after noun", tag="VBP VBZ VBD", dep="acl:relcl ccomp"),
        ),
        bad=("I like to help others people.", "He visits others countries."),
        good=("I like to help other people.", "What others people say is no matter."),
    ),
    Rule(
        id="ALL_THE_THING",
        mark="noun",
        suggest=instead("{noun:NNS}"),
        message="'all {the} {noun}' should be 'all {the} {suggestion}' or 'the whole {noun}'",
        tokens=(
            token("noun", tag="NN", lower=COUNT - PARTITIVE - {"difference"}),
            token("the", "before noun", lower="the my your his our their these"),
            token("all", "before the", lower="all"),
        ),
        unless=MORE,
        bad=("All the student must come.", "I like all my teacher."),
        good=("All the students must come.", "I read all the student papers."),
    ),
    Rule(
        id="THOUSAND_OF",
        mark="number",
        suggest=instead("{number}s"),
        message="without a number before it, write '{suggestion} of'",
        tokens=(token("number", lower="hundred thousand million dozen"), token("of", "after number", lower="of")),
        unless=(
            token("one", "before number", tag="CD DT JJ PRP$ NN NNS"),
            token("one", "before number", lower="a one few several per the or to - many"),
        ),
        bad=("They have thousand of books.", "He wrote me hundred of letters."),
        good=("They have thousands of books.", "Two hundred of the books are mine."),
    ),
)
