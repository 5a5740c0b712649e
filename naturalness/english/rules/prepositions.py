"""Prepositions: those that frequent verbs and adjectives take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from naturalness.english.rules import idioms, objects
from naturalness.english.rules.pattern import Binding, CodeRule, Rule, Sentence, instead, token

Table = Mapping[str, Mapping[str, str]]
OBJECT = "DT PRP PRP$ NN NNS NNP JJ CD VBG WP"


def _table(text: str) -> Table:
    """Read lines ``words: wrong wrong = right``; the right side ``-`` is no preposition at all."""
    table: dict[str, dict[str, str]] = {}
    for line in text.strip().split("\n"):
        words, _, rest = line.strip().partition(": ")
        wrong, _, right = rest.partition(" = ")
        for word in words.split():
            table.setdefault(word, {}).update(dict.fromkeys(wrong.split(), right.strip("-")))
    return table


@dataclass(frozen=True, slots=True)
class Governed:
    """Prepositions that a table calls wrong behind a word, and what it has instead."""

    table: Table

    def __call__(self, sentence: Sentence, bound: Binding) -> bool:
        return self.right(sentence, bound) is not None

    def right(self, sentence: Sentence, bound: Binding) -> str | None:
        """Return the right preposition; None where the one that is there is not known to be wrong."""
        view, i = sentence.view, bound["word"]
        known = self.table.get(view.lower[i]) or self.table.get(view.lemmas[i], {})
        return known.get(view.lower[bound["preposition"]])


@dataclass(frozen=True, slots=True)
class Right:
    """Suggest the word with its right preposition."""

    governed: Governed

    def __call__(self, sentence: Sentence, bound: Binding) -> tuple[str, ...]:
        right = self.governed.right(sentence, bound) or ""
        return (f"{sentence.view.texts[bound['word']]} {right}".strip(),)


VERBS = _table("""
    depend: of in from at to = on
    consist: from by = of
    participate: to on = in
    arrive: to = at
    discuss mention: about = -
    emphasize emphasise: on about = -
    resemble: to with = -
    concentrate: to = on
    rely: of in to at = on
    insist: to = on
    cope: to of = with
    belong: of at = to
    listen: at = to
    graduate: of = from
    suffer: of = from
    obey: to = -
    interfere: to = with
    succeed: to = in
    describe: about = -
    congratulate: for = on
    affect: to on = -
    comprise: of = -
    contribute: on = to
    specialize specialise: at on about = in
    focus: to at = on
    hesitate: for = to
    dream: on = of
    complain: on = about
    differ: of = from
    refer: on about = to
    apologize apologise: of = for
    approve: about = of
    deal: about of = with
    compete: to = with
    struggle: to_the = with
    escape: of = from
    benefit: of = from
    worry: of = about
    agree: of = with
    forget: of = about
    invest: at = in
    believe: at = in
""")
ADJECTIVES = _table("""
    interested: for on about at = in
    married: with = to
    similar: with = to
    capable: for = of
    responsible: of about = for
    aware: about with = of
    afraid: from about = of
    proud: for = of
    famous: of = for
    familiar: of = with
    dependent: of from in = on
    independent: on = of
    related: with = to
    superior inferior: than from = to
    opposed: against = to
    surprised: of = at
    satisfied: of = with
    accustomed: at = to
    jealous: from with = of
    worried: of = about
    different: of = from
    preferable: than = to
    typical: to = of
    focused: at = on
    involved: to = in
    specialized specialised: on at about = in
    good bad: in = at
    next: of = to
    keen: in of = on
    fond: for = of
    confident: to = of
