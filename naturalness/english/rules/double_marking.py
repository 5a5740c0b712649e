"""Marked twice: more better, childrens, although ... but, the my, not nothing."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token

PLURALS = {
    "childrens": "children",
    "mens": "men",
    "womens": "women",
    "feets": "feet",
    "teeths": "teeth",
    "mices": "mice",
    "peoples's": "people's",
    "mans": "men",
    "womans": "women",
    "childs": "children",
    "persones": "persons",
    "polices": "police",
    "thats": "that's",
}
COMPARATIVES = (
    "better worse easier bigger smaller happier cheaper faster older younger stronger weaker "
    "higher lower larger greater longer shorter safer richer poorer healthier busier closer "
    "harder simpler wider deeper warmer colder hotter heavier prettier nicer quicker slower "
    "cleaner smarter taller clearer louder earlier sooner funnier"
)
NEGATIVE = "nothing nobody nowhere never neither none"


def two_clauses(s: Sentence, b: Binding) -> bool:
    """Return whether one clause stands on either side of one comma: no list, no aside."""
    commas = [i for i in range(s.start, s.end) if s.view.texts[i] == ","]
    return b["first"] == s.start and commas[:1] == [b["comma"]] and len(commas) < 3


def both_small(s: Sentence, b: Binding) -> bool:
    """Return whether neither determiner is part of a name or a letter, and they differ."""
    first, second = b["first"], b["second"]
    return s.view.texts[second].islower() and s.view.lower[first] != s.view.lower[second]


def positive(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the auxiliary without *not*."""
    modal, hardly = s.view.lower[b["modal"]], s.view.lower[b["hardly"]]
    return (" ".join(({"ca": "can", "wo": "will"}.get(modal, modal), hardly)),)


