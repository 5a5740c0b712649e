"""Every rule finds its bad examples, and nothing in good ones."""

from __future__ import annotations

import string
from difflib import SequenceMatcher
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.english.rules import FAMILIES
from naturalness.english.rules.checker import RuleChecker
from naturalness.english.rules.pattern import Rule
from naturalness.english.rules.reading import rules
from naturalness.features import resolve
from naturalness.features.requirements import versions_of
from naturalness.text.matches import Match, Matches, MatchFinder
from naturalness.text.parsing import parse

RULES = {rule.id: (family, rule) for family, in_family in rules().items() for rule in in_family}
EXAMPLES = list(dict.fromkeys(text for _, rule in RULES.values() for text in (*rule.bad, *rule.good)))
# Words of the rules, so that random texts meet them.
USED = """
    he they I dogs people who the a this many one of is are was have has do n't not can will to go goes went going want
    depend because although but so , . ? " more better much there in very able London student money 3 -
"""
WORDS = USED.split()


@lru_cache(maxsize=1)
def shipped() -> RuleChecker:
    """Return a checker that is made once; hypothesis does not support function-scoped fixtures."""
    return RuleChecker()


@pytest.fixture(scope="module")
def checker() -> RuleChecker:
    """Return a checker with all rules."""
    return shipped()


@pytest.fixture(scope="module")
def example_matches(checker: RuleChecker) -> dict[str, tuple[Match, ...]]:
    """Return the matches in each example."""
    checks = checker.check(parse(EXAMPLES))
    return {text: one.matches for text, one in zip(EXAMPLES, checks, strict=True)}


def test_ids_are_unique() -> None:
    """No two rules share an id; ids are written in capitals."""
    assert rules().keys() == FAMILIES.keys()
    assert len(RULES) == sum(map(len, rules().values()))
    assert set("".join(RULES)) <= {*string.ascii_uppercase, *string.digits, "_"}


@pytest.mark.parametrize("family, rule", RULES.values(), ids=list(RULES))
def test_a_rule_finds_its_bad_examples_and_no_good_one(
    family: str, rule: Rule, example_matches: dict[str, tuple[Match, ...]]
) -> None:
    """Each bad example triggers its rule; no good example triggers any."""
    assert len(rule.bad) >= 2
    assert len(rule.good) >= 2
    assert rule.finds.endswith(".")
    assert rule.version >= 1
    assert SequenceMatcher(None, rule.bad[0], rule.good[0]).ratio() > 0.6  # shown as before and after
    for text in rule.bad:
        assert (family, rule.id) in {(m.category, m.rule) for m in example_matches[text]}, text
    for text in rule.good:
        assert example_matches[text] == (), text


def test_matches_can_be_shown(example_matches: dict[str, tuple[Match, ...]]) -> None:
    """A match lies in its text, has a complete message, and suggests another text."""
    for text, matches in example_matches.items():
        assert list(matches) == sorted(matches)
        for match in matches:
            assert 0 <= match.start < match.end <= len(text)
            assert text[match.start : match.end].strip() == text[match.start : match.end]
            assert match.message
            assert not set("{}") & set(match.message)
            assert "''" not in match.message
            assert text[match.start : match.end] not in match.suggestions, text


def test_the_first_suggestion_silences_the_rule(
    checker: RuleChecker, example_matches: dict[str, tuple[Match, ...]]
) -> None:
    """Applying the first suggestion removes the match."""
    repairs = [
        (match, text[: match.start] + match.suggestions[0] + text[match.end :])
        for text, matches in example_matches.items()
        for match in matches
        if match.suggestions
    ]
    docs = parse([" ".join(repaired.split()) for _, repaired in repairs])
    for (match, repaired), checks in zip(repairs, checker.check(docs), strict=True):
        again = {(one.rule, one.start) for one in checks.matches}
        assert (match.rule, match.start) not in again, repaired


@pytest.mark.parametrize(
    ("text", "expected"), [("I is happy today.", "am"), ("The company lost it's way last year.", "its")]
)
def test_only_the_right_word_is_suggested(checker: RuleChecker, text: str, expected: str) -> None:
    """*I* takes *am*, and no other rule takes *it's* for a verb where the possessive is meant."""
    (found,) = checker.check(parse([text]))
    assert [match.suggestions for match in found.matches] == [(expected,)]


def test_it_is_a_checker(checker: RuleChecker) -> None:
    """The rule checker satisfies the contract of all checkers."""
    assert isinstance(checker, MatchFinder)
    assert checker.signature.startswith("rules:")
    assert RuleChecker().signature == checker.signature


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(
        st.one_of(st.text(max_size=40), st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)), max_size=3
    )
)
def test_matches_do_not_depend_on_the_batch(texts: list[str]) -> None:
    """Any text has the same matches alone and in a batch, within its bounds."""
    checker = shipped()
    docs = parse(texts)
    together = checker.check(docs)
    assert [checker.check([doc])[0] for doc in docs] == together
    for text, checks in zip(texts, together, strict=True):
        assert all(0 <= m.start < m.end <= len(text) for m in checks.matches)


def test_offsets_refer_to_the_text_as_typed(checker: RuleChecker) -> None:
    """A match's offsets refer to the text as typed, including its spaces."""
    text = "Well  ,  she   do n't  know ."
    (checks,) = checker.check(parse([text]))
    assert checks == Matches(
        (Match(15, 17, "HE_GO", "agreement", "after 'she' the verb ends in -s: 'does'", ("does",)),)
    )
    assert text[15:17] == "do"


def test_a_model_records_the_rules_that_it_reads() -> None:
    """A model records the versions of the rules that its columns read; a column over all matches needs all rules."""
    assert [name for name in versions_of(resolve(["rules__articles_share"])) if "rules" in name] == ["rules:articles"]
    assert {f"rules:{family}" for family in rules()} <= versions_of(resolve(["rules__n_matches"])).keys()
    assert versions_of(resolve(["rules"]))["rules:repeated_words"] == "WORD_TWICE 4, PHRASE_TWICE 1"
    assert not [name for name in versions_of(resolve(["surface"])) if "rules" in name]
