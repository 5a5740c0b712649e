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


class StandIn:
    """The calls of the C library; with ``needed`` nulls there are linkages."""

    def __init__(self, needed: int = 0, **answers: Any) -> None:
        self.needed = needed
        self.answers = {"split": 0, "done": 1, "exhausted": False, "length": 5, **answers}
        self.alive: set[int] = set()
        self.handles = 0
        self.nulls: list[int] = []
        self.texts: list[bytes] = []
        self.handler: Any = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("parse_options_set_"):
            return lambda options, value: None
        raise AttributeError(name)

    def _new(self) -> int:
        self.handles += 1
        self.alive.add(self.handles)
        return self.handles

    def lg_error_set_handler(self, handler: Any, _: None) -> None:
        self.handler = handler

    def parse_options_create(self) -> int:
        return self._new()

    def parse_options_delete(self, options: int) -> None:
        self.alive.remove(options)

    def parse_options_set_min_null_count(self, options: int, nulls: int) -> None:
        self.nulls.append(nulls)

    def parse_options_resources_exhausted(self, options: int) -> bool:
        return bool(self.answers["exhausted"])

    def sentence_create(self, text: bytes, dictionary: int) -> int:
        self.texts.append(text)
        return self._new()

    sentence_delete = linkage_delete = parse_options_delete

    def sentence_split(self, sentence: int, options: int) -> int:
        if self.answers["split"] < 0:
            for severity, text in ((4, b"news"), (2, b"too  odd\n")):
                self.handler(ctypes.byref(module.Message(severity, b"", text)), None)
        return int(self.answers["split"])

    def sentence_parse(self, sentence: int, options: int) -> int:
        return int(self.answers["done"])

    def sentence_length(self, sentence: int) -> int:
        return int(self.answers["length"])

    def sentence_num_linkages_post_processed(self, sentence: int) -> int:
        return 10 if self.nulls[-1] >= self.needed else 0

    def sentence_num_valid_linkages(self, sentence: int) -> int:
        return 4

    def sentence_num_linkages_found(self, sentence: int) -> int:
        return 2**31 - 1

    def sentence_disjunct_cost(self, sentence: int, index: int) -> float:
        return 1.5

    def sentence_link_cost(self, sentence: int, index: int) -> int:
        return 7

    def linkage_create(self, index: int, sentence: int, options: int) -> int:
        return self._new()

    def linkage_get_num_words(self, linkage: int) -> int:
        return len(WORDS)

    def linkage_get_word(self, linkage: int, at: int) -> bytes:
        return WORDS[at]

    def linkage_get_num_links(self, linkage: int) -> int:
        return len(CHAIN)

    def linkage_get_link_lword(self, linkage: int, at: int) -> int:
        return CHAIN[at][0]

    def linkage_get_link_rword(self, linkage: int, at: int) -> int:
        return CHAIN[at][1]


def over(calls: StandIn) -> Library:
    """An opened library over a stand-in."""
    return Library("stand-in", calls, 0, Listener(calls))


LINKED = LinkedSentence(0, 3, 2, CAP, 4, 6, 1.5, 7.0, 1.5, 2.0)


def test_nulls_are_added_one_by_one() -> None:
    """Until there is a linkage. The count of linkages is capped, links to the walls have no length."""
    calls = StandIn(needed=2)
    assert LinkedSentence(0, 3, **link(over(calls), "a b c")) == LINKED
    assert calls.nulls == [0, 1, 2]
    assert calls.texts == [b"a b c"]


def test_all_that_was_made_is_freed() -> None:
    """Three turns of options, a sentence and a linkage, whether it goes well or not."""
    calls = StandIn(needed=2)
    link(over(calls), "a b c")
    assert calls.handles == 5
    assert not calls.alive
    for answers in ({"split": -1}, {"done": -1}, {"exhausted": True}):
        failing = StandIn(**answers)
        with pytest.raises(Unlinked):
            link(over(failing), "a b c")
        assert failing.handles == 2
        assert not failing.alive


@pytest.mark.parametrize(
    ("calls", "seconds", "reason"),
    [
        (StandIn(exhausted=True), 5, "needs more than 5 seconds for"),
        (StandIn(), 0, "needs more than 0 seconds for"),
        (StandIn(split=-1), 5, r"cannot read \(too odd\)"),
        (StandIn(done=-1), 5, "cannot read$"),
        (StandIn(needed=9), 5, "no linkage, whatever words are left out"),
    ],
)
def test_a_sentence_without_figures_has_a_reason(
    calls: StandIn, seconds: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Out of time, unread with the library's error (no news), or without any linkage."""
    monkeypatch.setattr("naturalness_replication.link.SECONDS", seconds)
    with pytest.raises(Unlinked, match=reason):
        link(over(calls), "a b c")


@pytest.mark.parametrize("text", ["", "  ", "\0", "\x01\u200b\ud800"])
def test_the_library_sees_no_empty_text(text: str) -> None:
    """It would end the process."""
    calls = StandIn()
    with pytest.raises(Unlinked, match="nothing"):
        link(over(calls), text)
    assert not calls.texts


def test_versions() -> None:
    """5.8.0 is the oldest, by number and not by letter."""
    assert checked_version("link-grammar-5.8.0") == "5.8.0"
    assert checked_version("link-grammar-5.12.0") == "5.12.0"
    for release in ("link-grammar-5.7.9", "link-grammar-4.8.6", "unknown"):
        with pytest.raises(NaturalnessError, match=f"found '{release}', expected .* 5.8.0 or newer"):
            checked_version(release)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Nothing was opened yet, and the environment chooses nothing."""
    monkeypatch.setattr(module, "_open", cache(module._open.__wrapped__))
    for variable in (module.LIBRARY_VARIABLE, module.DICTIONARY_VARIABLE):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def test_a_missing_library_says_what_to_install(fresh: pytest.MonkeyPatch) -> None:
    """In words, from `available`; as an error, from all else."""
    fresh.setattr(module, "NAMES", ("no-such-library.so.5",))
    fresh.setattr(module, "find_library", lambda name: None)
    reason = available()
    assert "apt-get install link-grammar link-grammar-dictionaries-en" in reason
    assert "brew" in reason
    assert module.LIBRARY_VARIABLE in reason
    with pytest.raises(NaturalnessError, match="liblink-grammar, which is not here"):
        version()
