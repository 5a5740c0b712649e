"""Verb forms after modals, *do*, *have* and *to*, and forms that do not exist.

Taggers call *sings* in "she can sings" a noun and *helps* in "to helps her" a bare verb: the form
of the word decides, the tag only rules out what is certainly something else.
"""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token
from naturalness.english.rules.verbs import (
    PARTICIPLE,
    PAST,
    PAST_ONLY,
    VERB_ONLY,
    WRONG_PAST,
    bare,
    bare_or_be,
    base_of,
    is_inflected,
    is_past,
    is_third_person,
)

VERBAL = "VB VBP VBZ VBD VBN"
# "As fast as he could", "those who did not", "all they can": the verb behind is another one's.
LEFT_OUT = token("as", "anywhere before verb", lower=("as than what whatever whoever everything all best those"))
WHO = token("who", "3 before verb", lower="who that which whom")
# "His will", "the can".
NOUN = token("noun", "before modal", tag="DT PRP$ POS JJ IN", lower_not="that")
OUR = token("noun", "before modal", lower="my your his her our their its the a this")
# "Every country that possibly can".
THAT_CAN = (token("adverb", "before modal", tag="RB"), token("that", "before adverb", lower="that who which"))
BASES_IN_ING = "bring cling fling hamstring ring sing sling spring sting string swing wing wring"
FORMS = "is was were are 's has had 're am 'm been"
# "The man they spoke to went", "the house she moved to burned".
RELATIVE = (token("who", "2 before to", tag="PRP NN NNP"), token("whom", "before who", tag="NN NNS NNP DT"))
WHICH = token("what", "anywhere before to", lower=("what whatever who whoever whom which where used anyone everyone"))


def follows(s: Sentence, b: Binding) -> bool:
    """Return whether the modal does not open a question, whose subject may look like a verb."""
    return b["modal"] > s.start and s.view.texts[b["verb"]].islower()


def follows_as_verb(s: Sentence, b: Binding) -> bool:
    """Return the same; what is tagged a noun needs a word behind it that shows it to be a verb."""
    verb = b["verb"]
    behind = s.view.tags[verb + 1] if verb + 1 < s.end else ""
    verbal = s.view.tags[verb] != "NNS" or behind in ("DT", "PRP", "PRP$", "RB", "IN")
    return verbal and follows(s, b)


