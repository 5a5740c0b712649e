"""What a verb form may be, judged by the word alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from naturalness.english.rules import verbs


@pytest.mark.parametrize(
    "question, yes, no",
    [
        (verbs.is_past, "went made wanted gone disagreed guaranteed tried seen", "need hundred embed feed put go"),
        (verbs.is_third_person, "goes has makes tries is", "discuss this focus lens his as yes"),
        (verbs.is_present_base, "go want agree", "put went set wanted going n't analysis"),
        (verbs.is_verb, "go think book agre", "belief hotel library"),
        (verbs.is_verb_form, "triggers works went", "students libraries"),
        (verbs.is_gerund, "watching selling", "king thing during ring something"),
    ],
)
def test_questions(question: Callable[[str], bool], yes: str, no: str) -> None:
    """Each question has the answers that a reader would give."""
    assert [word for word in yes.split() if not question(word)] == []
    assert [word for word in no.split() if question(word)] == []


@pytest.mark.parametrize(
    "form, base",
    [
        ("went", "go"),
        ("goes", "go"),
        ("has", "have"),
        ("does", "do"),
        ("tries", "try"),
        ("makes", "make"),
        ("watches", "watch"),
        ("stopped", "stop"),
        ("tried", "try"),
        ("solved", "solve"),
        ("helped", "help"),
        ("going", "go"),
        ("making", "make"),
        ("sitting", "sit"),
        ("chosen", "choose"),
        ("gots", "get"),
        ("being", "be"),
        ("xyz", "xyz"),
    ],
)
def test_bases(form: str, base: str) -> None:
    """The verb of a form, whatever the tagger took it for."""
    assert verbs.base_of(form) == base


@pytest.mark.parametrize(
    "base, participle",
    [("write", "written"), ("arise", "arisen"), ("forget", "forgotten"), ("tell", "told"), ("include", "included")],
)
def test_participles(base: str, participle: str) -> None:
    """Irregular ones of our table, else those of the shipped one or by rule."""
    assert verbs.participle_of(base) == participle


def test_wrong_pasts_are_no_words() -> None:
    """What is corrected as a past is not a form of the table, and what it becomes is."""
    right = {*verbs.PAST, "cut", "hit", "hurt", "burst", "read", "stuck", "fell", "broke", "hid", "set"}
    assert set(verbs.WRONG_PAST.values()) <= right
    assert not set(verbs.WRONG_PAST) & right
