"""The rule engine: relations, conditions, bindings, messages and merging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from spacy.tokens import Doc

from naturalness.english.rules.checker import Matcher, RuleChecker
from naturalness.english.rules.pattern import RELATIONS, Replacement, Rule, RuleFinding, RuleSentence
from naturalness.english.rules.reading import rule_of
from naturalness.text.view import view

Build = Callable[[str], Doc]
DOGS = """
The the DET DT 1 det
dogs dog NOUN NNS 3 nsubj
often often ADV RB 3 advmod
barks bark VERB VBZ 3 root
at at ADP IN 5 case
night night NOUN NN 3 obl
. . PUNCT . 3 punct

It it PRON PRP 8 nsubj
barks bark VERB VBZ 8 root
"""


def token(name: str, where: str = "", **conditions: str) -> dict[str, Any]:
    """Return a token as it is written in a family's file."""
    return {name: {"where": where, **conditions}}


def group(tokens: dict[str, Any] | tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Return tokens as one table."""
    parts = (tokens,) if isinstance(tokens, dict) else tokens
    return {name: entry for part in parts for name, entry in part.items()}


def rule(name: str = "TEST", **changes: Any) -> Rule:
    """Return a rule read as from a file, with defaults."""
    tokens = group(changes.pop("tokens", token("verb", tag="VBZ")))
    unless = [group(part) for part in changes.pop("unless", ())]
    entry = {"message": "'{verb}' is wrong", "bad": [], "good": [], "tokens": tokens, "unless": unless, **changes}
    return rule_of("agreement", name, entry)


def spans(tested_rule: Rule, doc: Doc) -> list[tuple[int, int]]:
    """Return the spans at which a rule fires."""
    return [(f.start, f.end) for _, f in Matcher([tested_rule]).find(view(doc))]


PLACES = """
child of | 3 | 1 2 5 6
left child of | 3 | 1 2
child of | 0 |
head of | 0 | 1
head of | 3 |
before | 3 | 2
before | 0 |
2 before | 3 | 1
3 before | 3 | 0
after | 3 | 4
after | 6 |
2 after | 3 | 5
after, past adverbs, | 1 | 3
after, past adverbs, | 6 |
before, past adverbs, | 3 | 1
before, past adverbs, | 0 |
soon before | 3 | 2 1 0
soon after | 3 | 4 5 6
soon after | 5 | 6
anywhere before | 3 | 2 1 0
anywhere after | 4 | 5 6
anywhere beside | 4 | 0 1 2 3 4 5 6
same as | 3 | 3
end of | 1 | 6
before | 7 |
child of | 8 | 7
anywhere before | 8 | 7
"""
"""A relation, the index of a token of `DOGS`, and the indices that the relation leads to."""


def test_relations(build: Build) -> None:
    """Each relation gives the tokens found by hand and never leaves the sentence."""
    tokens = view(build(DOGS))
    rows = [[cell.strip() for cell in line.split("|")] for line in PLACES.strip().splitlines()]
    assert {relation for relation, *_ in rows} == set(RELATIONS)
    for relation, start, expected in rows:
        bounds = next(bounds for bounds in tokens.sentences if bounds[0] <= int(start) < bounds[1])
        found = RELATIONS[relation](RuleSentence(tokens, *bounds), int(start))
        assert [*found] == [*map(int, expected.split())], (relation, start)


VERB, ADVERB = token("verb", tag="VBZ"), token("adverb", "child of verb", tag="RB")


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({}, [(3, 4), (8, 9)]),
        ({"tokens": (token("verb", lemma="bark", tag_not="VBD"),)}, [(3, 4), (8, 9)]),
        ({"tokens": (token("verb", tag="VBZ", lower_not="barks"),)}, []),
        ({"tokens": (token("verb", tag="VBZ", like="is_gerund"),)}, []),
        ({"tokens": (token("verb", dep="root"), token("s", "left child of verb", tag="NNS"))}, [(3, 4)]),
        ({"tokens": (VERB, token("s", "child of verb", dep="nsubj")), "mark": "s verb"}, [(1, 4), (7, 9)]),
        ({"unless": (ADVERB,)}, [(8, 9)]),
        ({"unless": ((ADVERB, token("noun", "after adverb", tag="NN")),)}, [(3, 4), (8, 9)]),
        ({"unless": ((ADVERB, token("noun", "before adverb", tag="NNS")),)}, [(8, 9)]),
        ({"tokens": (VERB, token("subject", "before verb")), "test": "pronoun_subject"}, [(8, 9)]),
    ],
)
def test_patterns(build: Build, changes: dict[str, Any], expected: list[tuple[int, int]]) -> None:
    """Each part of a rule affects where it fires and what it marks."""
    assert spans(rule(**changes), build(DOGS)) == expected


def test_a_failed_binding_tries_the_next_candidate(build: Build) -> None:
    """If the nearest candidate fails, the next candidates are tried."""
    tested_rule = rule(
        tokens=(token("verb", lower="barks"), token("word", "anywhere before verb", tag="RB DT")),
        unless=(token("noun", "before word", pos="NOUN"),),
        mark="word",
    )
    assert spans(tested_rule, build(DOGS)) == [(0, 1)]


def test_messages_and_suggestions(build: Build) -> None:
    """Tokens are shown as written; suggestions take the capitals of what they replace."""
    tested_rule = rule(
        tokens=(VERB, token("s", "child of verb", dep="nsubj")),
        message="'{s}' needs '{suggestion}', not '{verb}'",
        mark="s verb",
        suggest=["{s} {verb:VBP}", "the {verb:VBD}", ""],
    )
    findings = [f for _, f in Matcher([tested_rule]).find(view(build(DOGS)))]
    assert [(f.start, f.end, tested_rule.message.format_map(f.words), f.suggestions) for f in findings] == [
        (1, 4, "'dogs' needs 'dogs bark', not 'barks'", ("dogs bark", "the barked", "")),
        (7, 9, "'It' needs 'It bark', not 'barks'", ("It bark", "The barked", "")),
    ]
    table = replace(rule(), suggest=Replacement("verb", {"barks": "bark"}))
    assert [f.suggestions for _, f in Matcher([table]).find(view(build(DOGS)))] == [("bark",)] * 2
    loud = rule(suggest=["{verb:VBP}"])
    doc = build("BARKS bark VERB VBZ 0 root")
    assert [f.suggestions for _, f in Matcher([loud]).find(view(doc))] == [("BARK",)]


def test_clitics_are_replaced_with_their_word(build: Build) -> None:
    """A match that begins with a clitic is extended to the word before it, unless all suggestions keep it."""
    doc = build("I I PRON PRP 1 nsubj\n'm be VERB VBZ 1 root\nagree agree VERB VB 1 xcomp")
    both = (token("be", tag="VBZ"), token("verb", "after be", tag="VB"))

    def findings(*patterns: str) -> list[tuple[int, int, tuple[str, ...]]]:
        tested_rule = rule(tokens=both, message="!", mark="be verb", suggest=[*patterns])
        return [(f.start, f.end, f.suggestions) for _, f in Matcher([tested_rule]).find(view(doc))]

    assert findings("{verb}", "{be} {verb:VBG}") == [(0, 3, ("I agree", "I'm agreeing"))]
    assert findings("{be} {verb:VBG}") == [(1, 3, ("'m agreeing",))]
    assert findings("") == [(0, 3, ("I",))]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"test": "unheard_of"}, "a function 'unheard_of'"),
        ({"tokens": token("verb", tag="@unheard_of")}, "no word list or table is called 'unheard_of'"),
    ],
)
def test_rules_with_unknown_names_are_refused(entry: dict[str, Any], reason: str) -> None:
    """An unknown function or word list raises an error that names it."""
    with pytest.raises(ValueError, match=reason):
        rule(**entry)


def test_the_most_severe_of_overlapping_matches_is_kept(build: Build) -> None:
    """The most severe of overlapping matches in a family is kept, independent of other families."""

    def code(sentence: RuleSentence) -> Iterator[RuleFinding]:
        yield RuleFinding(sentence.start, sentence.start + 1)

    both = (VERB, token("s", "child of verb", dep="nsubj"))
    families = {
        "one": (
            rule("HINT", severity="hint", tokens=both, mark="s verb"),
            rule("ERROR"),
            rule("LATER"),
            Rule(id="CODE", message="first word", find=code, severity="hint", bad=(), good=()),
        ),
        "two": (rule("OTHER", severity="warning"),),
    }
    (checks,) = RuleChecker(families).check([build(DOGS)])
    assert [(m.start, m.end, m.rule, m.category) for m in checks.matches] == [
        (0, 3, "CODE", "one"),
        (15, 20, "ERROR", "one"),
        (15, 20, "OTHER", "two"),
        (32, 34, "CODE", "one"),
        (35, 40, "ERROR", "one"),
        (35, 40, "OTHER", "two"),
    ]
