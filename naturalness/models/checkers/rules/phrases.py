"""Phrases with a wrong small word: in the other hand, since five years."""

from __future__ import annotations

from naturalness.models.checkers.rules.idioms import ends
from naturalness.models.checkers.rules.pattern import Rule, instead, token

RULES: tuple[Rule, ...] = (
    Rule(
        id="OTHER_HAND",
        message="it is '{suggestion}'",
        tokens=(
            token("hand", lower="hand"),
            token("other", "before hand", lower="other one"),
            token("the", "before other", lower="the"),
            token("in", "before the", lower="in at by from"),
            token("comma", "after hand", lower=", i we he she they it the there you people"),
        ),
        mark="in hand",
        suggest=instead("on the {other} hand"),
        bad=("In the other hand, cars are fast.", "By the other hand, it is cheap."),
        good=("On the other hand, cars are fast.", "He held it in the other hand."),
    ),
    Rule(
        id="POINT_OF_VIEW",
        message="it is 'from ... point of view'",
        tokens=(
            token("view", lower="view"),
            token("of", "before view", lower="of"),
            token("point", "before of", lower="point"),
            token("my", "before point", tag="PRP$"),
            token("in", "before my", lower="in on at"),
        ),
        mark="in",
        suggest=instead("from"),
        bad=("In my point of view, it is wrong.", "On his point of view, it is late."),
        good=("From my point of view, it is wrong.", "I see your point of view."),
    ),
    Rule(
        id="IN_MY_OPINION",
        message="it is 'in {my} opinion'",
        tokens=(
            token("opinion", lower="opinion"),
            token("my", "before opinion", lower="my our his her their"),
            token("in", "before my", lower="on at from to for by"),
        ),
        unless=(token("verb", "before in", tag="VB VBP VBZ VBD VBG VBN NN NNS JJ RB"),),
        mark="in",
        suggest=instead("in"),
        bad=("From my opinion, it is too late.", "On my opinion, they are right."),
        good=("In my opinion, it is too late.", "He stuck to his opinion."),
    ),
    Rule(
        id="IN_LAST_WEEK",
        message="before '{last} {week}' there is no '{in}'",
        tokens=(
            token(
                "week",
                lower="week month year weekend night monday tuesday wednesday thursday friday saturday sunday",
                tag="NN NNP",
            ),
            token("last", "before week", lower="last next"),
            token("in", "before last", lower="in at"),
        ),
        unless=(
            token("more", "after week", tag="NN NNS NNP POS HYPH"),
            token("check", "before in", lemma="check fly"),
            token("joint", "after week", lower="- ' 's or and of"),
        ),
        mark="in",
        suggest=instead(""),
        bad=("We moved here in last year.", "They will meet at next Monday."),
        good=("We moved here last year.", "It was in last week's paper."),
    ),
    Rule(
        id="SINCE_DURATION",
        message="for how long it lasts it is 'for'",
        tokens=(
            token("years", lower="years months weeks days hours minutes"),
            token("number", "before years", tag="CD", lower_not="last past"),
            token("since", "before number", lower="since"),
        ),
        unless=(
            token("ago", "after years", lower="ago before earlier of"),
            token("verb", "after years", tag="VBD VBP VBZ MD IN"),
        ),
        mark="since",
        suggest=instead("for"),
        bad=("She has lived here since three years.", "I have known him since 5 months."),
        good=("She has lived here for three years.", "It has changed since two years ago."),
    ),
    Rule(
        id="BETWEEN_TO",
        severity="warning",
        message="it is 'between {first} and {second}'",
        tokens=(
            token("between", lower="between"),
            token("first", "after between", tag="CD"),
            token("to", "after first", lower="to"),
            token("second", "after to", tag="CD"),
        ),
        mark="to",
        suggest=instead("and"),
        bad=("It costs between 5 to 10 dollars.", "There were between two to three hundred."),
        good=("It costs between 5 and 10 dollars.", "It costs from 5 to 10 dollars."),
    ),
    Rule(
        id="IN_ORDER_WITHOUT_TO",
        message="it is 'in order to'",
        tokens=(
            token("order", lower="order"),
            token("in", "before order", lower="in"),
            token(
                "verb",
                "after order",
                lower="get make become know understand learn improve have "
                "be choose achieve obtain prevent explain provide solve protect see find keep",
            ),
        ),
        mark="in order",
        suggest=instead("in order to"),
        bad=("She saved in order buy a car and in order get it soon.", "He works in order make money."),
        good=("She saved in order to buy a car.", "Everything is in order."),
    ),
    Rule(
        id="DIFFERENT_BETWEEN",
        message="before 'between' it is 'difference'",
        tokens=(
            token("different", lower="different differents differences"),
            token("between", "after different", lower="between"),
            token("the", "before different", lower="the a any no main big"),
        ),
        unless=(token("plural", "same as different", lower="differences"),),
        mark="different",
        suggest=instead("difference"),
        bad=("What is the different between them?", "There is no different between the two."),
        good=("What is the difference between them?", "They are different between meals."),
    ),
    Rule(
        id="DEPENDENT_BY_OWN",
        message="it is 'on {my} own'",
        tokens=(token("own", lower="own"), token("my", "before own", tag="PRP$"), token("by", "before my", lower="by")),
        test=ends,
        mark="by",
        suggest=instead("on"),
        bad=("He learnt it by his own.", "She lives by her own, and she likes it."),
        good=("He learnt it on his own.", "By his own account he was late."),
    ),
)