""")
BEHIND_VERB, BEHIND_ADJECTIVE = Governed(VERBS), Governed(ADJECTIVES)


RULES: tuple[Rule | CodeRule, ...] = (
    Rule(
        id="VERB_PREPOSITION",
        message="with '{word}', write '{suggestion}'",
        tokens=(
            token("word", lemma=frozenset(VERBS), tag="VB VBP VBZ VBD VBG"),
            token("preposition", "after word", tag="IN TO RP"),
            token("noun", "after preposition", tag=OBJECT),
        ),
        unless=(
            token("passive", "soon before word", lemma="be get", tag="VBD VBZ VBP VB VBN"),
            token("joint", "after preposition", lower="least last all once times first"),
            token("time", "2 after preposition", lower="time moment"),
            (
                token("arrive", "same as word", lemma="arrive"),
                token("a", "after preposition", tag="DT NN NNS JJ CD VBG", lower_not="the this"),
            ),
        ),
        test=BEHIND_VERB,
        mark="word preposition",
        suggest=Right(BEHIND_VERB),
        bad=(
            "It depends of the weather.",
            "We discussed about the plan.",
            "They participated to the meeting.",
            "She arrived to the station at noon.",
            "You can rely of my help.",
        ),
        good=(
            "It depends on the weather.",
            "We discussed the plan.",
            "He arrived at the station.",
            "They arrived to loud applause.",
        ),
    ),
    Rule(
        id="ADJECTIVE_PREPOSITION",
        message="write '{suggestion}'",
        tokens=(
            token("word", lower=frozenset(ADJECTIVES) - {"good", "bad"}, tag="JJ VBN VBD NN RB"),
            token("preposition", "after word", tag="IN TO"),
            token("noun", "after preposition", tag=OBJECT),
        ),
        unless=(
            token("who", "soon before word", lower="who whom which more most least"),
            token("all", "after preposition", lower="all once least children his her their"),
        ),
        test=BEHIND_ADJECTIVE,
        mark="word preposition",
        suggest=Right(BEHIND_ADJECTIVE),
        bad=(
            "She is interested on music.",
            "He is married with a doctor.",
            "Your coat is similar with mine.",
            "They are responsible of the garden.",
        ),
        good=(
            "She is interested in music.",
            "He is married, with two children.",
            "He is famous for it.",
            "She felt guilty for leaving.",
            "The shops are concentrated at the harbour.",
            "Tom, who was the least surprised of us, laughed.",
        ),
    ),
    Rule(
        id="INTERESTING_FOR_INTERESTED",
        message="people are interested; things are interesting",
        tokens=(
            token("word", lower="interesting"),
            token("in", "after word", lower="in"),
            token("be", "before word", lemma="be"),
            token("subject", "before be", lower="i he she we they people you"),
            token("what", "after in", tag="DT PRP$ NN NNS VBG NNP PRP"),
        ),
        mark="word in",
        suggest=instead("interested in"),
        bad=("I am interesting in history.", "She is interesting in learning French."),
        good=("I am interested in history.", "It is interesting in itself."),
    ),
    Rule(
        id="ACCORDING_WITH",
        message="write 'according to'",
        tokens=(
            token("word", lower="according accordingly"),
            token("preposition", "after word", lower="with of from at the a my his their this", tag="IN DT PRP$"),
        ),
        mark="word",
        suggest=instead("according to"),
        bad=("According with the report, sales fell.", "According the teacher, it is easy."),
        good=("According to the report, sales fell.", "He dressed accordingly, with a tie."),
    ),
    Rule(
        id="DESPITE_OF",
        message="write 'despite' or 'in spite of'",
        tokens=(token("despite", lower="despite"), token("of", "after despite", lower="of")),
        mark="despite of",
        suggest=instead("despite", "in spite of"),
        bad=("Despite of the rain we went out.", "He won despite of his age."),
        good=("Despite the rain we went out.", "In spite of his age he won."),
    ),
    Rule(
        id="GOOD_IN",
        message="for what someone can do, write '{word} at'",
        tokens=(
            token("word", lower="good bad better best"),
            token("in", "after word", lower="in"),
            token(
                "subject",
                "after in",
                lower="math maths mathematics english french spanish "
                "chemistry physics biology history sports football tennis cooking dancing "
                "singing drawing swimming languages speaking writing reading",
            ),
            token("be", "soon before word", lemma="be"),
        ),
        mark="word in",
        suggest=instead("{word} at"),
        bad=("She is good in mathematics.", "He was very bad in sports."),
        good=("She is good at mathematics.", "They had a good time in English class."),
    ),
    Rule(
        id="BY_REASONS",
        message="write 'for {what} {reasons}'",
        tokens=(
            token("reasons", lower="reason reasons"),
            token(
                "what",
                "before reasons",
                lower="this these that those following many several two three some various other different",
            ),
            token("by", "soon before what", lower="by"),
        ),
        unless=(token("cause", "before by", tag="VBN VBD"),),
        test=lambda s, b: b["what"] - b["by"] <= 2,
        mark="by",
        suggest=instead("for"),
        bad=("By this reason, I stayed at home.", "I do not agree by the following reasons."),
        good=("For this reason, I stayed at home.", "He did it by reason of his age."),
    ),
    *objects.RULES,
    *idioms.RULES,
)
