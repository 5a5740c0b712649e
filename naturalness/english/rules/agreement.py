"""Agreement of subjects and verbs.

Parsers repair what they see, so subjects are recognised by words and positions as well as by arcs: most
rules ask for a subject that opens its clause, and for a verb right behind it.
"""

from __future__ import annotations

from naturalness.english.rules.nouns import COUNT, is_plural, is_singular, names_are_small, opens_clause, phrase_start
from naturalness.english.rules.pattern import Binding, Rule, Sentence, instead, token, words
from naturalness.english.rules.verbs import MODALS, is_gerund, is_present_base, is_third_person, is_verb
from naturalness.english.wordlist import load_wordlist

BE_OR_HAVE = ("is", "was", "has")
SEVERAL = words("these those many several few all most both such")
ANYONE = "everyone everybody someone somebody anyone anybody nobody everything something anything"
# "They insist that he go", "if it please you", "make him go", "did he go".
BARE_VERB = token(
    "order",
    "anywhere before subject",
    lemma=(
        "suggest recommend demand insist require propose ask request urge order advise prefer "
        "important impossible essential necessary vital crucial imperative critical desirable lest "
        "beg wish whether rather condition recommendation suggestion proposal requirement insistence "
        "provide god heaven bless let make help see hear watch have feel do"
    ),
)
GERUND = token("before", "anywhere before subject", like=is_gerund)
TO = token("to", "anywhere before subject", tag="TO")
QUESTION = token("wh", "anywhere before subject", lower="what how why whether that \" '")
# "The Wrestlers is a pub": a plural that is one thing is its name.
A_THING = (
    token("be", "same as verb", lower="is was"),
    token("thing", "head of subject", tag="NN NNP"),
    token("one", "left child of thing", lower="a an the one"),
)
CHILDREN = "people children men women"


def clause_subject(s: Sentence, b: Binding) -> bool:
    """Return whether the phrase of the subject opens a clause, names nobody and says nothing of several."""
    subject = b["subject"]
    first = phrase_start(s, subject)
    several = any(s.view.tags[i] == "CD" or s.view.lower[i] in SEVERAL for i in range(first, subject))
    named = subject > s.start and not s.view.texts[subject].islower()
    return not several and not named and opens_clause(s, first)


def determined_subject(s: Sentence, b: Binding) -> bool:
    """Return the same; where names are in small letters it has a determiner: *city* may be a team."""
    subject = b["subject"]
    determiners = {"DT", "PRP$"} & set(s.view.tags[phrase_start(s, subject) : subject])
    return clause_subject(s, b) and (bool(determiners) or not names_are_small(s, subject))


def plural_subject(s: Sentence, b: Binding) -> bool:
    """Return whether the phrase of a plural opens a clause; after *and* it stays plural."""
    first = phrase_start(s, b["subject"])
    if s.view.lower[b["subject"]] not in load_wordlist() or _titled(s, b, first):
        return False
    odd = any(tag in ("CD", "VBG", "NNP", "POS") for tag in s.view.tags[first : b["subject"]])
    odd |= not {"each", "every", "one"}.isdisjoint(s.view.lower[first : b["subject"]])
    text = s.view.texts[b["subject"]]
    named = text.isupper() if b["subject"] == s.start else not text.islower()
    return not odd and not named and opens_clause(s, first, coordinated=True)


def _titled(s: Sentence, b: Binding, first: int) -> bool:
    """Return whether a plural that is a whole subject may be a name: *Flowers was*, *Friends has*."""
    bare = first == b["subject"] == s.start and s.view.lemmas[first] not in COUNT
    return bare and s.view.lower[first][-1] == "s" and s.view.lower[b["verb"]] in BE_OR_HAVE


def clause_pronoun(s: Sentence, b: Binding) -> bool:
    """Return whether the subject opens a clause, perhaps after *and*; the verb is a verb and no name."""
    subject, verb = b["subject"], b["verb"]
    coordinated = s.view.deps[verb] == "conj" and s.view.heads[subject] == verb
    word = s.view.texts[verb]
    opens = opens_clause(s, subject, coordinated=coordinated)
    return opens and not word.istitle() and is_verb(word.lower())


