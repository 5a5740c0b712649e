"""What a verb, an adjective or a preposition takes: to do, doing, do."""

from __future__ import annotations

from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token
from naturalness.english.rules.verbs import VERB_ONLY, bare, is_inflected

GERUND_VERBS = "enjoy avoid finish quit dislike practise practice"
ME = "me him us them her"
PERSONS = ME + " people students children kids parents teachers consumers customers others everyone"


def to_bare(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Suggest *to* and the bare verb."""
    return tuple(f"to {verb}" for verb in bare(s, b))


def opens_question(s: Sentence, b: Binding) -> bool:
    """Return whether the question word is the first of a sentence that ends in a question mark."""
    return b["wh"] == s.start and s.view.texts[s.end - 1] == "?"


def no_name(s: Sentence, b: Binding) -> bool:
    """Return whether the verb is written small."""
    return s.view.texts[b["verb"]].islower()


RULES: tuple[Rule, ...] = (
    Rule(
        id="ENJOY_TO_DO",
        mark="to verb",
        suggest=instead("{verb:VBG}"),
        message="'{first}' takes the -ing form: '{first} {suggestion}'",
        tokens=(
            token("first", lemma=GERUND_VERBS, pos="VERB"),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        unless=(token("be", "soon before first", lemma="be"),),
        bad=("He enjoys to swim in the lake.", "We avoided to talk about it."),
        good=("He enjoys swimming in the lake.", "It takes an hour to finish."),
    ),
    Rule(
        id="SUGGEST_TO_DO",
        mark="to verb",
        suggest=instead("{verb:VBG}"),
        message="'{first}' takes the -ing form: '{first} {suggestion}'",
        tokens=(
            token("first", lower="suggest suggests suggested suggesting recommends imagine"),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VB", lower_not="be"),
        ),
        unless=(token("be", "soon before first", lemma="be as"),),
        bad=("She suggested to take a taxi.", "I suggest to go by train."),
        good=("She suggested taking a taxi.", "I suggested to Bill that we go."),
    ),
    Rule(
        id="LOOK_FORWARD_TO_SEE",
        mark="verb",
        suggest=instead("{verb:VBG}"),
        message="'look forward to' takes the -ing form: '{suggestion}'",
        tokens=(
            token("forward", lower="forward"),
            token("look", "before forward", lemma="look"),
            token("to", "after forward", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        unless=(token("noun", "after verb", tag="NN"),),
        bad=("I look forward to see you.", "We are looking forward to hear from you."),
        good=("I look forward to seeing you.", "We look forward to it."),
    ),
    Rule(
        id="DEDICATED_TO_HELP",
        mark="verb",
        suggest=instead("{verb:VBG}"),
        severity="warning",
        message="'{first} to' takes the -ing form: '{suggestion}'",
        tokens=(
            token("first", lower="accustomed contribute contributes opposed objected object"),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VB", lower=VERB_ONLY),
        ),
        unless=(token("the", "before first", tag="DT PRP$ JJ"),),
        bad=("I am accustomed to eat late.", "Cars contribute to destroy the forest."),
        good=("I am accustomed to eating late.", "Cars contribute to the noise."),
    ),
    Rule(
        id="WANT_GOING",
        mark="verb",
        suggest=to_bare,
        message="'{first}' takes 'to': '{first} {suggestion}'",
        tokens=(
            token(
                "first",
                lemma="want decide hope agree refuse afford manage wish plan promise pretend",
                pos="VERB",
                tag_not="VBN",
            ),
            token("verb", "after first", tag="VBG"),
        ),
        unless=(
            token("noun", "after verb", tag="NN NNS"),
            token("needs", "same as first", lower="wanting"),
            token("noun", "before first", tag="VBZ VBP VBD VB"),
            (token("need", "same as first", lemma="want"), token("thing", "before first", tag="NN NNS NNP DT")),
            (token("need", "same as first", lemma="want"), token("it", "before first", lower="it")),
        ),
        bad=("He decided going home by bus.", "They want seeing the museum."),
        good=(
            "He decided to go home by bus.",
            "They want cooking lessons.",
            "The hedge wants cutting.",
            "What does it want mending for?",
            "It is a song that sends hopes soaring.",
        ),
    ),
    Rule(
        id="WANT_GO",
        mark="verb",
        suggest=instead("to {verb}"),
        message="'to' is missing: '{first} {suggestion}'",
        tokens=(
            token(
                "first",
                lower=(
                    "want wants wanted decide decides decided hope hopes hoped hoping trying tried "
                    "start started like likes liked plan planned able going used wish wished "
                    "agree agreed learned prefer intend intended"
                ),
            ),
            token("verb", "after first", tag="VB VBP", lower=VERB_ONLY | {"be", "do", "make", "take"}),
        ),
        unless=(
            token("comma", "after verb", pos="PUNCT"),
            token("do", "anywhere before first", lemma="do what all thing"),
            token("noun", "before first", tag="DT PRP$ JJ POS IN"),
            (token("like", "same as first", lower="like likes"), token("md", "before like", lower_not="would 'd")),
            (token("able", "same as first", lower_not="able going"), token("who", "child of verb", dep="nsubj")),
        ),
        bad=("I want go home now.", "We were able hear the sea from there."),
        good=("I want to go home now.", "People like my mother work hard."),
    ),
    Rule(
        id="MAKE_ME_TO_DO",
        mark="to",
        suggest=instead(""),
        message="'{first}' takes the verb without 'to'",
        tokens=(
            token("first", lower="make makes made making let lets letting"),
            token("whom", "after first", lower=PERSONS),
            token("to", "after whom", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        unless=(
            token("be", "soon before first", lemma="be"),
            token("for", "soon before first", lower="what that which"),
        ),
        bad=("It made me to laugh.", "Let me to help you."),
        good=("It made me laugh.", "They made him a plan to follow."),
    ),
    Rule(
        id="LET_HIM_GOES",
        mark="verb",
        suggest=bare,
        message="after '{first} {whom}' the verb has no ending: '{suggestion}'",
        tokens=(
            token("first", lower="make makes let lets help helps"),
            token("whom", "after first", lower=ME),
            token("verb", "after whom", tag="VBZ VBD NNS", like=is_inflected),
        ),
        unless=(token("comma", "before first", lower="that what which"),),
        bad=("His jokes make me laughs.", "Let him goes home."),
        good=("His jokes make me laugh.", "Those who help me knew it."),
    ),
    Rule(
        id="BY_USE",
        mark="verb",
        suggest=instead("{verb:VBG}"),
        message="after '{preposition}' the verb ends in -ing: '{suggestion}'",
        tokens=(
            token("preposition", lower="of for by without about from at", tag="IN"),
            token("verb", "after preposition", lower=VERB_ONLY - {"get", "give", "sit"}, tag="VB VBP NN VBG"),
        ),
        unless=(
            token("short", "soon before preposition", lower="short stands stand word verb kind sort"),
            token("what", "before preposition", lower="what where how who which whom"),
            token("hyphen", "after verb", lower="- and / \" ' or"),
            token("hyphen", "before verb", lower="\" ' “"),
            token("subject", "2 before preposition", tag="WP WDT WRB"),
        ),
        test=no_name,
        bad=("She is good at choose colours.", "He left without explain his reasons."),
        good=("She is good at choosing colours.", "The town they came from belongs to Spain."),
    ),
    Rule(
        id="TO_DOING",
        mark="verb",
        suggest=bare,
        message="after '{first} to' the verb has no ending: '{suggestion}'",
        tokens=(
            token(
                "first",
                lemma=(
                    "want need decide hope try wish expect able plan like start begin fail manage "
                    "tend learn afford order how what where have easy hard difficult important "
                    "necessary possible impossible refuse ready chance time "
                    "opportunity ability willing continue attempt want"
                ),
            ),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VBG"),
        ),
        unless=(
            token("be", "anywhere before to", lemma="come due according addition give devote dedicate"),
            token("going", "same as first", lower="going planned limited"),
        ),
        bad=("I want to going there.", "It is hard to finding a flat."),
        good=("I want to go there.", "There is more to life than learning."),
    ),
    Rule(
        id="DIFFICULTY_TO_DO",
        mark="to verb",
        suggest=instead("{verb:VBG}", "in {verb:VBG}"),
        severity="warning",
        message="use '{suggestion}' after '{first}'",
        tokens=(
            token("first", lower="difficulty difficulties trouble problem problems fun"),
            token("have", "soon before first", lemma="have"),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        unless=(token("a", "before first", tag="DT PRP$ JJ CD"),),
        bad=("I have difficulty to sleep.", "They had problems to find the way."),
        good=("I have difficulty sleeping.", "They had a problem to solve."),
    ),
    Rule(
        id="CAPABLE_TO_DO",
        mark="to verb",
        suggest=instead("of {verb:VBG}"),
        message="'{first}' takes '{suggestion}'",
        tokens=(
            token("first", lower="capable incapable"),
            token("to", "after first", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        bad=("She is capable to win the race.", "They are incapable to help us."),
        good=("She is capable of winning the race.", "They are able to help us."),
    ),
    Rule(
        id="LET_SAY",
        mark="let",
        suggest=instead("let's"),
        message="'{let} {verb}' should be 'let's {verb}' or 'let us {verb}'",
        tokens=(
            token("let", lower="let"),
            token(
                "verb",
                "after let",
                lower=("say see take talk look discuss consider assume suppose think start imagine"),
            ),
        ),
        unless=(token("subject", "before let", tag="PRP NN NNS MD TO VBP VBD"),),
        bad=("For example, let say you have a cold.", "Let talk about the weather."),
        good=("Let's say you have a cold.", "They let go of the rope."),
    ),
    Rule(
        id="BETTER_TO_GO",
        mark="to",
        suggest=instead(""),
        message="'had better' takes the verb without 'to'",
        tokens=(
            token("better", lower="better"),
            token("had", "before better", lower="had 'd"),
            token("to", "after better", lower="to"),
            token("verb", "after to", tag="VB"),
        ),
        bad=("You'd better to go home.", "We'd better to ask her."),
        good=("You'd better go home.", "It would be better to ask her."),
    ),
    Rule(
        id="KNOW_WHERE_IS_IT",
        mark="be subject",
        severity="warning",
        suggest=instead("{subject} {be}"),
        message="in an indirect question the subject comes first: '{suggestion}'",
        tokens=(
            token("wh", lower="where how why"),
            token("know", "before wh", tag_not="NN NNP", lemma="know understand tell ask wonder see explain learn"),
            token("be", "after wh", lower="is are was were am can should will"),
            token("subject", "after be", lower="he she they we i you it"),
        ),
        unless=(token("quote", "anywhere beside wh", lower="\" ' “ ‘ : ?"),),
        bad=("I don't know where is he.", "She asked why were they late."),
        good=("I don't know where he is.", "How do you know?"),
    ),
    Rule(
        id="WHY_YOU_ARE",
        mark="subject verb",
        suggest=instead("{verb} {subject}"),
        severity="warning",
        message="in a question the verb comes first: '{wh} {suggestion}'",
        tokens=(
            token("wh", lower="why how where"),
            token("subject", "after wh", lower="i you he she we they people it"),
            token(
                "verb",
                "after subject",
                tag="VBP VBZ VBD MD",
                lower=("am are is was were can could should will would have has do does must"),
            ),
            token("end", "anywhere after verb", text="?"),
        ),
        unless=(token("next", "after verb", pos="PUNCT"),),
        test=opens_question,
        bad=("Why you are always late?", "How we can get there in time?"),
        good=("Why are you always late?", "I know why you are late."),
    ),
)
