"""Link Grammar against a stand-in with the C library's functions; `test_link_grammar` calls the real library."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import pytest

from naturalness.errors import NaturalnessError
from naturalness_replication import link as module
from naturalness_replication.link import (
    CAP,
    Library,
    LinkedSentence,
    Listener,
    Unlinked,
    available,
    checked_version,
    link,
    version,
)

CHAIN = ((0, 4), (0, 1), (1, 2), (1, 3), (3, 4))
"""Links of LEFT-WALL a b c RIGHT-WALL: two within the words, of lengths 1 and 2."""
WORDS = (b"LEFT-WALL", b"a", b"b", b"c", b"RIGHT-WALL")


ANSWERS = {
    "sentence_split": 0,
    "sentence_parse": 1,
    "sentence_length": 5,
    "parse_options_resources_exhausted": False,
    "sentence_num_valid_linkages": 4,
    "sentence_num_linkages_found": 2**31 - 1,
    "sentence_disjunct_cost": 1.5,
    "sentence_link_cost": 7,
    "linkage_get_num_words": len(WORDS),
    "linkage_get_num_links": len(CHAIN),
}


class StandIn:
    """The calls of the C library, with fixed answers; there are linkages only with ``needed`` nulls or more."""

    def __init__(self, needed: int = 0, **answers: Any) -> None:
        self.needed = needed
        self.answers = ANSWERS | answers
        self.alive: set[int] = set()
        self.handles = 0
        self.nulls: list[int] = []
        self.texts: list[bytes] = []
        self.handler: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_create"):
            return self._create
        if name.endswith("_delete"):
            return self.alive.remove
        return lambda *arguments: self.answers.get(name)

    def _create(self, *arguments: object) -> int:
        self.texts += [argument for argument in arguments if isinstance(argument, bytes)]
        self.handles += 1
        self.alive.add(self.handles)
        return self.handles

    def lg_error_set_handler(self, handler: Any, _: None) -> None:
        self.handler = handler

    def parse_options_set_min_null_count(self, options: int, nulls: int) -> None:
        self.nulls.append(nulls)

    def sentence_split(self, sentence: int, options: int) -> Any:
        if self.answers["sentence_split"] < 0:
            for severity, text in ((4, b"news"), (2, b"too  odd\n")):
                self.handler(ctypes.byref(module.Message(severity, b"", text)), None)
        return self.answers["sentence_split"]

    def sentence_num_linkages_post_processed(self, sentence: int) -> int:
        return 10 if self.nulls[-1] >= self.needed else 0

    def linkage_get_word(self, linkage: int, at: int) -> bytes:
        return WORDS[at]

    def linkage_get_link_lword(self, linkage: int, at: int) -> int:
        return CHAIN[at][0]

    def linkage_get_link_rword(self, linkage: int, at: int) -> int:
        return CHAIN[at][1]


def over(calls: StandIn) -> Library:
    """Return an opened library that calls a stand-in."""
    return Library("stand-in", calls, 0, Listener(calls))


LINKED = LinkedSentence(0, 3, 2, CAP, 4, 6, 1.5, 7.0, 1.5, 2.0)


def test_nulls_are_added_one_by_one() -> None:
    """Nulls are added until there is a linkage; linkages are capped, and links to the walls have no length."""
    calls = StandIn(needed=2)
    assert LinkedSentence(0, 3, **link(over(calls), "a b c")) == LINKED
    assert calls.nulls == [0, 1, 2]
    assert calls.texts == [b"a b c"]


def test_all_handles_are_freed() -> None:
    """Options, sentence and linkage are freed, whether linking succeeds or fails."""
    calls = StandIn(needed=2)
    link(over(calls), "a b c")
    assert calls.handles == 5
    assert not calls.alive
    for answers in ({"sentence_split": -1}, {"sentence_parse": -1}, {"parse_options_resources_exhausted": True}):
        failing = StandIn(**answers)
        with pytest.raises(Unlinked):
            link(over(failing), "a b c")
        assert failing.handles == 2
        assert not failing.alive


@pytest.mark.parametrize(
    ("calls", "seconds", "reason"),
    [
        (StandIn(parse_options_resources_exhausted=True), 5, "needs more than 5 seconds for"),
        (StandIn(), 0, "needs more than 0 seconds for"),
        (StandIn(sentence_split=-1), 5, r"cannot read \(too odd\)"),
        (StandIn(sentence_parse=-1), 5, "cannot read$"),
        (StandIn(needed=9), 5, "no linkage, whatever words are left out"),
    ],
)
def test_a_sentence_without_figures_has_a_reason(
    calls: StandIn, seconds: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is the time limit, the error of the library, or the lack of a linkage."""
    monkeypatch.setattr("naturalness_replication.link.SECONDS", seconds)
    with pytest.raises(Unlinked, match=reason):
        link(over(calls), "a b c")


@pytest.mark.parametrize("text", ["", "  ", "\0", "\x01\u200b\ud800"])
def test_the_library_sees_no_empty_text(text: str) -> None:
    """Texts without visible characters, which would end the process, are not passed to the library."""
    calls = StandIn()
    with pytest.raises(Unlinked, match="nothing"):
        link(over(calls), text)
    assert not calls.texts


def test_versions() -> None:
    """5.8.0 is the oldest supported version; versions are compared as numbers."""
    assert checked_version("link-grammar-5.8.0") == "5.8.0"
    assert checked_version("link-grammar-5.12.0") == "5.12.0"
    for release in ("link-grammar-5.7.9", "link-grammar-4.8.6", "unknown"):
        with pytest.raises(NaturalnessError, match=f"found '{release}', expected .* 5.8.0 or newer"):
            checked_version(release)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Forget the opened library, and clear the environment variables."""
    monkeypatch.setattr(module, "_open", cache(module._open.__wrapped__))
    for variable in (module.LIBRARY_VARIABLE, module.DICTIONARY_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def test_a_missing_library_says_what_to_install(fresh: pytest.MonkeyPatch) -> None:
    """`available` returns the advice, and other functions raise it."""
    fresh.setattr(module, "NAMES", ("no-such-library.so.5",))
    fresh.setattr(module, "find_library", lambda name: None)
    reason = available()
    assert "apt-get install link-grammar link-grammar-dictionaries-en" in reason
    assert "brew" in reason
    assert module.LIBRARY_VARIABLE in reason
    with pytest.raises(NaturalnessError, match="liblink-grammar, which is not here"):
        version()
