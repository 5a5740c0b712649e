"""*a* before plurals and uncountable nouns: a books, an advice, informations."""

from __future__ import annotations

from naturalness.english.inflection import INVARIANT, inflect
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token

WHEN = "yesterday today tomorrow last every"
MORE = "NN NNS NNP NNPS HYPH POS VBG JJ"
"""What makes a noun the first half of something: an advice column."""
NOT_COUNTED = (
    "information advice furniture equipment homework housework luggage baggage software "
    "hardware machinery scenery jewelry jewellery clothing feedback knowledge traffic garbage "
    "weather"
)
WITH_S = (
    "information advice furniture homework housework luggage baggage software hardware knowledge "
    "feedback jewelry equipment clothing transportation pollution"
)
PLURALS = {word + "s": word for word in WITH_S.split()} | {"sceneries": "scenery"}
# Plural in form, but "a means", "a series" and "a sports car" are right.
LIKE_PLURALS = """
    works barracks sweepstakes ways gasworks shambles thanks blues news innings gallows kudos
    lens bus gas chess bias canvas atlas class boss mess cross less loss pass press access process
    success address business menopause plus chaos physics mathematics economics politics ethics
    pants sports systems operations savings goods arms communications us times dollars pounds
    euros cents degrees percent miles thousands hundreds millions years days weeks months hours
    minutes seconds feet inches plus genius virus status analysis basis crisis thesis corps
    rendezvous chassis summons bellows biceps forceps kennels links mews data media ins outs
    amends checks rights rules kids kings ladies
"""
SINGULAR_PLURALS = INVARIANT | frozenset(LIKE_PLURALS.split())


def _many(sentence: Sentence, bound: Binding) -> bool:
    """Return whether a noun is a plural: of a known kind, and not one that is used as a singular."""
    i = bound["noun"]
    word, lemma = sentence.view.lower[i], sentence.view.lemmas[i]
    if word in SINGULAR_PLURALS or lemma in SINGULAR_PLURALS or len(word) < 4:
        return False
    return word != lemma and word == inflect(lemma, "NNS")


RULES: tuple[Rule, ...] = (
    Rule(
        id="A_WITH_PLURAL",
        message="'{article}' is singular and '{noun}' is plural",
        tokens=(token("article", lower="a an", tag="DT"), token("noun", "after article", tag="NNS")),
        unless=(
            token("more", "after noun", tag=MORE + " CD", lower_not=WHEN),
            token("joint", "after noun", lower="- ' 's / n only"),
            (token("letter", "same as article", text="A"), token("before", "before article")),
            token(
                "league", "before article", lower="serie series group class grade plan vitamin type section category"
            ),
        ),
        test=_many,
        mark="article noun",
        suggest=instead("{noun}", "a {noun:NN}"),
        bad=("He bought a books yesterday.", "They had a problems with the engine."),
        good=(
            "It is a means to an end.",
            "She drives a sports car.",
            "We saw a few birds.",
            "He works as a systems engineer.",
            "It is an adults only hotel.",
            "the serie a players went home.",
        ),
    ),
    Rule(
        id="A_ADJECTIVE_PLURAL",
        message="'{article}' is singular and '{noun}' is plural",
        tokens=(
            token("article", lower="a an", tag="DT"),
            token(
                "adjective",
                "after article",
                tag="JJ",
                lower_not="few many great good hundred "
                "dozen thousand million mere full further additional whopping staggering cool "
                "estimated average record total solid little",
            ),
            token("noun", "after adjective", tag="NNS"),
        ),
        unless=(
            token("more", "after noun", tag=MORE + " CD", lower_not=WHEN),
            token("joint", "after noun", lower="- ' 's / n only"),
            (token("letter", "same as article", text="A"), token("before", "before article")),
        ),
        test=_many,
        mark="article noun",
        suggest=instead("{adjective} {noun}"),
        bad=("She told us a interesting stories.", "He made a big mistakes in the test."),
        good=(
            "She told us an interesting story.",
            "It lasted a mere two minutes.",
            "We ate in a cheap adults only pub.",
        ),
    ),
    Rule(
        id="A_UNCOUNTABLE",
        message="'{noun}' is uncountable, so it takes no '{article}'",
        tokens=(
            token("noun", lower=NOT_COUNTED, lower_not="knowledge", tag="NN"),
            token("article", "before noun", lower="a an", tag="DT"),
        ),
        unless=(token("more", "after noun", tag=MORE + " VBN"), token("joint", "after noun", lower="- ' 's /")),
        mark="article noun",
        suggest=instead("{noun}", "some {noun}"),
        bad=("He gave me an advice.", "They bought a furniture for the kitchen."),
        good=("He gave me an advice column to read.", "She gave him a piece of advice."),
    ),
    Rule(
        id="A_ADJECTIVE_UNCOUNTABLE",
        message="'{noun}' is uncountable, so it takes no '{article}'",
        tokens=(
            token(
                "noun",
                lower="information advice furniture homework luggage software hardware "
                "equipment feedback weather evidence",
                tag="NN",
            ),
            token("adjective", "before noun", tag="JJ JJR"),
            token("article", "before adjective", lower="a an", tag="DT"),
        ),
        unless=(token("more", "after noun", tag=MORE + " VBN"), token("joint", "after noun", lower="- ' 's /")),
        mark="article noun",
        suggest=instead("{adjective} {noun}"),
        bad=("She gave us a good advice.", "It is an important information for tourists."),
        good=("It is a new software company.", "This is a good piece of furniture."),
    ),
    Rule(
        id="PLURAL_OF_UNCOUNTABLE",
        message="'{noun}' has no plural; write '{suggestion}'",
        tokens=(token("noun", lower=frozenset(PLURALS), pos="NOUN PROPN ADJ"),),
        suggest=replaced("noun", PLURALS),
        bad=("We need more informations.", "She bought new furnitures for the office."),
        good=("We need more information.", "He advises small firms."),
    ),
    Rule(
        id="COUNTED_UNCOUNTABLE",
        message="'{noun}' is uncountable, so it takes no '{number}'",
        tokens=(
            token("noun", lower=NOT_COUNTED, tag="NN"),
            token("number", "before noun", lower="several two three four five these those various numerous"),
        ),
        unless=(token("more", "after noun", tag=MORE), token("joint", "after noun", lower="- ' 's / and or")),
        mark="number noun",
        suggest=instead("{noun}", "some {noun}"),
        bad=("He had two homework this week.", "They gave us several advice."),
        good=("He has much homework this week.", "They compared several software packages."),
    ),
)
