"""Agreement of subjects and verbs.

Parsers repair what they see, so subjects are told by words and places beside their arcs: most
rules ask for a subject that opens its clause, and for a verb right behind it.
"""

from __future__ import annotations

from naturalness.models.checkers.rules.nouns import (
    is_plural,
    is_singular,
    opens_clause,
    phrase_start,
)
from naturalness.models.checkers.rules.pattern import Binding, Rule, Sentence, instead, token, words
from naturalness.models.checkers.rules.verbs import (
    MODALS,
    is_gerund,
    is_present_base,
    is_third_person,
)

SEVERAL = words("these those many several few all most both such")
ANYONE = "everyone everybody someone somebody anyone anybody nobody everything something anything"
# "They insist that he go", "if it please you", "make him go", "did he go".
BARE_VERB = token("order", "anywhere before subject", lemma=(
    "suggest recommend demand insist require propose ask request urge order advise prefer "
    "important impossible essential necessary vital crucial imperative critical desirable lest "
    "wish whether rather condition recommendation suggestion proposal requirement insistence "
    "provide god heaven bless let make help see hear watch have feel do"))  # fmt: skip
GERUND = token("before", "anywhere before subject", like=is_gerund)
TO = token("to", "anywhere before subject", tag="TO")
QUESTION = token("wh", "anywhere before subject", lower="what how why whether that \" '")
CHILDREN = "people children men women"


def clause_subject(s: Sentence, b: Binding) -> bool:
    """The phrase of the subject opens a clause, names nobody and says nothing of several."""
    subject = b["subject"]
    first = phrase_start(s, subject)
    several = any(
        s.view.tags[i] == "CD" or s.view.lower[i] in SEVERAL for i in range(first, subject)
    )
    named = subject > s.start and not s.view.texts[subject].islower()
    return not several and not named and opens_clause(s, first)


def plural_subject(s: Sentence, b: Binding) -> bool:
    """The phrase of a plural opens a clause; *and* may stand before it, it stays plural."""
    first = phrase_start(s, b["subject"])
    odd = any(tag in ("CD", "VBG", "NNP", "POS") for tag in s.view.tags[first : b["subject"]])
    odd |= not {"each", "every", "one"}.isdisjoint(s.view.lower[first : b["subject"]])
    text = s.view.texts[b["subject"]]
    named = text.isupper() if b["subject"] == s.start else not text.islower()
    return not odd and not named and opens_clause(s, first, coordinated=True)


def pronoun_subject(s: Sentence, b: Binding) -> bool:
    """The subject opens a clause and is not the second of two; the verb is no name."""
    return opens_clause(s, b["subject"]) and not s.view.texts[b["verb"]].istitle()


def not_in_quotes(s: Sentence, b: Binding) -> bool:
    """The subject is not spoken of as a word."""
    around = s.view.texts[max(s.start, b["subject"] - 1)], s.view.texts[b["subject"] + 1]
    return not any(text in ("'", '"', "“", "”", "‘", "’") for text in around)


