"""Auxiliaries: *be* with a bare verb, two modals for one verb, *do* with an adjective."""

from __future__ import annotations

from naturalness.english.inflection import inflect
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, replaced, token, words
from naturalness.english.rules.verb_forms import FORMS, NOUN, RELATIVE, WHICH
from naturalness.english.rules.verbs import PAST_ONLY, VERB_ONLY, is_third_person, participle_of

ADJECTIVES = (
    "afraid aware able familiar sure happy important necessary possible ready different angry "
    "available useful difficult responsible interested dangerous expensive sorry careful"
)
VERBS_OF = {
    "success": "succeed",
    "belief": "believe",
    "choice": "choose",
    "growth": "grow",
    "proof": "prove",
    "failure": "fail",
    "decision": "decide",
    "knowledge": "know",
    "improvement": "improve",
    "development": "develop",
    "existence": "exist",
    "analysis": "analyse",
    "behavior": "behave",
    "communication": "communicate",
    "solution": "solve",
}
WITHOUT_PASSIVE = words("happen exist occur seem appear depend belong consist agree arise arrive disappear have remain")
INTRANSITIVE = WITHOUT_PASSIVE | words(
    "apply become behave communicate complain concentrate continue disagree go listen participate "
    "rely sit specialise specialize succeed suffer survive think"
)
"""Verbs that seldom have an object."""
# "All you can do is wait", "the idea is to ask": a bare verb is what the subject stands for.
CLEFT = token(
    "cleft",
    "anywhere before be",
    lemma=(
        "do what all thing whatever idea goal aim job task way step option purpose plan dream wish how "
        "where choice solution trick key point duty role objective next first everything only let "
        "make help rule habit tip advice answer alternative tendency instinct urge reaction impulse "
        "recommendation suggestion resolution tactic strategy approach response"
    ),
)