def missing_words(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Suggest a participle with what may be missing before it, and the bare verb."""
    verb = b["verb"]
    word = s.view.lower[verb]
    has_object = verb + 1 < s.end and s.view.tags[verb + 1] in ("DT", "PRP", "PRP$", "NNP")
    missing = ("have", "be") if has_object else ("be", "have")
    return (*(f"{auxiliary} {word}" for auxiliary in missing), base_of(word))


RULES: tuple[Rule, ...] = (
    Rule(
        id="CAN_GOES",
        mark="verb",
        suggest=bare,
        message="after '{modal}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("modal", tag="MD", lower_not="'d"),
            token("verb", "after, past adverbs, modal", tag=VERBAL + " NNS", lower_not=FORMS, like=is_third_person),
        ),
        unless=(LEFT_OUT, NOUN, OUR, THAT_CAN),
        test=follows_as_verb,
        bad=("She can sings very well.", "He will goes there with us."),
        good=("She can sing very well.", "His will makes no mention of it.", "Those who can leads are rare."),
    ),
    Rule(
        id="SHOULD_WENT",
        mark="verb",
        suggest=bare,
        message="after '{modal}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("modal", tag="MD", lower_not="'d"),
            token("verb", "after, past adverbs, modal", lower=set(PAST_ONLY)),
        ),
        unless=(LEFT_OUT, NOUN),
        test=follows,
        bad=("We should went home earlier.", "They will never knew it."),
        good=("We should go home earlier.", "He did what he could went the story."),
    ),
    Rule(
        id="CAN_GOING",
        mark="verb",
        suggest=bare_or_be,
        message="after '{modal}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("modal", lower="can could should would will must may might", tag="MD"),
            token("verb", "after, past adverbs, modal", tag="VBG", lower_not=BASES_IN_ING),
        ),
        unless=(LEFT_OUT, NOUN),
        test=follows,
        bad=("They can going with us.", "I will not staying here."),
        good=("They can go with us.", "I will not be staying here.", "The new law will largely hamstring the courts."),
    ),
    Rule(
        id="CAN_DONE",
        mark="verb",
        suggest=missing_words,
        message="'be' or 'have' is missing before '{verb}', or it should be the bare verb",
        tokens=(
            token("modal", tag="MD", lower=("can could should would will must may might cannot ca wo")),
            token("verb", "after, past adverbs, modal", tag="VBN VBD VB", like=is_past, lower_not=set(PAST_ONLY)),
        ),
        unless=(LEFT_OUT, NOUN, token("same", "same as verb", lower="become come run had put been lead found")),
        test=follows,
        bad=("The work can done in a day.", "You should seen her face."),
        good=("The work can be done in a day.", "You should have seen her face.", "It will become cold."),
    ),
    Rule(
        id="DID_NOT_WENT",
        mark="verb",
        suggest=bare,
        message="after '{do}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("do", lower="do does did"),
            token("not", "after do", lower="n't not"),
            token("verb", "after, past adverbs, not", tag=VERBAL, lower_not=FORMS, like=is_inflected),
        ),
        unless=(LEFT_OUT, WHO),
        bad=("He didn't went home.", "She does not likes fish."),
        good=("He didn't go home.", "Those who did not left no trace.", "She does not like fish."),
    ),
    Rule(
        id="DID_HE_WENT",
        mark="verb",
        suggest=bare,
        message="after '{do}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("do", lower="do does did"),
            token("subject", "after do", lower="he she we they you i"),
            token("verb", "after, past adverbs, subject", tag=VERBAL, lower_not=FORMS, like=is_inflected),
        ),
        unless=(token("before", "before do", tag="PRP NN NNS DT VB VBD RB"), LEFT_OUT),
        bad=("Did she went to the party?", "Where does he works now?"),
        good=("Did she go to the party?", "Whatever they did she laughed."),
    ),
    Rule(
        id="DO_NOT_GOING",
        mark="verb",
        suggest=bare,
        message="after '{do}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("do", lower="do does did"),
            token("not", "after do", lower="n't not"),
            token("verb", "after, past adverbs, not", tag="VBG"),
        ),
        unless=(LEFT_OUT, WHO),
        bad=("I don't liking this soup.", "They did not coming yesterday."),
        good=("I don't like this soup.", "They were not coming."),
    ),
    Rule(
        id="HAVE_WENT",
        mark="verb",
        suggest=replaced("verb", PARTICIPLE),
        message="after '{have}' use the participle: '{suggestion}'",
        tokens=(
            token("have", lower="have has had 've"),
            token("verb", "after, past adverbs, have", lower=set(PAST_ONLY)),
        ),
        unless=(LEFT_OUT,),
        bad=("He has went home.", "I have already wrote three letters."),
        good=("He has gone home.", "What they had came from the sea."),
    ),
    Rule(
        id="HAS_GO",
        mark="verb",
        suggest=instead("{verb:VBN}"),
        message="after '{have}' use the participle: '{suggestion}'",
        tokens=(
            token("have", lower="have has had 've"),
            token(
                "verb",
                "after, past adverbs, have",
                tag="VB VBP VBN",
                lower=VERB_ONLY - {"become"} | {"find", "see", "take"},
            ),
        ),
        unless=(
            LEFT_OUT,
            token("better", "soon before verb", lower="rather better"),
            token("make", "anywhere before have", lower="let make had"),
        ),
        bad=("She has go to the market.", "We have discuss it many times."),
        good=("She has gone to the market.", "You had better go."),
    ),
    Rule(
        id="TO_WENT",
        mark="verb",
        suggest=bare,
        message="after 'to' the verb has no ending: '{suggestion}'",
        tokens=(
            token("to", lower="to"),
            token("verb", "after to", lower=set(PAST) - {"lost", "left", "found", "felt"}),
        ),
        unless=(token("noun", "after verb", tag="NN NNS JJ NNP HYPH CC ."), WHICH, RELATIVE),
        bad=("I want to went home.", "He tried to made a cake."),
        good=("I want to go home.", "The man they spoke to went away."),
    ),
    Rule(
        id="TO_SOLVED",
        mark="verb",
        suggest=bare,
        message="after 'to' the verb has no ending: '{suggestion}'",
        tokens=(
            token("to", lower="to"),
            token("verb", "after to", tag="VB VBZ VBD VBN", lower_not=FORMS, like=is_inflected),
            token("object", "after verb", tag="DT PRP PRP$ IN RP TO"),
        ),
        unless=(WHICH, RELATIVE),
        bad=("We need to solved this problem.", "She wants to helps her mother."),
        good=("We need to solve this problem.", "The house she moved to burned in May."),
    ),
    Rule(
        id="TO_HAS",
        mark="verb",
        suggest=bare,
        message="after 'to' the verb has no ending: '{suggestion}'",
        tokens=(token("verb", lower="has does goes gets"), token("to", "before verb", lower="to")),
        unless=(WHICH, RELATIVE),
        bad=("Nobody wants to has a cold.", "She likes to goes out."),
        good=("Nobody wants to have a cold.", "Whoever I talk to has a cold."),
    ),
    Rule(
        id="GOED",
        suggest=replaced("verb", WRONG_PAST),
        message="'{verb}' is not a form of the verb: '{suggestion}'",
        tokens=(token("verb", lower=set(WRONG_PAST)),),
        unless=(token("name", "same as verb", pos="PROPN"), token("hyphen", "before verb", lower="-")),
        bad=("She goed to the park.", "My uncle teached me to swim."),
        good=("She went to the park.", "My uncle taught me to swim."),
    ),
    Rule(
        id="I_SEEN",
        mark="verb",
        severity="warning",
        message="'{verb}' needs 'have' or 'be' before it, or the past form",
        tokens=(
            token(
                "verb",
                tag="VBN VBD VBP VB",
                lower=("seen done gone taken shown given written known begun eaten chosen forgotten"),
            ),
            token("subject", "before verb", lower="i he she we they it"),
        ),
        unless=(
            token("aux", "anywhere before subject", tag="MD VBZ VBP VBD VB VBN"),
            token("gone", "after verb", pos="PUNCT"),
            token("finite", "anywhere after verb", tag="VBD MD VBZ VBP"),
        ),
        bad=("I seen him in the street.", "They shown us the way to the station."),
        good=("I have seen him in the street.", "Had they shown us the way, we would be there."),
    ),
)
