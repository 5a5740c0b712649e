"""Candidate edits: each kind on a sentence made for it, without changing content words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from naturalness.explaining.candidates import MAX_WORDS, candidates
from naturalness.explaining.forms import other_forms
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.explaining.small_words import SMALL
from naturalness.features.rules import rule_checker
from naturalness.models.marks import marks
from naturalness.text.matches import Match, checked
from naturalness.text.parsing import parse
from naturalness.text.view import is_word


def candidates_of(text: str, matches: Sequence[Match] | None = None) -> tuple[Text, list[Candidate]]:
    """Return a text's Doc and its candidates, found by our rules unless matches are given."""
    docs = parse([text])
    if matches is None:
        matches = checked(rule_checker(), docs)[0].matches
    original = Text(docs[0])
    return original, candidates(original, marks(docs)[0], matches)


def texts_of(text: str, kind: str) -> set[str]:
    """Return the texts that candidates of a kind make."""
    original, some = candidates_of(text, None if kind == "checker" else [])
    return {original.rewrite(one).text for one in some if one.kind == kind}


HAND = {
    ("She waited of at the door.", "drop"): "She waited at the door.",
    ("They have have a small garden.", "drop"): "They have a small garden.",
    ("I think it is it is a good idea.", "drop"): "I think it is a good idea.",
    ("We listened the radio.", "insert"): "We listened to the radio.",
    ("Old man sleeps in the barn.", "insert"): "The old man sleeps in the barn.",
    ("This is the tool that we were looking.", "insert"): "This is the tool that we were looking for.",
    ("He carry a lamp.", "inflect"): "He carries a lamp.",
    ("She has wear a hat all day.", "inflect"): "She has worn a hat all day.",
    ("Three lamp stood there.", "inflect"): "Three lamps stood there.",
    ("They has a boat.", "replace"): "They have a boat.",
    ("She looked in him.", "replace"): "She looked at him.",
    ("Give the letter to she.", "replace"): "Give the letter to her.",
    ("It are late.", "replace"): "It's late.",
    ("That are all.", "replace"): "That's all.",
    ("I read “Waiting for an Rain”.", "replace"): "I read “Waiting for the Rain”.",
    ("She sang “He Love Me”.", "inflect"): "She sang “He Loves Me”.",
    ("He saw a owl.", "checker"): "He saw an owl.",
    ("We recieved your letter.", "checker"): "We received your letter.",
    ("They the sold boat.", "move"): "They sold the boat.",
    ("Yesterday late came the train in.", "move"): "Yesterday the late came train in.",
    ("The was late train.", "move"): "The late train was.",
}


@pytest.mark.parametrize(("text", "kind"), HAND)
def test_each_kind(text: str, kind: str) -> None:
    """The expected text is among the candidates."""
    assert HAND[text, kind] in texts_of(text, kind)


def test_nobody_takes_the_place_of_someone_else() -> None:
    """A subject or object of another person would change the meaning; its other case does not."""
    texts = texts_of("She have told I that we was late.", "replace")
    assert {"She has told I that we was late.", "She have told me that we was late."} <= texts
    assert all(text.startswith(("She ", "Her ", "Hers ", "Herself ")) for text in texts)
    assert not any(" told you " in text or "that they was" in text for text in texts)


def test_words_move_by_four_places_and_pass_no_mark() -> None:
    """A word moves at most four places, and not across a comma or a part of a contraction."""
    texts = texts_of("One two three four five six, seven don't eight.", "move")
    assert "Two three four five one six, seven don't eight." in texts
    assert "Two three four five six one, seven don't eight." not in texts
    assert not any(text.endswith("eight seven don't.") or "seven, six" in text for text in texts)


def test_content_is_left_out_only_where_it_is_doubted() -> None:
    """Content words and negations stay unless they are doubled or the detector doubts them."""
    assert texts_of("The tired doctor did not sleep.", "drop") <= {
        "Tired doctor did not sleep.",
        "The tired doctor not sleep.",
    }
    assert "The doctor slept." in texts_of("The doctor doctor slept.", "drop")
    assert "He did not sleep." in texts_of("He did not not sleep.", "drop")
    assert "He did sleep here." not in texts_of("He did sleep not here.", "drop")


def test_parts_of_contractions_and_compounds_stay() -> None:
    """They are neither dropped, moved nor inflected."""
    text = "I can't see a well-known face."
    for kind in ("drop", "move", "inflect"):
        assert all("can't" in variant.lower() and "well-known" in variant for variant in texts_of(text, kind))


def test_suggestions_stand_for_whole_tokens() -> None:
    """Other suggestions are skipped; an empty one drops the word; an unchanged text is no candidate."""

    def match(start: int, end: int, *suggestions: str) -> Match:
        return Match(start, end, "MADE_UP", "family", "", suggestions)

    text = "The  grey cat slept."
    matches = [match(5, 9, "gray", "grey"), match(6, 9, "ray"), match(10, 13, ""), match(0, 9, "A")]
    original, some = candidates_of(text, matches)
    suggested = {original.rewrite(one).text for one in some if one.kind == "checker"}
    assert suggested == {"The  gray cat slept.", "The  grey slept.", "A cat slept."}


@pytest.mark.parametrize("text", ["", " ", "...", "😀"])
def test_texts_without_words_have_none(text: str) -> None:
    """A text without words has no candidates."""
    assert candidates_of(text)[1] == []


def test_one_word_stays() -> None:
    """The only word of a text is never dropped."""
    original, some = candidates_of("The")
    assert some and all(original.rewrite(one).text.strip() for one in some)


def test_candidates_differ() -> None:
    """No two candidates make the same text."""
    for text in ("The the cat sat there there.", "A old owl is is here"):
        original, some = candidates_of(text)
        keys = [(one.start, one.end, one.words) for one in some]
        assert len(keys) == len(set(keys))
        assert text not in {original.rewrite(one).text for one in some}


def test_long_texts_are_changed_near_what_is_suspicious() -> None:
    """Only suspicious places are changed, so that the number of candidates is bounded."""
    fine = "The children were playing in the garden behind the old house. "
    text = fine * 6 + "He have a dog dog. " + fine * 6
    assert len(text.split()) > MAX_WORDS
    original, some = candidates_of(text)
    results = {original.rewrite(one).text for one in some}
    assert text.replace("dog dog", "dog") in results
    assert text.replace("He have", "He has") in results
    assert len(some) < 6000
    _, more = candidates_of(text + fine * 20)
    assert len(more) < 6000


VOCABULARY = (
    "the a of to in is are was it he they and that have not river garden teachers walked sleeping "
    "owl quickly old Paris , . don't it's"
)
WORDS = st.sampled_from(VOCABULARY.split())


@settings(deadline=None, max_examples=25)
@given(words=st.lists(WORDS, min_size=1, max_size=12))
def test_no_word_of_content_is_invented(words: list[str]) -> None:
    """A new word is a function word, a part of a contraction, or another form of a word."""
    text = " ".join(words)
    original, some = candidates_of(text, [])
    seen = original.seen
    for one in some:
        there = set(seen.lower[one.start : one.end]) | {"'s", "'m", "'re"}
        forms = {
            form for i in range(one.start, one.end) for form in other_forms(seen.lower[i], seen.lemmas[i], verb=True)
        }
        new = {word.lower() for word in one.words if is_word(word)}
        assert new <= there | forms | SMALL, (text, one)
        result = original.rewrite(one)
        assert result.text == text[: result.start] + result.after + text[result.end :]
        assert text[result.start : result.end] == result.before
        assert "  " not in result.text and result.text == result.text.strip()