def finite(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the verb in the form that the *be* before it has, or with *be*; adverbs stay."""
    be, word = s.view.texts[b["be"]], s.view.lower[b["verb"]]
    between = s.view.texts[b["be"] + 1 : b["verb"]]
    tag, do = {"is": ("VBZ", "does"), "was": ("VBD", "did"), "were": ("VBD", "did")}.get(be.lower(), ("VBP", "do"))
    denied = bool(between) and between[0].lower() in ("not", "n't")
    alone = [do, *between, word] if denied else [*between, inflect(word, tag)]
    phrases = [alone, [be, *between, inflect(word, "VBG")], [be, *between, participle_of(word)]]
    if _suffers(s, b):
        phrases = [phrases[2], *phrases[:2]]
    right = [part for part in phrases if part[-1] != word or part is alone]
    return tuple(" ".join(part).replace(" n't", "n't") for part in right)


def _suffers(s: Sentence, b: Binding) -> bool:
    """Return whether a passive was meant: *by* follows, or a thing is the subject and no object does."""
    after = b["verb"] + 1
    behind = s.view.lower[after] if after < s.end else ""
    if behind == "by":
        return True
    person = s.view.lower[b["subject"]] in ("i", "you", "he", "she", "we", "they", "who")
    bare = not behind or s.view.tags[after] in ("IN", "RB", ".", ",", "CC")
    return bare and not person and s.view.lower[b["verb"]] not in INTRANSITIVE


def be_form(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the form of *be* for the form of *do*."""
    after_i = b["do"] > s.start and s.view.lower[b["do"] - 1] == "i"
    forms = {"does": "is", "did": "was", "do": "am" if after_i else "are"}
    return (forms[s.view.lower[b["do"]]],)


def passive(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the passive, where the verb has one, or the verb alone."""
    verb, be = s.view.lower[b["verb"]], s.view.lower[b["be"]]
    passive_verb = f"{be} {participle_of(verb)}"
    return (verb, passive_verb) if verb in WITHOUT_PASSIVE else (passive_verb, verb)


def two_verbs(s: Sentence, b: Binding) -> bool:
    """Return whether the second verb cannot be a participle or a noun."""
    word = s.view.lower[b["verb"]]
    return word in PAST_ONLY or (is_third_person(word) and word != s.view.lemmas[b["verb"]])


def to_noun(s: Sentence, b: Binding) -> bool:
    """Return whether the modal does not open a question: *can success be bought*."""
    return b["modal"] > s.start


RULES: tuple[Rule, ...] = (
    Rule(
        id="COULD_OF",
        mark="of",
        suggest=instead("have"),
        message="'{modal} of' should be '{modal} have'",
        tokens=(
            token("modal", lower="could should would must might", tag="MD"),
            token("of", "after, past adverbs, modal", lower="of"),
            token("verb", "after, past adverbs, of", tag="VBN VBD"),
        ),
        bad=("You should of told me.", "She could not of known it."),
        good=("You should have told me.", "Some of the men could, of course, swim."),
    ),
    Rule(
        id="DO_NOT_AFRAID",
        mark="do",
        suggest=be_form,
        message="'{adjective}' is not a verb: use '{suggestion}' instead of '{do}'",
        tokens=(
            token("do", lower="do does did"),
            token("not", "after do", lower="n't not"),
            token("adjective", "after, past adverbs, not", lower=ADJECTIVES),
        ),
        unless=(token("thing", "after adjective", tag="NN NNS"), token("verb", "anywhere after not", lower="be make")),
        bad=("I do not afraid of dogs.", "They don't familiar with the city."),
        good=("I am not afraid of dogs.", "They do not important work but useful work."),
    ),
    Rule(
        id="HAVE_BEING",
        mark="verb",
        suggest=instead("been"),
        message="'{have} being' should be '{have} been'",
        tokens=(
            token("have", lower="have has had 've"),
            token("verb", "after, past adverbs, have", lower="being"),
            token("next", "after verb", tag="VBN VBG IN RB JJ"),
        ),
        bad=("They have being here since May.", "The road has being closed."),
        good=("They have been here since May.", "Plants have life and being."),
    ),
    Rule(
        id="IS_DEPEND",
        mark="be verb",
        suggest=finite,
        message="a form of 'be' cannot stand before the bare verb '{verb}': '{suggestion}'",
        tokens=(
            token("be", lower="am is are was were 'm 're"),
            token("subject", "soon before be", tag="PRP NN NNS DT EX WDT NNP"),
            token("verb", "after, past adverbs, be", lower=VERB_ONLY | {"do"}, tag="VB VBP VBN NN JJ"),
        ),
        unless=(token("hour", "before be", tag="CD"), CLEFT, token("hyphen", "after verb", lower="- –")),
        bad=(
            "I am agree with you.",
            "The price is depend on the season.",
            "I'm really agree with you.",
            "The letters are write by hand.",
        ),
        good=("I agree with you.", "All you can do is wait.", "The idea is to ask her."),
    ),
    Rule(
        id="BE_GO",
        mark="be verb",
        suggest=passive,
        message="'{be}' cannot stand before the bare verb '{verb}': '{suggestion}'",
        tokens=(
            token("be", lower="be been"),
            token(
                "verb",
                "after, past adverbs, be",
                tag="VB VBP NN VBN JJ",
                lower=VERB_ONLY - {"become"} | {"have", "do", "please"},
            ),
        ),
        unless=(CLEFT,),
        bad=("It can be happen to anyone.", "The box must be send today."),
        good=("It can happen to anyone.", "The box must be sent today."),
    ),
    Rule(
        id="IS_DEPENDS",
        mark="be verb",
        suggest=instead("{verb}"),
        message="'{be}' and '{verb}' are two verbs for one subject",
        tokens=(
            token("be", lower="is are was were am"),
            token("verb", "after, past adverbs, be", tag="VBZ VBD", lower_not=FORMS),
            token("subject", "before be", tag="PRP NN NNS NNP"),
        ),
        unless=(
            token(
                "wh",
                "anywhere before be",
                lower=("what who where how that all as when whatever which everything why the"),
            ),
        ),
        test=two_verbs,
        bad=("It is depends on the weather.", "She is knows the way."),
        good=("It depends on the weather.", "What she is matters more."),
    ),
    Rule(
        id="WAS_HAPPENED",
        mark="be verb",
        suggest=instead("{verb}"),
        message="'{verb}' has no passive: leave out '{be}'",
        tokens=(
            token(
                "verb",
                lower=(
                    "happened occurred existed consisted belonged died disappeared appeared emerged depended seemed"
                ),
            ),
            token("be", "before, past adverbs, verb", lower="is are was were be been am being 're"),
        ),
        unless=(
            token("on", "after verb", lower="on upon for to"),
            token("what", "anywhere before be", lower="what how where who all"),
        ),
        bad=("The accident was happened at night.", "Two people were died there."),
        good=("The accident happened at night.", "What it was happened to be known."),
    ),
    Rule(
        id="CAN_TO_GO",
        mark="to",
        suggest=instead(""),
        message="'{modal}' takes the verb without 'to'",
        tokens=(
            token("modal", lower="can could must should cannot", tag="MD"),
            token("to", "after, past adverbs, modal", lower="to", tag="TO"),
            token("verb", "after to", tag="VB"),
        ),
        unless=(
            (token("who", "before modal", tag="PRP"), token("that", "before who", lower="that which")),
            (token("they", "before modal", tag="PRP"), token("thing", "before they", tag="NN NNS")),
            token(
                "all",
                "anywhere before modal",
                lower=("what everything anything whatever all best as much more hard than nothing one"),
            ),
        ),
        bad=("You must to wait here.", "She can to swim very far."),
        good=("You must wait here.", "He did all he could to help us."),
    ),
    Rule(
        id="TO_CAN",
        mark="to modal",
        suggest=instead("to be able to", "to"),
        message="'to' takes a full verb, not '{modal}'",
        tokens=(
            token("to", lower="to"),
            token("modal", "after to", lower="can could should must would might", tag="MD"),
            token("verb", "after modal", tag="VB"),
        ),
        unless=(WHICH, RELATIVE),
        bad=("I want to can speak French.", "We hope to could see them."),
        good=("I want to be able to speak French.", "Anyone you talk to can see it."),
    ),
    Rule(
        id="WILL_CAN",
        mark="modal other",
        message="'{modal}' and '{other}' are two modal verbs for one verb",
        tokens=(
            token("modal", lower="can could will would should must may do does did", tag="MD VBP VBZ VBD VB"),
            token("other", "after, past adverbs, modal", tag="MD", lower="can could should must will would may"),
        ),
        unless=(
            (token("do", "same as modal", lower="do does did"), token("not", "after modal", lower_not="n't not")),
            NOUN,
            token(
                "what", "anywhere before modal", lower=("what all as than who that those which so whatever everything")
            ),
        ),
        bad=("You will can see it tomorrow.", "I don't can come today."),
        good=("You will be able to see it tomorrow.", "Do what you must."),
    ),
    Rule(
        id="WILL_ABLE",
        mark="modal adjective",
        suggest=instead("{modal} be {adjective}"),
        message="'be' is missing in '{modal} {adjective}'",
        tokens=(
            token("adjective", lower="able aware afraid happy careful successful familiar"),
            token(
                "modal", "before, past adverbs, adjective", lower=("can could will would should must may might to 'll")
            ),
        ),
        unless=(NOUN, token("thing", "after adjective", tag="NN NNS CC JJ HYPH")),
        bad=("Soon we will able to leave.", "You must aware of the danger."),
        good=("Soon we will be able to leave.", "It is given to able people."),
    ),
    Rule(
        id="I_NOT_LIKE",
        mark="subject verb",
        message="a form of 'do' or 'be' is missing in '{subject} not {verb}'",
        tokens=(
            token("subject", lower="i he she we they", tag="PRP"),
            token("not", "after subject", lower="not"),
            token("verb", "after not", tag="VB VBP VBZ VBG", lower_not="only just even merely be being having"),
        ),
        unless=(
            token(
                "that",
                "anywhere before subject",
                lower=(
                    "that why if lest whether or and do did does may should would shall will can could "
                    "was were is are have had has"
                ),
            ),
        ),
        bad=("I not like this town.", "She not knows the answer."),
        good=("I do not like this town.", "They asked that she not come."),
    ),
    Rule(
        id="ARE_LIKE_TO",
        mark="be like",
        suggest=instead("{like}", "would {like}"),
        message="a form of 'be' and '{like}' are two verbs for one subject",
        tokens=(
            token("be", lower="am is are was were 'm 're"),
            token("like", "after, past adverbs, be", lower="like want need"),
            token("to", "after like", lower="to", tag="TO"),
        ),
        unless=(token("what", "anywhere before be", lower="what how"),),
        bad=("Most people are like to travel.", "I am want to learn it.", "We're want to go."),
        good=("Most people like to travel.", "I know what it is like to be alone."),
    ),
    Rule(
        id="CAN_SUCCESS",
        mark="thing",
        suggest=replaced("thing", VERBS_OF),
        message="'{thing}' is a noun; the verb is '{suggestion}'",
        tokens=(
            token("thing", lower=set(VERBS_OF)),
            token("modal", "before thing", tag="MD TO", lower=("can could should would will must may might to 'll")),
        ),
        unless=(
            NOUN,
            token("next", "after thing", pos="NOUN ADJ CCONJ VERB AUX PUNCT"),
            (
                token("to", "same as modal", lower="to"),
                token(
                    "want",
                    "before to",
                    lower_not=("want wants wanted able how try trying order going need needs hope have"),
                ),
            ),
            (token("not", "before modal", tag="NN"),),
        ),
        test=to_noun,
        bad=("You will success in your new job.", "I want to belief you in this matter."),
        good=("You will succeed in your new job.", "The key to success is sleep."),
    ),
)