RULES: tuple[Rule, ...] = (
    Rule(
        id="HE_GO", mark="verb", suggest=instead("{verb:VBZ}"),
        message="after '{subject}' the verb ends in s: '{suggestion}'",
        tokens=(token("subject", lower="he she it"),
                token("verb", "after, past adverbs, subject", tag="VBP VB", like=is_present_base,
                      lower_not=MODALS + " are am be 're 'm 've")),
        unless=(BARE_VERB,),
        test=pronoun_subject,
        bad=("He go to school every day.", "She often drink coffee, but it make her nervous."),
        good=("He goes to school every day.", "They insisted that he go home.",
              "We made it work in the end.", "Does she drink coffee?"),
    ),
    Rule(
        id="HE_ARE", mark="verb", suggest=instead("{verb:VBZ}"),
        message="'{verb}' does not go with '{subject}'; use '{suggestion}'",
        tokens=(token("subject", lower="he she it"),
                token("verb", "after, past adverbs, subject", lower="are am 're", tag="VBP VB")),
        test=pronoun_subject,
        bad=("He are my best friend.", "It are cold outside."),
        good=("He is my best friend.", "You and she are my best friends."),
    ),
    Rule(
        id="THEY_GOES", mark="verb", suggest=instead("{verb:VBP}"),
        message="'{verb}' does not go with '{subject}'; use '{suggestion}'",
        tokens=(token("subject", lower="i you we they", tag="PRP"),
                token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person)),
        unless=(token("next", "after verb", tag="VBP VBD VBZ MD"),
                token("before", "before subject", pos="ADP PROPN AUX NUM"),
                token("before", "before subject", lower="than as or but not like"),
                (token("you", "same as subject", lower="you i"),
                 token("before", "before subject", pos="VERB NOUN CCONJ"))),
        test=not_in_quotes,
        bad=("They goes to the beach in summer.", "I hope they knows the answer."),
        good=("They go to the beach in summer.", "What they want is a rest.",
              "One of you is right.", "World War I has many lessons for us."),
    ),
    Rule(
        id="THEY_WAS", mark="verb", suggest=instead("were"),
        message="'{verb}' does not go with '{subject}'; use '{suggestion}'",
        tokens=(token("subject", lower="we they you", tag="PRP"),
                token("verb", "after, past adverbs, subject", lower="was")),
        unless=(token("before", "before subject", pos="ADP PROPN NOUN VERB AUX NUM CCONJ"),
                token("before", "before subject", lower="than as or but not like")),
        test=not_in_quotes,
        bad=("They was at home yesterday.", "When we was young, the street was quiet."),
        good=("They were at home yesterday.", "What they wanted was a rest.",
              "One of you was right."),
    ),
    Rule(
        id="EVERYONE_HAVE", mark="verb", suggest=instead("{verb:VBZ}"),
        message="'{subject}' counts as one: '{suggestion}'",
        tokens=(token("subject", lower=ANYONE),
                token("verb", "after, past adverbs, subject", tag="VBP VB", like=is_present_base,
                      lower_not=MODALS + " be 've 're")),
        unless=(token("your", "soon after verb", lower="your"),
                BARE_VERB, token("comma", "before subject", lower=","),
                token("question", "anywhere after verb", text="?")),
        test=pronoun_subject,
        bad=("Everyone have a phone now.", "If somebody need help, we come at once."),
        good=("Everyone has a phone now.", "Let everyone go home.", "Does everybody need help?"),
    ),
    Rule(
        id="DOG_BARK", mark="verb", suggest=instead("{verb:VBZ}"),
        message="'{subject}' is one, so the verb should be '{suggestion}'",
        tokens=(token("verb", tag="VBP", lower_not=MODALS, like=is_present_base),
                token("subject", "before, past adverbs, verb", tag="NN", dep="nsubj nsubj:pass",
                      like=is_singular)),
        unless=(token("you", "after verb", tag="PRP", dep="nsubj"),
                BARE_VERB,
                token("other", "child of subject", dep="conj cc appos"),
                token("aux", "left child of verb", dep="aux"),
                (token("bare", "same as verb", lower="need dare"),
                 token("not", "after, past adverbs, verb", tag="VB RB VBN"))),
        test=clause_subject,
        bad=("The teacher give us much homework.", "This city have many old bridges."),
        good=("The teacher gives us much homework.", "The police have closed the road.",
              "My father and my mother live here.", "The doctor recommends that the man rest."),
    ),
    Rule(
        id="DOGS_BARKS", mark="verb", suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(token("subject", tag="NNS", dep="nsubj nsubj:pass", like=is_plural),
                token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person)),
        unless=(GERUND, QUESTION),
        test=plural_subject,
        bad=("The students has no time for games.", "Our neighbours likes loud music."),
        good=("The students have no time for games.", "Mathematics is my best subject.",
              "Watching birds is a quiet hobby.", "Ten years is a long time."),
    ),
    Rule(
        id="PEOPLE_IS", mark="verb", suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(token("subject", lower=CHILDREN),
                token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person)),
        unless=(TO, GERUND, QUESTION, token("one", "anywhere before subject", lower="a an one")),
        test=plural_subject,
        bad=("People is afraid of the dark.", "Many people thinks that money is all."),
        good=("People are afraid of the dark.", "Helping people is my job."),
    ),
    Rule(
        id="DOGS_WAS", mark="verb", suggest=instead("were"),
        message="'{subject}' is plural: '{suggestion}'",
        tokens=(token("subject", tag="NNS", dep="nsubj nsubj:pass", like=is_plural),
                token("verb", "after, past adverbs, subject", lower="was")),
        unless=(TO, GERUND, QUESTION),
        test=plural_subject,
        bad=("The shops was closed on Sunday.", "My parents was angry with me."),
        good=("The shops were closed on Sunday.", "Selling shoes was his trade."),
    ),
    Rule(
        id="THIS_MAKE", mark="verb", suggest=instead("{verb:VBZ}"),
        message="'{subject}' is one, so the verb should be '{suggestion}'",
        tokens=(token("subject", lower="this", tag="DT", dep="nsubj"),
                token("verb", "after, past adverbs, subject", tag="VBP", like=is_present_base,
                      lower_not=MODALS)),
        unless=(BARE_VERB, token("next", "after verb", tag="VBZ VBD MD VBP")),
        test=pronoun_subject,
        bad=("This make me very happy.", "This have many advantages."),
        good=("This makes me very happy.", "These make me very happy."),
    ),
)  # fmt: skip
