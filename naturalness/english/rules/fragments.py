"""Sentences that lack a part: a verb, a form of *be*, a subject, a main clause."""

from __future__ import annotations

from naturalness.english.rules.nouns import opens_clause
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token, words

FINITE = words("VBZ VBP VBD MD")
ADJECTIVES = (
    "important necessary possible impossible difficult easy hard good better true clear obvious "
    "essential useful dangerous interesting expensive likely certain"
)


def at_start(s: Sentence, b: Binding) -> bool:
    """Return whether the first token of the rule is the first of the sentence, which is a statement."""
    return b["first"] == s.start and s.view.texts[s.end - 1] in (".", "!")


def starts(s: Sentence, b: Binding) -> bool:
    """Return whether the first token of the rule opens the sentence or follows a comma or conjunction."""
    first = b["first"]
    return first == s.start or s.view.lower[first - 1] in (
        ",",
        ";",
        "because",
        "if",
        "that",
        "but",
        "so",
        "and",
        "think",
        "when",
        "although",
    )


def opens_sentence(s: Sentence, b: Binding) -> bool:
    """Return whether the first token of the rule opens the sentence or its second half."""
    return b["first"] == s.start or s.view.lower[b["first"] - 1] in (",", "but", "so", "because")


def begins(s: Sentence, b: Binding) -> bool:
    """Return whether the first token of the rule is the first of the sentence."""
    return b["first"] == s.start


def clause_start(s: Sentence, b: Binding) -> bool:
    """Return whether the subject opens a clause; *which* always does."""
    return s.view.lower[b["subject"]] == "which" or opens_clause(s, b["subject"])


