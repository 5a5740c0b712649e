"""Fixed phrases with a wrong small word, as a table: in the other side, as result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from naturalness.models.checkers.rules.pattern import Binding, CodeRule, Found, Sentence

AFTER = ". , ! ? ; : ) and but or because when with for who which i we he she they it to by from if that so as in at on"
END = frozenset(AFTER.split())
"""What may follow a phrase that is complete."""


def ends(sentence: Sentence, bound: Binding) -> bool:
    """Whether a phrase ends behind the last of its words."""
    return ended(sentence, max(bound.values()) + 1)


def ended(sentence: Sentence, after: int) -> bool:
    """Whether a phrase that reaches up to a token is complete there."""
    return after >= sentence.end or sentence.view.lower[after] in END


def _phrases(text: str) -> Mapping[str, list[tuple[list[str], str, str]]]:
    """Lines ``wrong = right`` by their first word; behind the last word a comma, ``$`` (the phrase
    ends there) or nothing."""
    table: dict[str, list[tuple[list[str], str, str]]] = {}
    for line in text.strip().split("\n"):
        wrong, _, right = line.strip().partition(" = ")
        words = wrong.split()
        mark = words.pop() if words[-1] in ",$" else ""
        table.setdefault(words[0], []).append((words, mark, right))
    return table


PHRASES = _phrases("""
    in the conclusion , = in conclusion
    as conclusion , = in conclusion
    for an example , = for example
    for examples , = for example
    as example , = for example
    in other word $ = in other words
    in the other words $ = in other words
    in another words $ = in other words
    with other words , = in other words
    by other words $ = in other words
    in nowadays = nowadays
    at nowadays = nowadays
    in the nowadays = nowadays
    now a days = nowadays
    for first time $ = for the first time
    at first time $ = for the first time
    in the first time $ = at first
    in first place , = in the first place
    at first place , = in the first place
    in the other side , = on the other hand
    in other side , = on the other hand
    on other side , = on the other hand
    from other side , = on the other hand
    in one side , = on the one hand
    in the one side , = on the one hand
    in other hand = on the other hand
    on other hand = on the other hand
    in another hand , = on the other hand
    on another hand , = on the other hand
    by other hand = on the other hand
    on the others hand = on the other hand
    last but not the least = last but not least
    first of the all = first of all
    at first of all = first of all
    in the fact , = in fact
    by the contrast , = by contrast
    in the contrast , = in contrast
    in the contrary $ = on the contrary
    in contrary $ = on the contrary
    at the contrary $ = on the contrary
    by the contrary $ = on the contrary
    on contrary $ = on the contrary
    all of sudden = all of a sudden
    as matter of fact = as a matter of fact
    as result of = as a result of
    as result , = as a result
    as consequence $ = as a consequence
    in addition of = in addition to
    in the addition , = in addition
    by mean of = by means of
    by the mean of = by means of
    the most of people = most people
    thanks god = thank God
    each every = each and every
    in long term $ = in the long term
    in short term $ = in the short term
    in long run $ = in the long run
    since long time = for a long time
    since a long time = for a long time
    from long time $ = for a long time
    for long time $ = for a long time
    the same like = the same as
    in internet $ = on the internet
    on internet $ = on the internet
    in tv $ = on TV
    in weekends $ = at weekends
    in weekend $ = at the weekend
    in the weekend $ = at the weekend
    in the weekends $ = at weekends
    with the age of = at the age of
    at lest $ = at least
    as for as = as far as
    off course , = of course
    in spite the = in spite of the
    in spite this = in spite of this
    in the same time $ = at the same time
    despite the fact of = despite
    due the = due to the
    more over , = moreover
    how ever , = however
    there fore , = therefore
""")


def _fixed(sentence: Sentence) -> Iterator[Found]:
    """Phrases of the table."""
    lower = sentence.view.lower
    for i in range(sentence.start, sentence.end):
        for words, mark, right in PHRASES.get(lower[i], ()):
            after = i + len(words)
            if lower[i:after] == words and after <= sentence.end and _closed(sentence, after, mark):
                written = " ".join(sentence.view.texts[i:after])
                shown = right[:1].upper() + right[1:] if written[:1].isupper() else right
                yield Found(i, after, f"'{written}' should be '{shown}'", (shown,))
                break


def _closed(sentence: Sentence, after: int, mark: str) -> bool:
    if mark == ",":
        return after < sentence.end and sentence.view.lower[after] == ","
    return not mark or ended(sentence, after)


RULES: tuple[CodeRule, ...] = (
    CodeRule(
        id="FIXED_PHRASE",
        find=_fixed,
        bad=(
            "In the other side, it is cheap.",
            "Now a days people walk less.",
            "As result, prices rose.",
            "I have not seen him since a long time.",
            "We met for first time in May.",
            "In the contrary, it was late.",
        ),
        good=(
            "On the other side, it is cheap.",
            "As a result, prices rose.",
            "For first time buyers it is hard.",
            "In contrast, it was late.",
            "They went instead to the sea.",
        ),
    ),
)
