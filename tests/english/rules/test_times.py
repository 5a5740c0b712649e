"""Times in the past, and the tense that they require."""

from __future__ import annotations

import pytest

from naturalness.english.rules.checker import RuleChecker
from naturalness.english.rules.pattern import RuleSentence
from naturalness.english.rules.times import past_of
from naturalness.text.parsing import parse
from naturalness.text.view import view
from tests.support.lines import rows


def sentence_of(text: str) -> RuleSentence:
    """Return the first sentence of a text."""
    tokens = view(parse([text])[0])
    return RuleSentence(tokens, *tokens.sentences[0])


TIMES = """
We met yesterday. | yesterday
We met yesterday morning. | yesterday morning
They left a few days ago. | a few days ago
Last night it rained. | Last night
In 1990 we moved. | In 1990
It is warmer than last night. |
Yesterday's paper is here, and her last summer is over. |
He has been ill since last week. |
They will meet in 2090. |
"""


@pytest.mark.parametrize(("text", "times"), rows(TIMES))
def test_times_of_the_past(text: str, times: str) -> None:
    """A time in the past is found unless it is part of a comparison, a duration or a noun phrase."""
    sentence = sentence_of(text)
    assert ", ".join(" ".join(sentence.view.texts[first:after]) for first, after in sentence.past_times) == times


VERBS = """
He go to the school yesterday and she is happy. | go | True
He go to the school yesterday and she is happy. | is | False
Yesterday, the weather is bad. | is | True
The film that I saw yesterday is good. | is | False
He says that they left yesterday. | says | False
"""


@pytest.mark.parametrize(("text", "verb", "past"), rows(VERBS))
def test_a_time_decides_in_its_own_clause(text: str, verb: str, past: str) -> None:
    """A time does not apply beyond another verb, a comma or a conjunction."""
    sentence = sentence_of(text)
    assert str(sentence.is_past(sentence.view.lower.index(verb))) == past


def test_past_forms() -> None:
    """The past forms of *be* agree with its present forms."""
    for row in ("be VBP were", "be VBZ was", "go VBZ went", "want VBP wanted", "cut VBZ cut"):
        lemma, tag, form = row.split()
        assert past_of(lemma, tag) == form


def test_the_message_names_the_time_that_decides() -> None:
    """The message of a rule that suggests a past form names the time."""
    checked = RuleChecker().check(parse(["He go to school yesterday.", "He go to school."]))
    (past,), (present,) = (result.matches for result in checked)
    assert past.message == "the time is in the past: 'went'"
    assert present.message == "after 'He' the verb ends in -s: 'goes'"


@pytest.mark.parametrize(
    "text",
    [
        "We use ncurses to draw the screen.",
        "The pevent argument is a pointer.",
        "Set i = 10 before the loop.",
        "The *args* is a tuple of values.",
        "The list `items` have no end.",
        "Call foo_bar, which return two values.",
    ],
)
def test_names_and_code_are_left_alone(text: str) -> None:
    """No rule fires at words that look like code or adjoin its signs."""
    assert RuleChecker().check(parse([text]))[0].matches == ()
