"""Clauses and constructions of sentences of our own, each with what it must and must not be."""

from __future__ import annotations

import pytest

from naturalness.reports.raters.constructions import KINDS, WRITING, kinds_of, writing_of
from naturalness.text.parsing import parse
from naturalness.text.view import view

EXAMPLES = {
    "main clauses only": ("The baker opened her shop at six.", "She left because it rained."),
    "subordinate clause": ("She left because it rained.", "The baker opened her shop at six."),
    "relative clause": ("The man who sold us the boat has moved away.", "The man sold us a boat."),
    "adverbial clause": ("She left because it rained.", "We know that she left."),
    "complement clause": ("We know that she left early.", "She left early."),
    "question": ("Did you find the keys?", "I found the keys."),
    "command": ("Close the door quietly.", "She closed the door quietly."),
    "passive": ("The bridge was built by two brothers.", "Two brothers built the bridge."),
    "coordinated clauses": ("She wrote a letter and he posted it.", "She wrote a letter."),
    "fragment or title": ("A long walk along the river.", "We walked along the river."),
    "insert or parenthesis": ("He will, of course, come back.", "He will come back, I hope."),
    "“there is”": ("There are two chairs in the kitchen.", "Two chairs are over there."),
    "negation": ("They did not answer.", "They answered."),
    "quotation": ("She said “good morning” to us.", "She said good morning to us."),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_kinds(name: str) -> None:
    """The first sentence is of this kind, the second is not."""
    docs = parse(list(EXAMPLES[name]))
    found = [{kind for _, kind in kinds_of(view(doc))} for doc in docs]
    assert name in found[0]
    assert name not in found[1]


def test_every_kind_has_an_example() -> None:
    """A new kind needs a row above."""
    assert set(EXAMPLES) == {name for own in KINDS.values() for name in own}


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("We bought apples, pears, and plums.", False),
        ("My uncle (a retired sailor) cooks well.", True),
        ("My uncle, a retired sailor, cooks well.", True),
        ("The train – as always – was late.", True),
        ("The History of the Small Wooden Boat", False),
    ],
)
def test_inserts(text: str, is_one: bool) -> None:
    """A list is none."""
    found = kinds_of(view(parse([text])[0]))
    assert (("construction", "insert or parenthesis") in found) == is_one


def test_titles_and_several_sentences() -> None:
    """A capitalised line without a full stop is a title; two sentences say so."""
    docs = parse(["The History of the Small Wooden Boat", "It rained. We stayed at home."])
    assert ("construction", "fragment or title") in kinds_of(view(docs[0]))
    assert ("construction", "several sentences") in kinds_of(view(docs[1]))


def test_writing() -> None:
    """How a text is typed is read off the text itself."""
    assert writing_of("there is no hotel , sorry .") == {
        ("writing", "no capital letter"),
        ("writing", "spaces before punctuation"),
    }
    assert writing_of("We don’t know") == {("writing", "contractions"), ("writing", "no punctuation at the end")}
    assert writing_of("Fine.") == set()
    assert writing_of("1 2 .") == {("writing", "spaces before punctuation")}
    assert len(WRITING) == 4