RULES: tuple[Rule, ...] = (
    Rule(
        id="MORE_BETTER",
        mark="more",
        suggest=instead(""),
        message="'{adjective}' already means 'more': leave out '{more}'",
        tokens=(token("more", lower="more less"), token("adjective", "after more", lower=COMPARATIVES)),
        unless=(
            token("noun", "after adjective", tag="NN NNS JJ NNP VBG HYPH"),
            token("no", "before more", lower="no any once what"),
        ),
        bad=("This road is more better than that one.", "Trains are more faster now."),
        good=("This road is much better than that one.", "We need more younger members."),
    ),
    Rule(
        id="MOST_BEST",
        mark="most",
        suggest=instead(""),
        message="'{adjective}' already means 'most': leave out '{most}'",
        tokens=(token("most", lower="most"), token("adjective", "after most", tag="JJS RBS", lower_not="most least")),
        bad=("It is the most easiest way.", "She is my most best friend."),
        good=("It is the easiest way.", "She did most of it at her best."),
    ),
    Rule(
        id="ALTHOUGH_BUT",
        mark="but",
        suggest=instead(""),
        message="'{first}' and 'but' say the same: leave out one of them",
        tokens=(
            token("first", lower="although though"),
            token("comma", "anywhere after first", text=","),
            token("but", "after comma", lower="but"),
            token("subject", "after but", tag="PRP DT PRP$ NN NNS NNP EX"),
            token("verb", "soon after subject", tag="VBZ VBP VBD MD"),
        ),
        test=two_clauses,
        bad=("Although it was cold, but we went out.", "Though he is rich, but he is not happy."),
        good=("Although it was cold, we went out.", "It was cold, but we went out."),
    ),
    Rule(
        id="BECAUSE_SO",
        mark="so",
        suggest=instead(""),
        message="'{first}' and 'so' say the same: leave out one of them",
        tokens=(
            token("first", lower="because since as"),
            token("comma", "anywhere after first", text=","),
            token("so", "after comma", lower="so therefore"),
            token("subject", "after so", tag="PRP DT PRP$ NN NNS EX", lower_not="that"),
            token("verb", "soon after subject", tag="VBZ VBP VBD MD"),
        ),
        unless=(token("as", "same as first", lower="as"),),
        test=two_clauses,
        bad=("Because it rained, so we stayed in.", "Since he was late, so we left."),
        good=("Because it rained, we stayed in.", "It rained, so we stayed in."),
    ),
    Rule(
        id="NOT_NOTHING",
        mark="no",
        severity="warning",
        message="'{not}' and '{no}' are two negations of one verb",
        tokens=(
            token("not", lower="n't not"),
            token("verb", "after not", tag="VB"),
            token("no", "after verb", text=NEGATIVE + " no"),
        ),
        unless=(
            token("matter", "after no", lower="matter longer less fewer more"),
            token("aux", "same as verb", lower="say"),
            token("quote", "before no", pos="PUNCT"),
        ),
        bad=("I don't know nothing about it.", "She doesn't have no money."),
        good=("I don't know anything about it.", "It does not say no."),
    ),
    Rule(
        id="CANNOT_HARDLY",
        mark="modal hardly",
        suggest=positive,
        severity="warning",
        message="'{not}' and '{hardly}' are two negations of one verb",
        tokens=(
            token("not", lower="n't not"),
            token("modal", "before not", pos="AUX VERB"),
            token("hardly", "after not", lower="hardly barely scarcely"),
        ),
        bad=("I couldn't hardly sleep.", "We can't barely see it."),
        good=("I could hardly sleep.", "We can see it."),
    ),
    Rule(
        id="THE_MY",
        mark="first second",
        suggest=instead("{second}", "{first}"),
        message="'{first}' and '{second}' cannot stand together: one of them is enough",
        tokens=(
            token("first", lower="a an the my our their his this these every each"),
            token(
                "second",
                "after first",
                lower=("a an the my your our their this these those its another"),
                tag="DT PRP$",
            ),
        ),
        unless=(
            token("such", "before first", lower="such many half all both what quite"),
            (token("this", "same as first", tag="PRP NN VB IN"),),
            (
                token("his", "same as first", lower="this these his each"),
                token("the", "same as second", lower="a an the my your our their his its this"),
            ),
        ),
        test=both_small,
        bad=("We went to the my house.", "It was an another problem."),
        good=("We went to my house.", "Is this the way?", "Such a day is rare."),
    ),
    Rule(
        id="CHILDRENS",
        suggest=replaced("noun", PLURALS),
        message="'{noun}' is marked twice: '{suggestion}'",
        tokens=(token("noun", lower=set(PLURALS) - {"thats", "mans", "peoples's", "polices"}),),
        unless=(token("noun2", "after noun", lower="'"), token("name", "same as noun", pos="PROPN")),
        bad=("The childrens play in the park.", "Many womens work there."),
        good=("The children play in the park.", "It is a women's club."),
    ),
    Rule(
        id="CAN_ABLE",
        mark="be to",
        suggest=instead(""),
        severity="hint",
        message="'{can}' and 'be able to' say the same: one of them is enough",
        tokens=(
            token("can", lower="can could cannot"),
            token("be", "after, past adverbs, can", lower="be"),
            token("able", "after, past adverbs, be", lower="able"),
            token("to", "after able", lower="to"),
        ),
        bad=("You can be able to win.", "They could be able to see it."),
        good=("You can win.", "You will be able to win."),
    ),
    Rule(
        id="RETURN_BACK",
        mark="back",
        suggest=instead(""),
        severity="hint",
        message="'{verb}' already means '{back}'",
        tokens=(token("back", lower="back again"), token("verb", "before back", lemma="return repeat revert")),
        unless=(
            token("and", "after back", lower="and"),
            (token("again", "same as back", lower="again"), token("not", "same as verb", lemma_not="repeat")),
        ),
        bad=("We returned back in May.", "Please return back the keys."),
        good=("We returned in May.", "We came back in May."),
    ),
    Rule(
        id="AND_ETC",
        mark="and",
        suggest=instead(""),
        severity="hint",
        message="'etc' already means 'and'",
        tokens=(token("etc", lower="etc etc."), token("and", "before etc", lower="and")),
        bad=("We bought apples, pears, and etc.", "Bring pens and etc. to the class."),
        good=("We bought apples, pears, etc.", "Bring pens and so on to the class."),
    ),
    Rule(
        id="NO_ANY",
        mark="any",
        suggest=instead(""),
        message="'no' and 'any' say the same: leave out one of them",
        tokens=(token("any", lower="any"), token("no", "before any", lower="no")),
        bad=("There is no any problem.", "We have no any money."),
        good=("There is no problem.", "We do not have any money."),
    ),
    Rule(
        id="TOO_MUCH_HOT",
        mark="much",
        suggest=instead(""),
        message="'{degree} much' cannot modify '{adjective}': leave out 'much'",
        tokens=(
            token(
                "adjective",
                lower=(
                    "expensive convenient difficult easy important happy useful beautiful big "
                    "small good bad hard dangerous tired famous large hot cold long short strong "
                    "fast slow boring cheap popular nice old young new high low"
                ),
            ),
            token("much", "before adjective", lower="much"),
            token("degree", "before much", lower="too so very"),
        ),
        unless=(
            token("next", "after adjective", tag="NN NNS JJ CC HYPH NNP VBG"),
            token("not", "before degree", lower="not n't"),
        ),
        bad=("This hotel is too much expensive.", "The exam was so much difficult for us."),
        good=("This hotel is much too expensive.", "There is so much good advice in it."),
    ),
    Rule(
        id="MUCH_USEFUL",
        mark="much",
        suggest=instead("more", "very"),
        message="'much' cannot modify '{adjective}': '{suggestion} {adjective}'",
        tokens=(
            token(
                "adjective",
                lower=(
                    "helpful useful beautiful important interesting convenient comfortable "
                    "difficult expensive dangerous successful popular effective famous"
                ),
            ),
            token("much", "before adjective", lower="much"),
        ),
        unless=(
            token("next", "after adjective", tag="NN NNS JJ HYPH NNP"),
            token("so", "before much", lower="so too very how as not n't that"),
        ),
        bad=("This book is much helpful for students.", "It is much important to sleep well."),
        good=("This book is much more helpful.", "There is much useful advice in it."),
    ),
)
