"""Files judged sentence by sentence."""

from __future__ import annotations

from dataclasses import replace

from naturalness.checking.check import check, summary
from naturalness.checking.flaws import reasons
from naturalness.checking.formats import as_object
from naturalness.checking.sources import make_source
from naturalness.checking.words import STAND_INS
from naturalness.models.foreign import NOT_ENGLISH
from tests.support.checks import checked
from tests.support.explained import BAD, FINE, TEXT, HandMade, without


def test_only_what_falls_below_is_explained() -> None:
    """Once for equal sentences; what has no score is no flaw, but counted."""
    model = HandMade([BAD])
    found = checked(model=model)
    assert model.explained == [TEXT]
    assert [flaw.explained.text for flaw in found.flaws] == [TEXT, TEXT]
    assert [one.sentence.text for one in found.unscored] == ["😀", "1 2 3."]
    assert summary(found).startswith("1 file, ")
    assert summary(found).endswith(" sentences: 2 below 0.5; 2 without a score (no words)")
    assert not checked(f"{FINE}\n").flaws
    assert summary(checked(f"{FINE}\n")) == "1 file, 1 sentence: 0 below 0.5"
    assert summary(checked("")) == "1 file, 0 sentences: 0 below 0.5"


def test_sentences_that_are_not_english_are_counted() -> None:
    """Whatever their score; one below the score that was asked for says it, too."""
    french, german = "La petite fille lit un livre.", "Das Kind liest ein Buch."
    odd = replace(BAD, text=german, reason=NOT_ENGLISH, unlike=(NOT_ENGLISH,), findings=())
    fine = replace(odd, text=french, naturalness=0.7)
    found = checked(f"{FINE}\n\n{french}\n\n{german}\n", model=HandMade([odd, fine]))
    assert summary(found).endswith(": 1 below 0.5; 2 scored with a reservation (not English)")
    assert as_object(found)["with_reservation"] == 2
    assert NOT_ENGLISH in " ".join(reasons(found.flaws[0]))


def test_a_paragraph_that_cannot_be_read_has_no_score() -> None:
    """It stays whole and breaks nothing."""
    text = "!" * 600
    found = checked(f"{text}\n\n{FINE}\n", model=HandMade([without(text, "a run of 500 symbols")]))
    assert [one.sentence.text for one in found.unscored] == [text]


def test_words_that_nobody_need_know() -> None:
    """Code and accepted words are read as familiar ones; what then reaches the minimum is fine."""
    low = replace(BAD, text="The benepar is slow.", naturalness=0.2, findings=())
    still = replace(low, text="The benepar go.")
    variants = [replace(low, text=f"The {word} go.", naturalness=0.3) for word in STAND_INS]
    model = HandMade([low, still, *variants])

    def counts(text: str, *words: str) -> tuple[int, int]:
        found = check(model, [make_source("a.md", text)], words=words)  # type: ignore[arg-type]
        return len(found.flaws), found.n_accepted

    assert counts("The benepar is slow.\n") == (1, 0)
    assert counts("The benepar is slow.\n", "benepar") == (0, 1)
    assert counts("The `benepar` is slow.\n\nThe benepar is slow.\n") == (1, 1)
    assert counts("The benepar go.\n", "benepar") == (1, 0)


def test_what_is_switched_off_or_ignored() -> None:
    """Fails no more, and is counted; a comment counts for its line alone."""
    text = f"{TEXT} <!-- naturalness: ignore he-go -->\n\n{TEXT}\n"
    found = checked(text)
    assert ([flaw.sentence.region().line for flaw in found.flaws], found.n_ignored) == ([3], 1)
    assert summary(found) == "1 file, 2 sentences: 1 below 0.5; 1 ignored"
    model = HandMade([BAD])
    found = check(model, [make_source("a.md", text)], off=["verbs"])  # type: ignore[arg-type]
    assert (len(found.flaws), found.n_ignored) == (0, 2)
