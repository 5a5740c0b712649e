"""Possessives and their look-alikes: its and it's, your and you're, their and there."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token


def _your(sentence: Sentence, bound: Binding) -> tuple[str, ...]:
    """Return the possessive of *you* or *they*."""
    return ("your" if sentence.view.lower[bound["you"]] == "you" else "their",)


RULES: tuple[Rule, ...] = (
    Rule(
        id="ITS_FOR_IT_IS",
        message="'its' is the possessive; 'it is' is 'it's'",
        tokens=(
            token("its", lower="its"),
            token(
                "after",
                "after its",
                lower="not been because going just really "
                "hard difficult easy important also always better impossible like so too",
            ),
        ),
        unless=(
            token("noun", "2 after its", tag="NN NNS NNP HYPH JJ VBG", lower_not="that to for"),
            token("joint", "after its", lower="not", tag="NN"),
        ),
        mark="its",
        suggest=instead("it's"),
        bad=("I think its not a good day.", "Its important to sleep well."),
        good=("I think it's not a good day.", "Its not inconsiderable size helped.", "Its hard shell protects it."),
    ),
    Rule(
        id="ITS_A",
        message="'its' is the possessive; 'it is' is 'it's'",
        tokens=(token("after", lower="a an the my your"), token("its", "before after", lower="its")),
        unless=(token("joint", "after after", lower="- \" ' /"),),
        mark="its",
        suggest=instead("it's"),
        bad=("Its a long way home.", "He says its the best film."),
        good=("It's a long way home.", "Its end was near."),
    ),
    Rule(
        id="IT_IS_FOR_ITS",
        message="'it's' is 'it is'; the possessive is 'its'",
        tokens=(token("s", lower="'s"), token("it", "before s", lower="it"), token("own", "after s", lower="own")),
        mark="it s",
        suggest=instead("its"),
        bad=("The cat chased it's own tail.", "Every town has it's own church."),
        good=("The cat chased its own tail.", "It's our own fault."),
    ),
    Rule(
        id="YOUR_FOR_YOU_ARE",
        message="'your' is the possessive; 'you are' is 'you're'",
        tokens=(token("your", lower="your"), token("after", "after your", lower="a an the not going welcome gonna")),
        unless=(
            token("noun", "2 after your", tag="NN NNS NNP HYPH", lower="guest speech party address mat"),
            token("joint", "after after", lower='- " /'),
            (
                token("reception", "same as after", lower="welcome"),
                token("thank", "before your", tag="VB VBP VBD VBZ VBG IN TO"),
            ),
            (token("one", "same as after", lower="a"), token("get", "before your", lower="get got getting")),
        ),
        mark="your",
        suggest=instead("you're"),
        bad=("Your not the only one.", "I hope your going to the party."),
        good=("You're not the only one.", "Your welcome party was fun.", "We enjoyed your welcome, and we thank you."),
    ),
    Rule(
        id="YOU_ARE_FOR_YOUR",
        message="'you're' is 'you are'; the possessive is 'your'",
        tokens=(
            token("re", lower="'re"),
            token("you", "before re", lower="you they"),
            token("own", "after re", lower="own"),
        ),
        mark="you re",
        suggest=_your,
        bad=("Bring you're own food.", "They live in they're own house."),
        good=("Bring your own food.", "They're on their own."),
    ),
    Rule(
        id="THEIR_FOR_THERE",
        message="'their' is the possessive; use 'there' here",
        tokens=(token("their", lower="their"), token("be", "after their", lower="is are was were isn aren 's")),
        unless=(token("quote", "anywhere beside their", lower='" -'),),
        mark="their",
        suggest=instead("there"),
        bad=("Their is a shop in the village.", "I know that their are two ways."),
        good=("There is a shop in the village.", "Their house is old."),
    ),
    Rule(
        id="THERE_FOR_THEIR",
        message="'there' means a place; use 'their' here",
        tokens=(
            token("there", lower="there"),
            token(
                "own",
                "after there",
                lower="own lives children parents friends families jobs products customers minds life",
            ),
            token("before", "before there", tag="IN VB VBP VBG TO", lower_not="is are be that as if go went live"),
        ),
        unless=(token("verb", "after own", tag="VBD VBZ VBP MD"),),
        mark="there",
        suggest=instead("their"),
        bad=("They live with there parents.", "People should make there own plans."),
        good=("They live with their parents.", "Is there life on Mars?"),
    ),
    Rule(
        id="WHO_IS_FOR_WHOSE",
        message="'who's' is 'who is'; the possessive is 'whose'",
        tokens=(
            token("s", lower="'s"),
            token("who", "before s", lower="who"),
            token(
                "noun",
                "after s",
                lower="name house car book job father mother parents children friends life work own turn",
            ),
        ),
        mark="who s",
        suggest=instead("whose"),
        bad=("I met a man who's name I forgot.", "She is a friend who's father is rich."),
        good=("I met a man whose name I forgot.", "Who's there?"),
    ),
)