def with_be(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the subject with the forms of *be* that go with it."""
    subject = s.view.texts[b["subject"]]
    forms = {"i": ("am", "was"), "he": ("is", "was"), "she": ("is", "was"), "it": ("is", "was")}
    return tuple(f"{subject} {be}" for be in forms.get(subject.lower(), ("are", "were")))


def it_is(s: Sentence, b: Binding) -> tuple[str, ...]:
    """Return the subject that is missing, and the verb."""
    return (f"it {s.view.lower[b['first']]}",)


def no_verb(s: Sentence, b: Binding) -> bool:
    """Return whether a sentence of some length ends as one, begins with its subject and has no verb."""
    if b["first"] != s.start or s.view.texts[s.end - 1] != "." or s.end - s.start < 6:
        return False
    inside = range(s.start, s.end)
    return not any(
        s.view.tags[i] in FINITE or s.view.tags[i] in ("VB", "VBN") or s.view.pos[i] == "AUX" for i in inside
    )


def alone(s: Sentence, b: Binding) -> bool:
    """Return whether the clause opens the sentence, ends it, and nothing else is in it."""
    view = s.view
    inside = range(s.start, s.end)
    return (
        b["first"] == s.start
        and view.texts[s.end - 1] == "."
        and s.end - s.start > 10
        and not any(view.texts[i] in (",", ";", ":", "-", "–", "—", '"') for i in inside)
        and sum(view.tags[i] in FINITE for i in inside) == 1
    )


RULES: tuple[Rule, ...] = (
    Rule(
        id="BECAUSE_ALONE",
        mark="first",
        severity="warning",
        message="the clause with '{first}' has no main clause beside it",
        tokens=(
            token("first", lower="because although whereas unless", dep="mark"),
            token("verb", "head of first", dep="root"),
        ),
        test=alone,
        bad=(
            "Because the weather was too cold for a walk in the park.",
            "Although my brother has a very good job in the big city.",
        ),
        good=("Because it was cold, we stayed in.", "We stayed in because it was cold."),
    ),
    Rule(
        id="HE_VERY_HAPPY",
        mark="subject",
        suggest=with_be,
        message="a form of 'be' is missing between '{subject}' and '{adverb} {adjective}'",
        tokens=(
            token("subject", lower="he she they we i"),
            token("adverb", "after subject", lower="very so too really not quite"),
            token("adjective", "after adverb", tag="JJ", dep="root ccomp advcl conj"),
        ),
        unless=(
            token("verb", "after adjective", tag="VBD VBZ VBP MD VB"),
            token("before", "before subject", tag="VB VBD VBZ VBP MD IN"),
            token("cop", "child of adjective", dep="cop aux"),
        ),
        bad=("He very happy with his new car.", "They too young for this film."),
        good=("He is very happy with his new car.", "Were they too young?"),
    ),
    Rule(
        id="THEY_COMING",
        mark="subject",
        suggest=with_be,
        message="a form of 'be' is missing between '{subject}' and '{verb}'",
        tokens=(
            token("subject", lower="he she they we i"),
            token("verb", "after, past adverbs, subject", tag="VBG", lower_not="being having"),
        ),
        unless=(
            token("before", "anywhere before subject", tag="VB VBD VBZ VBP MD IN"),
            token("verb2", "anywhere after verb", tag="VBD VBZ VBP MD"),
        ),
        bad=("They coming to the party tonight.", "She reading a book about birds."),
        good=("They are coming to the party tonight.", "He being ill, we left."),
    ),
    Rule(
        id="THIS_BECAUSE",
        mark="first",
        suggest=instead("{first} is"),
        message="a form of 'be' is missing: '{suggestion} because'",
        tokens=(token("because", lower="because"), token("first", "before because", lower="this that it")),
        test=at_start,
        bad=("This because they are poor.", "That because nobody listens to him."),
        good=("This is because they are poor.", "He said this because he was angry."),
    ),
    Rule(
        id="THERE_MANY",
        mark="first",
        suggest=instead("{first} are"),
        message="a form of 'be' is missing: '{suggestion} {many}'",
        tokens=(
            token("first", lower="there"),
            token("many", "after first", lower="many several some lots"),
            token("noun", "soon after many", tag="NNS"),
        ),
        unless=(token("aux", "anywhere before first", tag="MD VBZ VBP VBD VB"),),
        test=starts,
        bad=("There many people in the park.", "There several reasons for it."),
        good=("There are many people in the park.", "Are there many people in the park?"),
    ),
    Rule(
        id="IS_IMPORTANT",
        mark="first",
        suggest=it_is,
        message="the subject is missing: '{suggestion}'",
        tokens=(
            token("first", lower="is was"),
            token("adjective", "after, past adverbs, first", lower=ADJECTIVES),
            token("to", "after adjective", lower="to that for because"),
        ),
        test=at_start,
        bad=("Is important to sleep well.", "Was difficult for us to find the street."),
        good=("It is important to sleep well.", "Is it important to sleep well?"),
    ),
    Rule(
        id="BECAUSE_IS",
        mark="verb",
        suggest=instead("it {verb}"),
        message="the subject is missing: '{first} {suggestion}'",
        tokens=(
            token("first", lower="because if although whereas"),
            token("verb", "after first", lower="is are was were has"),
        ),
        unless=(
            token("what", "anywhere before first", lower="what \" ' reason only even"),
            token("quote", "after first", lower="\" '"),
        ),
        bad=("I like it because is very quiet.", "Call me if is necessary."),
        good=("I like it because it is very quiet.", "Call me if it is necessary."),
    ),
    Rule(
        id="I_THINK_IS",
        mark="verb",
        suggest=instead("it {verb}"),
        message="the subject is missing: '{think} {suggestion}'",
        tokens=(
            token("first", lower="i"),
            token("think", "after first", lower="think believe guess"),
            token("verb", "after think", lower="is are was"),
        ),
        test=opens_sentence,
        bad=("I think is a good idea.", "I believe is true."),
        good=("I think it is a good idea.", "What I think is no secret."),
    ),
    Rule(
        id="HE_IN_PARIS",
        mark="first",
        message="the sentence has no verb",
        tokens=(token("first", lower="he she they we it"),),
        test=no_verb,
        severity="warning",
        bad=("He in the final of the big cup.", "They with three friends in the garden."),
        good=("He is in the final of the big cup.", "The end."),
    ),
    Rule(
        id="IT_BASED_ON",
        mark="subject participle",
        suggest=instead("{subject} is {participle}", "{subject} was {participle}"),
        message="a form of 'be' is missing between '{subject}' and '{participle}'",
        tokens=(
            token("participle", lower=("based located caused made known composed related divided called used built")),
            token("subject", "before participle", lower="it they he she which this"),
            token("by", "after participle", lower="on in by as of to for into"),
        ),
        unless=(
            token("made", "same as participle", lower="called made used built related"),
            (token("caused", "same as participle", lower="caused"), token("what", "after participle", lower_not="by")),
            token("aux", "before subject", tag="VBZ VBP VBD MD VB NN NNS IN"),
        ),
        test=clause_start,
        bad=("It based on a true story.", "The bridge fell, it caused by the storm."),
        good=(
            "It is based on a true story.",
            "The damage it caused by night was great.",
            "It caused as much noise as before.",
        ),
    ),
    Rule(
        id="IN_SUMMER_IS_COLD",
        mark="verb",
        suggest=instead("it {verb}"),
        message="the subject is missing: '{suggestion} {adjective}'",
        tokens=(
            token("adjective", dep="root", lower=ADJECTIVES + " cold hot warm"),
            token("verb", "left child of adjective", lower="is was", dep="cop"),
            token("noun", "before verb", tag="NN NNS NNP PRP", dep="obl nmod"),
            token("first", "anywhere before noun", lower="in for at on with"),
        ),
        unless=(
            token("subject", "child of adjective", dep="nsubj expl nsubj:outer"),
            token("comma", "anywhere before verb", pos="PUNCT VERB"),
        ),
        test=begins,
        bad=("In my country is very cold in winter.", "For me is easy to get up early."),
        good=("In my country it is very cold in winter.", "In this is nothing new."),
    ),
)
