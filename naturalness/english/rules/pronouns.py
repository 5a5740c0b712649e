"""Pronouns: their case, their possessives, and their look-alikes."""

from __future__ import annotations

from naturalness.english.rules import possessives
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token

OBJECTS = {"i": "me", "i.": "me.", "he": "him", "she": "her", "we": "us", "they": "them"}
SUBJECTS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
POSSESSIVES = {
    "i": "my",
    "he": "his",
    "she": "her",
    "we": "our",
    "they": "their",
    "you": "your",
    "him": "his",
    "them": "their",
    "us": "our",
    "me": "my",
}
SHORT_FORMS = {"theirs": "their", "ours": "our", "yours": "your", "hers": "her"}
PREPOSITIONS = "with to from of about between by at on against without toward towards among behind"
FINITE = "VBD VBZ VBP MD"
PERSONS = (
    "people person persons man men woman women student students child children teacher teachers "
    "friend friends boy boys girl girls parents doctor doctors someone somebody everyone "
    "everybody anyone anybody worker workers"
)
THINGS = (
    "thing things something anything everything book books car cars house houses idea ideas "
    "problem problems subject subjects product products place places"
)


def _ends(sentence: Sentence, bound: Binding) -> bool:
    """Return whether nothing follows the pronoun that it could be the subject of."""
    view, after = sentence.view, bound["pronoun"] + 1
    if after >= sentence.end or view.lower[after] in (".", ",", "!", "?", ";"):
        return after - sentence.start > 2
    return view.lower[after] in ("to", "in", "at", "on", "from", "with", "because", "and", "when")


