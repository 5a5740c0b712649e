"""Phrases with a wrong small word (in the other hand, since five years); fixed phrases as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from naturalness.english.rules.pattern import Binding, CodeRule, Finding, Rule, Sentence, instead, token

AFTER = ". , ! ? ; : ) and but or because when with for who which i we he she they it to by from if that so as in at on"
END = frozenset(AFTER.split())
"""What may follow a phrase that is complete."""


def ends(sentence: Sentence, bound: Binding) -> bool:
    """Return whether a phrase ends behind the last of its words."""
    return ended(sentence, max(bound.values()) + 1)


def ended(sentence: Sentence, after: int) -> bool:
    """Return whether a phrase that reaches up to a token is complete there."""
    return after >= sentence.end or sentence.view.lower[after] in END


def _phrases(text: str) -> Mapping[str, list[tuple[list[str], str, str]]]:
    """Read lines ``wrong = right`` by their first word; behind the last word a comma, ``$`` (the phrase
    ends there) or nothing."""
    table: dict[str, list[tuple[list[str], str, str]]] = {}
    for line in text.strip().split("\n"):
        wrong, _, right = line.strip().partition(" = ")
        words = wrong.split()
        mark = words.pop() if words[-1] in ",$" else ""
        table.setdefault(words[0], []).append((words, mark, right))
    return table


PHRASES = _phrases("""
    in the conclusion , = in conclusion
    as conclusion , = in conclusion
    for an example , = for example
    for examples , = for example
    as example , = for example
    in other word $ = in other words
    in the other words $ = in other words
    in another words $ = in other words
    with other words , = in other words
    by other words $ = in other words
    in nowadays = nowadays
    at nowadays = nowadays
    in the nowadays = nowadays
    now a days = nowadays
    for first time $ = for the first time
    at first time $ = for the first time
    in the first time $ = at first
    in first place , = in the first place
    at first place , = in the first place
    in the other side , = on the other hand
    in other side , = on the other hand
    on other side , = on the other hand
    from other side , = on the other hand
    in one side , = on the one hand
    in the one side , = on the one hand
    in other hand = on the other hand
    on other hand = on the other hand
    in another hand , = on the other hand
    on another hand , = on the other hand
    by other hand = on the other hand
    on the others hand = on the other hand
    last but not the least = last but not least
    first of the all = first of all
    at first of all = first of all
    in the fact , = in fact
    by the contrast , = by contrast
    in the contrast , = in contrast
    in the contrary $ = on the contrary
    in contrary $ = on the contrary
    at the contrary $ = on the contrary
    by the contrary $ = on the contrary
    on contrary $ = on the contrary
    all of sudden = all of a sudden
    as matter of fact = as a matter of fact
    as result of = as a result of
    as result , = as a result
    as consequence $ = as a consequence
    in addition of = in addition to
    in the addition , = in addition
    by mean of = by means of
    by the mean of = by means of
    the most of people = most people
    thanks god = thank God
    each every = each and every
    in long term $ = in the long term
    in short term $ = in the short term
    in long run $ = in the long run
    since long time = for a long time
    since a long time = for a long time
    from long time $ = for a long time
    for long time $ = for a long time
    the same like = the same as
    in internet $ = on the internet
    on internet $ = on the internet
    in tv $ = on TV
    in weekends $ = at weekends
    in weekend $ = at the weekend
    in the weekend $ = at the weekend
    in the weekends $ = at weekends
    with the age of = at the age of
    at lest $ = at least
    as for as = as far as
    off course , = of course
    in spite the = in spite of the
    in spite this = in spite of this
    in the same time $ = at the same time
    despite the fact of = despite
    due the = due to the
    more over , = moreover
    how ever , = however
    there fore , = therefore
""")


def _fixed(sentence: Sentence) -> Iterator[Finding]:
    """Find phrases of the table."""
    lower = sentence.view.lower
    for i in range(sentence.start, sentence.end):
        for words, mark, right in PHRASES.get(lower[i], ()):
            after = i + len(words)
            if lower[i:after] == words and after <= sentence.end and _closed(sentence, after, mark):
                written = " ".join(sentence.view.texts[i:after])
                shown = right[:1].upper() + right[1:] if written[:1].isupper() else right
                yield Finding(i, after, f"'{written}' should be '{shown}'", (shown,))
                break


def _closed(sentence: Sentence, after: int, mark: str) -> bool:
    if mark == ",":
        return after < sentence.end and sentence.view.lower[after] == ","
    return not mark or ended(sentence, after)


RULES: tuple[Rule | CodeRule, ...] = (
    Rule(
        id="OTHER_HAND",
        message="write '{suggestion}'",
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
        message="write 'from ... point of view'",
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
        message="write 'in {my} opinion'",
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
        message="'{last} {week}' takes no '{in}'",
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
        message="use 'for' for how long something lasts",
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
        message="write 'between {first} and {second}'",
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
        message="write 'in order to'",
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
        message="use the noun 'difference' before 'between'",
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
        message="write 'on {my} own'",
        tokens=(token("own", lower="own"), token("my", "before own", tag="PRP$"), token("by", "before my", lower="by")),
        test=ends,
        mark="by",
        suggest=instead("on"),
        bad=("He learnt it by his own.", "She lives by her own, and she likes it."),
        good=("He learnt it on his own.", "By his own account he was late."),
    ),
    CodeRule(
        id="FIXED_PHRASE",
        find=_fixed,
        bad=(
            "In the other side, it is cheap.",
            "Now a days people walk less.",
            "As result, prices rose.",
            "I have not seen him since a long time.",
            "We met for first time in May.",
            "In the contrary, it was late.",
        ),
        good=(
            "On the other side, it is cheap.",
            "As a result, prices rose.",
            "For first time buyers it is hard.",
            "In contrast, it was late.",
            "They went instead to the sea.",
        ),
    ),
)