def pronoun_subject(s: Sentence, b: Binding) -> bool:
    """Return whether the subject opens a clause and is not the second of two; the verb is no name."""
    return opens_clause(s, b["subject"]) and not s.view.texts[b["verb"]].istitle()


def not_in_quotes(s: Sentence, b: Binding) -> bool:
    """Return whether the subject is not spoken of as a word."""
    around = s.view.texts[max(s.start, b["subject"] - 1)], s.view.texts[b["subject"] + 1]
    return not any(text in ("'", '"', "“", "”", "‘", "’") for text in around)


RULES: tuple[Rule, ...] = (
    Rule(
        id="HE_GO",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="after '{subject}' the verb ends in -s: '{suggestion}'",
        tokens=(
            token("subject", lower="he she it"),
            token(
                "verb",
                "after, past adverbs, subject",
                tag="VBP VB",
                like=is_present_base,
                lower_not=MODALS + " are am be 're 'm 've",
            ),
        ),
        unless=(
            BARE_VERB,
            (token("and", "before subject", lower="and or"), token("bare", "anywhere before and", tag="MD VB TO VBG")),
        ),
        test=clause_pronoun,
        bad=(
            "He go to school every day.",
            "She often drink coffee, but it make her nervous.",
            "It was late and he go home.",
        ),
        good=(
            "He goes to school every day.",
            "They insisted that he go home.",
            "We made it work in the end.",
            "Does she drink coffee?",
            "he hotel is near the park.",
            "They begged that she stay.",
            "My sister and he go to school together.",
            "You can stay and he go home.",
        ),
    ),
    Rule(
        id="HE_ARE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{verb}' does not agree with '{subject}'; use '{suggestion}'",
        tokens=(
            token("subject", lower="he she it"),
            token("verb", "after, past adverbs, subject", lower="are am 're", tag="VBP VB"),
        ),
        test=pronoun_subject,
        bad=("He are my best friend.", "It are cold outside."),
        good=("He is my best friend.", "You and she are my best friends."),
    ),
    Rule(
        id="THEY_GOES",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{verb}' does not agree with '{subject}'; use '{suggestion}'",
        tokens=(
            token("subject", lower="i you we they", tag="PRP"),
            token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person),
        ),
        unless=(
            token("next", "after verb", tag="VBP VBD VBZ MD"),
            token("before", "before subject", pos="ADP PROPN AUX NUM"),
            token("before", "before subject", lower="than as or but not like"),
            (token("you", "same as subject", lower="you i"), token("before", "before subject", pos="VERB NOUN CCONJ")),
        ),
        test=not_in_quotes,
        bad=("They goes to the beach in summer.", "I hope they knows the answer."),
        good=(
            "They go to the beach in summer.",
            "What they want is a rest.",
            "One of you is right.",
            "World War I has many lessons for us.",
        ),
    ),
    Rule(
        id="THEY_WAS",
        mark="verb",
        suggest=instead("were"),
        message="'{verb}' does not agree with '{subject}'; use '{suggestion}'",
        tokens=(
            token("subject", lower="we they you", tag="PRP"),
            token("verb", "after, past adverbs, subject", lower="was"),
        ),
        unless=(
            token("before", "before subject", pos="ADP PROPN NOUN VERB AUX NUM CCONJ"),
            token("before", "before subject", lower="than as or but not like"),
        ),
        test=not_in_quotes,
        bad=("They was at home yesterday.", "When we was young, the street was quiet."),
        good=("They were at home yesterday.", "What they wanted was a rest.", "One of you was right."),
    ),
    Rule(
        id="EVERYONE_HAVE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{subject}' is singular: '{suggestion}'",
        tokens=(
            token("subject", lower=ANYONE),
            token(
                "verb",
                "after, past adverbs, subject",
                tag="VBP VB",
                like=is_present_base,
                lower_not=MODALS + " be 've 're",
            ),
        ),
        unless=(
            token("your", "soon after verb", lower="your"),
            BARE_VERB,
            token("comma", "before subject", lower=","),
            token("question", "anywhere after verb", text="?"),
        ),
        test=pronoun_subject,
        bad=("Everyone have a phone now.", "If somebody need help, we come at once."),
        good=("Everyone has a phone now.", "Let everyone go home.", "Does everybody need help?"),
    ),
    Rule(
        id="DOG_BARK",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{subject}' is singular, so the verb should be '{suggestion}'",
        tokens=(
            token("verb", tag="VBP", lower_not=MODALS, like=is_present_base),
            token("subject", "before, past adverbs, verb", tag="NN", dep="nsubj nsubj:pass", like=is_singular),
        ),
        unless=(
            token("you", "after verb", tag="PRP", dep="nsubj"),
            BARE_VERB,
            token("other", "child of subject", dep="conj cc appos"),
            token("team", "child of subject", tag="NNP NNPS", dep="compound flat"),
            token("aux", "left child of verb", dep="aux"),
            (
                token("bare", "same as verb", lower="need dare"),
                token("not", "after, past adverbs, verb", tag="VB RB VBN"),
            ),
        ),
        test=determined_subject,
        bad=("The teacher give us much homework.", "This city have many old bridges."),
        good=(
            "The teacher gives us much homework.",
            "The police have closed the road.",
            "My father and my mother live here.",
            "The doctor recommends that the man rest.",
            "Our side have won the cup.",
            "Bristol city are ready to buy him.",
            "Forest have sold bristol striker tony.",
            "The remaining eighteen are in London.",
        ),
    ),
    Rule(
        id="DOGS_BARKS",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(
            token("subject", tag="NNS", dep="nsubj nsubj:pass", like=is_plural),
            token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person),
        ),
        unless=(TO, GERUND, QUESTION, A_THING),
        test=plural_subject,
        bad=("The students has no time for games.", "Our neighbours likes loud music."),
        good=(
            "The students have no time for games.",
            "Mathematics is my best subject.",
            "Watching birds is a quiet hobby.",
            "Ten years is a long time.",
            "the gardeners is a pub near the station.",
            "Brothers is a French film.",
        ),
    ),
    Rule(
        id="PEOPLE_IS",
        mark="verb",
        suggest=instead("{verb:VBP}"),
        message="'{subject}' is plural, so the verb should be '{suggestion}'",
        tokens=(
            token("subject", lower=CHILDREN),
            token("verb", "after, past adverbs, subject", tag="VBZ", like=is_third_person),
        ),
        unless=(TO, GERUND, QUESTION, token("one", "anywhere before subject", lower="a an one")),
        test=plural_subject,
        bad=("People is afraid of the dark.", "Many people thinks that money is all."),
        good=("People are afraid of the dark.", "Helping people is my job."),
    ),
    Rule(
        id="DOGS_WAS",
        mark="verb",
        suggest=instead("were"),
        message="'{subject}' is plural: '{suggestion}'",
        tokens=(
            token("subject", tag="NNS", dep="nsubj nsubj:pass", like=is_plural),
            token("verb", "after, past adverbs, subject", lower="was"),
        ),
        unless=(TO, GERUND, QUESTION, A_THING),
        test=plural_subject,
        bad=("The shops was closed on Sunday.", "My parents was angry with me."),
        good=(
            "The shops were closed on Sunday.",
            "Selling shoes was his trade.",
            "Rivers was late again.",
            "The potters was a cheap café by the sea.",
        ),
    ),
    Rule(
        id="THIS_MAKE",
        mark="verb",
        suggest=instead("{verb:VBZ}"),
        message="'{subject}' is singular, so the verb should be '{suggestion}'",
        tokens=(
            token("subject", lower="this", tag="DT", dep="nsubj"),
            token("verb", "after, past adverbs, subject", tag="VBP", like=is_present_base, lower_not=MODALS),
        ),
        unless=(BARE_VERB, token("next", "after verb", tag="VBZ VBD MD VBP")),
        test=pronoun_subject,
        bad=("This make me very happy.", "This have many advantages."),
        good=("This makes me very happy.", "These make me very happy."),
    ),
)