RULES: tuple[Rule, ...] = (
    Rule(
        id="SUBJECT_FORM_AFTER_PREPOSITION",
        message="use '{suggestion}' after '{preposition}'",
        tokens=(
            token("pronoun", lower="he she we they", tag="PRP"),
            token("preposition", "before pronoun", lower=PREPOSITIONS + " for", tag="IN TO RP"),
        ),
        unless=(
            token("verb", "after, past adverbs, pronoun", tag="VBD VBZ VBP MD VBG VBN"),
            token("whose", "before preposition", lower="whom which who what that where"),
            (
                token("because", "same as preposition", lower="for"),
                token("aside", "after pronoun", lower=","),
                token("finite", "anywhere after aside", tag="VBD VBZ VBP MD"),
            ),
        ),
        test=_ends,
        suggest=replaced("pronoun", OBJECTS),
        bad=("I went to the party with she.", "She bought a present for he.", "We talked about they in the evening."),
        good=(
            "I went to the party with her.",
            "The man they spoke to he knew.",
            "The friend he came with she likes.",
            "He stayed, for she, in her turn, was ill.",
        ),
    ),
    Rule(
        id="BETWEEN_YOU_AND_I",
        severity="hint",
        message="use '{suggestion}' after 'between'",
        tokens=(
            token("between", lower="between"),
            token("first", "after between", tag="PRP NNP NN"),
            token("and", "after first", lower="and"),
            token("pronoun", "after and", lower="i i. he she we they"),
        ),
        unless=(token("verb", "after, past adverbs, pronoun", tag=FINITE),),
        mark="pronoun",
        suggest=replaced("pronoun", OBJECTS),
        bad=("This is a secret between you and I.", "There was a fight between Tom and he."),
        good=("This is a secret between you and me.", "Between you and me, it is late."),
    ),
    Rule(
        id="SUBJECT_FORM_AS_OBJECT",
        message="use '{suggestion}' as an object",
        tokens=(
            token("pronoun", lower="he she we they i", tag="PRP"),
            token(
                "verb",
                "before pronoun",
                lemma="help give show teach love visit meet let call invite thank hate kill bring",
                tag="VB VBD VBP VBZ VBG",
            ),
        ),
        unless=(
            token("verb2", "after, past adverbs, pronoun", tag="VBD VBZ VBP MD VBG VBN"),
            token("quote", "anywhere beside pronoun", lower="\" '"),
            token("who", "anywhere before verb", lower="do does did who what"),
        ),
        test=_ends,
        suggest=replaced("pronoun", OBJECTS),
        bad=("My brother helped he with the boxes.", "They invited we to their house."),
        good=("My brother helped him with the boxes.", "The people we help we know well.", "Those I love I visit."),
    ),
    Rule(
        id="OBJECT_FORM_AS_SUBJECT",
        message="use '{suggestion}' as a subject",
        tokens=(
            token("pronoun", lower="him them us me", tag="PRP"),
            token(
                "verb",
                "after, past adverbs, pronoun",
                lower="is are was were am has have had do does did will would can could should must might",
            ),
            token("clause", "before pronoun", lower="because if when although that since though unless while whether"),
        ),
        mark="pronoun",
        suggest=replaced("pronoun", SUBJECTS),
        bad=("We left because him was late.", "I think that them are tired."),
        good=("We left because he was late.", "It was for them that he came."),
    ),
    Rule(
        id="OBJECT_FORM_FIRST",
        message="use '{suggestion}' as a subject",
        tokens=(
            token("pronoun", text="Him Them Us Me"),
            token("verb", "after, past adverbs, pronoun", tag="VBD VBZ VBP MD"),
        ),
        unless=(token("before", "before pronoun"), token("like", "same as verb", lower="let need like want help 's")),
        mark="pronoun",
        suggest=replaced("pronoun", SUBJECTS),
        bad=("Him went to the station.", "Them are my best friends."),
        good=("He went to the station.", "Her brother is a doctor."),
    ),
    Rule(
        id="SUBJECT_FORM_BEFORE_OWN",
        message="use '{suggestion}' before 'own'",
        tokens=(
            token("own", lower="own"),
            token("pronoun", "before own", lower="he she they we i him them us me"),
            token("preposition", "before pronoun", tag="IN TO"),
        ),
        unless=(
            token(
                "clause",
                "same as preposition",
                lower="that because if as what since while though although than whether before after until so once",
            ),
            token("after", "after own", tag="DT PRP$ PRP CD IN TO"),
        ),
        mark="pronoun own",
        suggest=replaced("pronoun", POSSESSIVES),
        bad=("They want to live in they own house.", "He does everything in he own way."),
        good=("They want to live in their own house.", "He said that they own a boat."),
    ),
    Rule(
        id="POSSESSIVE_BEFORE_NOUN",
        message="use '{suggestion}' before a noun",
        tokens=(
            token("pronoun", lower="theirs ours yours hers"),
            token("noun", "after pronoun", tag="NN NNS"),
            token("before", "before pronoun", tag="IN VB VBP VBZ VBD VBG"),
        ),
        unless=(token("of", "same as before", lower="of is are was were be than like as"),),
        mark="pronoun",
        suggest=replaced("pronoun", SHORT_FORMS),
        bad=("They live with theirs parents.", "We sold ours car last week."),
        good=("They live with their parents.", "A friend of ours bought it."),
    ),
    Rule(
        id="EACH_OTHERS",
        message="write 'each other'",
        tokens=(token("others", lower="others"), token("each", "before others", lower="each")),
        unless=(token("s", "after others", lower="'"),),
        mark="each others",
        suggest=instead("each other", "each other's"),
        bad=("They help each others.", "We respect each others opinions."),
        good=("They help each other.", "He gave each of the others a coin."),
    ),
    Rule(
        id="PERSON_WHICH",
        severity="warning",
        message="use 'who' for people",
        tokens=(
            token("which", lower="which", tag="WDT"),
            token("person", "before which", lower=PERSONS),
            token("verb", "after, past adverbs, which", tag="VBP VBZ VBD MD"),
        ),
        unless=(token("of", "soon before person", lower="of or"),),
        mark="which",
        suggest=instead("who"),
        bad=("There are people which never read.", "He is a man which likes dogs."),
        good=("There are people who never read.", "A group of people which meets weekly came."),
    ),
    Rule(
        id="THING_WHO",
        severity="warning",
        message="use 'which' or 'that' for things",
        tokens=(
            token("who", lower="who", tag="WP"),
            token("thing", "before who", lower=THINGS, tag="NN NNS"),
            token("verb", "after, past adverbs, who", tag="VBP VBZ VBD MD"),
        ),
        unless=(token("of", "soon before thing", lower="of know knows knew"),),
        mark="who",
        suggest=instead("which", "that"),
        bad=("I bought a car who has four doors.", "These are the books who help me."),
        good=("I bought a car which has four doors.", "Those who help me are rare."),
    ),
    Rule(
        id="ALL_WHAT",
        message="use 'that' after '{all}'",
        tokens=(
            token("what", lower="what", tag="WP WDT"),
            token("all", "before what", lower="all everything something anything nothing things thing"),
            token("subject", "after what", tag="PRP NN NNS"),
        ),
        unless=(
            token("whom", "before all", tag="PRP NNS NNP NN IN"),
            token("aside", "same as all", lower="thing things", tag="NN"),
            token("ask", "anywhere before all", lemma="ask tell know wonder say"),
        ),
        mark="what",
        suggest=instead("that"),
        bad=("I like everything what you cook.", "There is nothing what we can do."),
        good=("I like everything that you cook.", "They all knew what he did."),
    ),
    *possessives.RULES,
)
