"""Words confused with others that sound or look alike: then and than, loose and lose."""

from __future__ import annotations

from naturalness.english.rules.pattern import Rule, instead, token

SIZES = (
    "much many late expensive young old high big small difficult hard weak strong dangerous "
    "heavy easy simple little few short tired busy early"
)
BASES = "be go get make take see do have buy find keep become know"

RULES: tuple[Rule, ...] = (
    Rule(
        id="THEN_FOR_THAN",
        message="use 'than' after '{more}'",
        tokens=(
            token("then", lower="then"),
            token("more", "before then", tag="JJR RBR", lower_not="earlier later further"),
            token("after", "after then", tag="DT PRP PRP$ NN NNS CD NNP VBG JJ EX"),
        ),
        unless=(token("but", "anywhere before more", lower="if when , and because was were"),),
        mark="then",
        suggest=instead("than"),
        bad=("She is taller then her brother.", "It costs more then ten euros."),
        good=("She is taller than her brother.", "If it gets better then we go out."),
    ),
    Rule(
        id="RATHER_THEN",
        message="use 'than' after '{rather}'",
        tokens=(token("then", lower="then"), token("rather", "before then", lower="rather")),
        mark="then",
        suggest=instead("than"),
        bad=("I would stay rather then go.", "He walks rather then drives."),
        good=("I would stay rather than go.", "He was tired, rather; then he slept."),
    ),
    Rule(
        id="TO_FOR_TOO",
        message="use 'too' before '{size}'",
        tokens=(
            token("size", lower=SIZES),
            token("to", "before size", lower="to"),
            token("be", "before to", lemma="be get become"),
            token("after", "after size", lower=". , ! ? to for"),
        ),
        mark="to",
        suggest=instead("too"),
        bad=("It is to late to go out.", "This bag is to heavy for me."),
        good=("It is too late to go out.", "He is to busy himself with it."),
    ),
    Rule(
        id="TOO_FOR_TO",
        message="use 'to' before '{verb}'",
        tokens=(
            token("too", lower="too"),
            token("verb", "after too", lower=BASES, tag="VB"),
            token("before", "before too", tag="VB VBP VBZ VBD JJ NN NNS IN"),
        ),
        unless=(
            token("aux", "anywhere before too", tag="MD", lower="may can could should would will do did might must"),
        ),
        mark="too",
        suggest=instead("to"),
        bad=("They want too go home.", "I need too buy some milk."),
        good=("They want to go home.", "You too can go home."),
    ),
    Rule(
        id="LESS_THEN",
        message="use 'than' after '{more}'",
        tokens=(
            token("then", lower="then"),
            token("adjective", "before then", tag="JJ RB"),
            token("more", "before adjective", lower="more less"),
            token("after", "after then", tag="DT PRP PRP$ NN NNS CD NNP JJ"),
        ),
        unless=(token("but", "anywhere before more", lower="if when , and because was were"),),
        mark="then",
        suggest=instead("than"),
        bad=("Trains are more comfortable then buses.", "Tea is less expensive then coffee."),
        good=("Trains are more comfortable than buses.", "If it is more useful then we buy it."),
    ),
    Rule(
        id="FORM_FOR_FROM",
        message="'form' means a shape; use 'from' here",
        tokens=(
            token("form", lower="form"),
            token(
                "verb",
                "before form",
                lower="learn learns learned come comes came suffer suffers suffered benefit away far apart",
            ),
            token("after", "after form", tag="DT PRP$ NN NNS PRP NNP JJ"),
        ),
        mark="form",
        suggest=instead("from"),
        bad=("She comes form a small town.", "We learn form our mistakes."),
        good=("She comes from a small town.", "The clouds form a ring."),
    ),
    Rule(
        id="LOOSE_FOR_LOSE",
        message="'loose' means not tight; the verb is 'lose'",
        tokens=(
            token("loose", lower="loose"),
            token("before", "before loose", lower="to can will would may might could not n't"),
            token("after", "after loose", tag="DT PRP$ PRP NN NNS", lower_not="ends end change"),
        ),
        unless=(token("verb", "2 before loose", lemma="be come"),),
        mark="loose",
        suggest=instead("lose"),
        bad=("I do not want to loose my job.", "They will loose the game."),
        good=("I do not want to lose my job.", "The dog was not loose that day."),
    ),
    Rule(
        id="LIVE_FOR_LIFE",
        message="the noun is 'life'",
        tokens=(
            token("live", lower="live"),
            token("my", "before live", tag="PRP$"),
            token("after", "after live", lower=". , ! ? and because"),
        ),
        mark="live",
        suggest=instead("life"),
        bad=("It changed my live.", "He spent his live, or most of it, in Rome."),
        good=("It changed my life.", "Their live concert was good."),
    ),
    Rule(
        id="ADVICE_FOR_ADVISE",
        message="the verb is 'advise'",
        tokens=(
            token("advice", lower="advice"),
            token("before", "before advice", lower="i we they would will can should could to"),
            token("after", "after advice", lower="you him her them us me people everyone"),
        ),
        mark="advice",
        suggest=instead("advise"),
        bad=("I advice you to go home.", "Doctors should advice people to walk."),
        good=("I advise you to go home.", "He gave me advice."),
    ),
    Rule(
        id="DOSE_FOR_DOES",
        message="use 'does' here",
        tokens=(token("dose", lower="dose"), token("no", "after dose", lower="not n't nt")),
        mark="dose",
        suggest=instead("does"),
        bad=("He dose not like fish.", "It dose not matter."),
        good=("He does not like fish.", "The dose was not enough."),
    ),
    Rule(
        id="EVERYDAY_ADVERB",
        message="'everyday' is an adjective; for how often, write 'every day'",
        tokens=(
            token("everyday", lower="everyday"),
            token("after", "after everyday", lower=". ! ? , i he she we they you it to because"),
        ),
        unless=(token("the", "before everyday", tag="DT PRP$ IN JJ"),),
        mark="everyday",
        suggest=instead("every day"),
        bad=("I go to work everyday.", "Everyday we drink tea together."),
        good=("I go to work every day.", "It is part of everyday life."),
    ),
    Rule(
        id="SOMETIME_FOR_SOMETIMES",
        message="use 'sometimes' for now and then",
        tokens=(token("sometime", lower="sometime"), token("after", "after sometime", tag="PRP")),
        unless=(token("before", "before sometime"),),
        mark="sometime",
        suggest=instead("sometimes"),
        bad=("Sometime it rains in May.", "Sometime they are late."),
        good=("Sometimes it rains in May.", "We met sometime in May."),
    ),
    Rule(
        id="MAY_BE_FOR_MAYBE",
        message="use 'maybe' before a sentence",
        tokens=(
            token("be", lower="be"),
            token("may", "before be", lower="may"),
            token("after", "after be", lower="i he she we they it you the"),
        ),
        unless=(token("before", "before may"),),
        mark="may be",
        suggest=instead("maybe"),
        bad=("May be we should go home.", "May be it will rain."),
        good=("Maybe we should go home.", "It may be the last one."),
    ),
    Rule(
        id="SELF_APART",
        message="'{suggestion}' is one word",
        tokens=(
            token("self", lower="self selves"),
            token("him", "before self", lower="him them her our your my it", tag="PRP PRP$"),
        ),
        unless=(
            token("joint", "after self", lower="- and"),
            token("noun", "after self", tag="NN NNS VBN HYPH JJ"),
            token("own", "same as self", lower="self", tag="NN", dep="nsubj obj"),
            token("mine", "same as him", lower="my your her it"),
        ),
        mark="him self",
        suggest=instead("{him}{self}"),
        bad=("He did it by him self.", "They built it them selves."),
        good=("He did it by himself.", "My self was at stake."),
    ),
    Rule(
        id="SMALL_I",
        severity="warning",
        message="write the pronoun 'I' with a capital",
        tokens=(token("i", text="i", tag="PRP"), token("verb", "after, past adverbs, i", tag="VBP VBD MD")),
        unless=(token("dot", "before i", lower="( . /"),),
        suggest=instead("I"),
        bad=("Last year i went to Italy.", "My brother and i live here."),
        good=("Last year I went to Italy.", "Steps (i) and (ii) follow."),
    ),
)
