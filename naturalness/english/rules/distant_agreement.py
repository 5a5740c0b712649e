"""Agreement of verbs with subjects that do not stand before them: behind *who*, *of*, *there*."""

from __future__ import annotations

from naturalness.english.rules.agreement import CHILDREN, clause_subject
from naturalness.english.rules.nouns import COLLECTIVE, is_noun_phrase, is_plural, is_singular
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token
from naturalness.english.rules.verbs import MODALS, is_present_base, is_third_person


def of_phrase(s: Sentence, b: Binding) -> bool:
    """Return whether nothing but one noun phrase stands between *of* and the verb."""
    return is_noun_phrase(s, b["of"] + 1, b["noun"])


def of_phrase_subject(s: Sentence, b: Binding) -> bool:
    """Return the same, behind a noun that opens a clause."""
    return of_phrase(s, b) and clause_subject(s, b)


def several_people(s: Sentence, b: Binding) -> bool:
    """Return whether the noun is plural by its form."""
    return s.view.lower[b["noun"]] in ("people", "men") or is_plural(s.view.lower[b["noun"]])


def article_with_noun(s: Sentence, b: Binding) -> bool:
    """Return whether article and noun are one phrase."""
    return is_noun_phrase(s, b["article"], b["noun"])


def of_things(s: Sentence, b: Binding) -> bool:
    """Return whether only adjectives stand between the verb and its noun."""
    first, noun = b["verb"] + 1, b["noun"]
    plain = all(tag in ("JJ", "DT", "RB") for tag in s.view.tags[first:noun])
    return plain and {"a", "an", "one"}.isdisjoint(s.view.lower[first:noun])


RULES: tuple[Rule, ...] = (
    Rule(
        id="STUDENTS_WHO_WANTS",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(
            token("who", lower="who"),
            token("subject", "before who", tag="NNS", like=is_plural),
            token("verb", "after, past adverbs, who", tag="VBZ", like=is_third_person),
        ),
        unless=(token("of", "anywhere before subject", lower="of one only"),),
        bad=("Students who works at night are tired.", "I like teachers who explains things well."),
        good=(
            "Students who work at night are tired.",
            "One of the clerks who is ill called.",
            "The leader of the rebels who is in prison wrote a book.",
        ),
    ),
    Rule(
        id="THOSE_WHO_WANTS",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(
            token("who", lower="who"),
            token("subject", "before who", lower=CHILDREN + " those"),
            token("verb", "after, past adverbs, who", tag="VBZ", like=is_third_person),
        ),
        unless=(
            token("of", "anywhere before subject", lower="one only"),
            token("of", "soon before subject", lower="of"),
        ),
        bad=("People who drives fast are dangerous.", "Those who has money can go."),
        good=("People who drive fast are dangerous.", "One of those people who is never late won."),
    ),
    Rule(
        id="A_MAN_WHO_HAVE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{subject}' is singular, so the verb should be '{suggestion}'",
        tokens=(
            token("who", lower="who that which"),
            token("subject", "before who", tag="NN", like=is_singular),
            token("article", "left child of subject", lower="a an another every each"),
            token("verb", "after, past adverbs, who", tag="VBP", like=is_present_base, lower_not=MODALS),
        ),
        unless=(
            token("and", "before article", lower="and or"),
            token("that", "child of verb", dep="mark"),
            (token("do", "same as verb", lower="do"), token("you", "after do", tag="PRP")),
            (token("other", "child of verb", dep="nsubj"), token("word", "same as other", lower_not="who that which")),
        ),
        bad=("I know a man who have six cars.", "Every student who want to come is welcome."),
        good=(
            "I know a man who has six cars.",
            "A man and a woman who have six cars live here.",
            "It is a sort of song that do you never hear.",
        ),
    ),
    Rule(
        id="ONE_OF_THEM_ARE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="the subject is '{subject}', so the verb should be '{suggestion}'",
        tokens=(
            token("subject", lower="one each", dep="nsubj nsubj:pass"),
            token("of", "after subject", lower="of"),
            token("noun", "soon after of", like=is_plural, tag="NNS"),
            token("verb", "after, past adverbs, noun", lower="are were have do"),
        ),
        unless=(token("or", "soon before subject", lower="or than more and"),),
        test=of_phrase,
        bad=("One of the windows are open.", "One of my best friends have a boat."),
        good=(
            "One of the windows is open.",
            "One or more of the windows are open.",
            "One of the things that are true is this.",
        ),
    ),
    Rule(
        id="NUMBER_OF_CARS_ARE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        severity="warning",
        message="the subject is '{subject}', so the verb should be '{suggestion}'",
        tokens=(
            token(
                "subject",
                tag="NN",
                lower=(
                    "number amount use price cost quality importance development purpose level "
                    "growth size lack value presence introduction production advantage way"
                ),
            ),
            token("the", "left child of subject", lower="the"),
            token("of", "after subject", lower="of"),
            token("noun", "soon after of", tag="NNS", like=is_plural),
            token("verb", "after, past adverbs, noun", lower="are were have", tag="VBP VBD"),
        ),
        unless=(token("and", "anywhere before the", lower="and"),),
        test=of_phrase_subject,
        bad=("The number of cars are growing fast.", "The price of tickets have gone up again."),
        good=("The number of cars is growing fast.", "A number of cars are parked outside."),
    ),
    Rule(
        id="THERE_IS_MANY",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{noun}' is plural: 'there {suggestion}'",
        tokens=(
            token("there", lower="there", tag="EX"),
            token("verb", "after, past adverbs, there", lower="is was has"),
            token(
                "many",
                "after, past adverbs, verb",
                lower=("many several various numerous few two three four five six some different other these those"),
            ),
            token("noun", "soon after many", tag="NNS NN", lower_not=COLLECTIVE - {"people", "men"}),
        ),
        unless=(token("next", "after many", lower="one thing truth kind sort sense"),),
        test=several_people,
        bad=("There is many reasons for this.", "There is two cats on the roof."),
        good=("There are many reasons for this.", "There is some truth in it."),
    ),
    Rule(
        id="THERE_ARE_A",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{noun}' is singular: 'there {suggestion}'",
        tokens=(
            token("there", lower="there", tag="EX"),
            token("verb", "after, past adverbs, there", lower="are were"),
            token("article", "after verb", lower="a an another one"),
            token("noun", "soon after article", tag="NN", like=is_singular),
        ),
        unless=(
            token("lot", "soon after article", lower=COLLECTIVE),
            token("and", "anywhere after noun", lower="and ,"),
            token("next", "after noun", tag="NN NNS HYPH CD"),
            token("next", "after noun", lower="or"),
        ),
        test=article_with_noun,
        bad=("There are a problem with the door.", "There were an old man in the garden."),
        good=(
            "There is a problem with the door.",
            "There are a few people in the garden.",
            "There were a man and a dog in the garden.",
        ),
    ),
    Rule(
        id="THERE_IS_THINGS",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{noun}' is plural: 'there {suggestion}'",
        tokens=(
            token("there", lower="there", tag="EX"),
            token("verb", "after there", lower="is was"),
            token("noun", "soon after verb", tag="NNS", like=is_plural),
        ),
        unless=(token("thing", "before there", tag="NN NNS"), token("next", "after noun", tag="NN NNS NNP POS VBZ")),
        test=of_things,
        bad=("There is reasons for this.", "There is no shops in this street."),
        good=("There are reasons for this.", "There is nothing he likes."),
    ),
)
