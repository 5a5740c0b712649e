"""What sort of sentences a text has: clauses and constructions, from the parse; how it is typed.

Groves, Tian & Douratsos (2018) name what misled their classifier: subordinate clauses, inserts
("I shall, of course, …"), fragments and titles. These are found here, with a few more that a reader
knows by name. A text is of a kind if any of its sentences is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from naturalness.features.dependency import COMPLEMENTS, RELATIVES
from naturalness.text.view import View

CLAUSES = ("ccomp", "csubj", "csubj:pass", "csubj:outer", "advcl", *sorted(RELATIVES))
"""Relations of subordinate clauses; infinitives and participles are not among them."""
BESIDE = frozenset({"advmod", "obl", "advcl", "appos", "parataxis", "discourse", "vocative", "dislocated", "nmod"})
"""Relations of what can stand between two commas without being part of a list."""
NEGATIONS = frozenset({"not", "n't", "n’t", "never", "no", "nobody", "nothing", "none", "neither", "nor"})
BRACKETS, DASHES, QUOTES = frozenset("()[]"), frozenset({"–", "—", "--"}), frozenset({'"', "“", "”", "``", "''"})
TITLE = 0.75
"""Share of capitalised words from which a line without a full stop is a title."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a view: its tokens from ``start`` to ``end``, its words, its root."""

    seen: View
    start: int
    end: int
    words: list[int]
    root: int

    @property
    def tokens(self) -> range:
        """Numbers of its tokens."""
        return range(self.start, self.end)

    def relations(self) -> set[str]:
        """The relations in it."""
        return {self.seen.deps[i] for i in self.tokens}


def sentences_of(seen: View) -> Iterator[Sentence]:
    """The sentences with words."""
    for (start, end), words in zip(seen.sentences, seen.sentence_words, strict=True):
        roots = [i for i in range(start, end) if seen.heads[i] == i]
        root = next((i for i in roots if i in words), roots[0] if roots else words[0])
        yield Sentence(seen, start, end, words, root)


def has_subject(one: Sentence) -> bool:
    """Whether the root has a subject."""
    deps, heads = one.seen.deps, one.seen.heads
    return any(heads[i] == one.root and deps[i].startswith(("nsubj", "csubj", "expl")) for i in one.tokens)


def is_fragment(one: Sentence) -> bool:
    """No clause: the root is no verb and has neither subject, auxiliary nor copula."""
    seen = one.seen
    if seen.pos[one.root] in ("VERB", "AUX"):
        return False
    helped = any(seen.heads[i] == one.root and seen.deps[i].startswith(("aux", "cop")) for i in one.tokens)
    return not helped and not has_subject(one)


def is_title(one: Sentence) -> bool:
    """Most words capitalised, several of them, and nothing at the end that closes a sentence."""
    texts = [one.seen.texts[i] for i in one.words]
    long = [text for text in texts if len(text) > 3]
    closed = one.seen.texts[one.end - 1] in (".", "!", "?", "…")
    capital = sum(text[0].isupper() and not text.isupper() for text in long)
    return len(long) > 2 and not closed and capital >= TITLE * len(long)


def is_subordinate(one: Sentence) -> bool:
    """A finite clause inside another."""
    return not one.relations().isdisjoint(CLAUSES)


def is_main_only(one: Sentence) -> bool:
    """A clause without a subordinate one."""
    return not is_subordinate(one) and not is_fragment(one)


def is_coordinated(one: Sentence) -> bool:
    """Clauses or phrases with verbs joined by *and*, *or*, *but*."""
    seen = one.seen
    return any(seen.deps[i] == "conj" and seen.pos[i] in ("VERB", "AUX") for i in one.tokens)


def is_question(one: Sentence) -> bool:
    """It ends with a question mark."""
    return any(one.seen.texts[i].startswith("?") for i in range(one.words[-1], one.end))


def is_command(one: Sentence) -> bool:
    """The root is a bare verb without subject and *to*."""
    seen = one.seen
    if seen.tags[one.root] != "VB" or has_subject(one):
        return False
    return not any(
        seen.heads[i] == one.root and (seen.tags[i] in ("TO", "MD") or seen.deps[i] == "aux") for i in one.tokens
    )


def has_insert(one: Sentence) -> bool:
    """Something in brackets, between dashes, or between two commas and no part of a list."""
    texts = one.seen.texts
    inner = [texts[i] for i in one.tokens]
    if any(text in BRACKETS for text in inner) or sum(text in DASHES for text in inner) > 1:
        return True
    commas = [i for i in one.tokens if texts[i] == ","]
    return any(_hangs_beside(one, first + 1, last) for first in commas for last in commas if first < last)


def _hangs_beside(one: Sentence, start: int, end: int) -> bool:
    """Whether what stands from ``start`` to ``end`` hangs on the rest by one arc of `BESIDE`."""
    if not 0 < end - start <= 8:
        return False
    out = [i for i in range(start, end) if not start <= one.seen.heads[i] < end]
    tops = [i for i in out if one.seen.deps[i] != "punct"]
    return len(tops) == 1 and one.seen.deps[tops[0]] in BESIDE


def has_relation(*names: str) -> Callable[[Sentence], bool]:
    """Whether any of these relations is in a sentence."""
    wanted = frozenset(names)
    return lambda one: not one.relations().isdisjoint(wanted)


KINDS: Mapping[str, Mapping[str, Callable[[Sentence], bool]]] = {
    "clauses": {
        "main clauses only": is_main_only,
        "subordinate clause": is_subordinate,
        "relative clause": has_relation(*RELATIVES),
        "adverbial clause": has_relation("advcl"),
        "complement clause": has_relation(*(COMPLEMENTS - {"xcomp"})),
    },
    "construction": {
        "question": is_question,
        "command": is_command,
        "passive": has_relation("aux:pass", "nsubj:pass"),
        "coordinated clauses": is_coordinated,
        "fragment or title": lambda one: is_fragment(one) or is_title(one),
        "insert or parenthesis": has_insert,
        "“there is”": has_relation("expl"),
        "negation": lambda one: any(one.seen.lower[i] in NEGATIONS for i in one.words),
        "quotation": lambda one: any(one.seen.texts[i] in QUOTES for i in one.tokens),
    },
}
"""By dimension and name, what a sentence must be."""

CONTRACTION = re.compile(r"\w(?:n['’]t|['’](?:s|re|ve|ll|d|m))\b", re.IGNORECASE)
WRITING: Mapping[str, Callable[[str], bool]] = {
    "no capital letter": lambda text: text == text.lower() and any(map(str.isalpha, text)),
    "spaces before punctuation": lambda text: re.search(r"\w [.,;:!?]", text) is not None,
    "no punctuation at the end": lambda text: text.rstrip()[-1:].isalnum(),
    "contractions": lambda text: CONTRACTION.search(text) is not None,
}
"""How a text is typed."""


def kinds_of(seen: View) -> set[tuple[str, str]]:
    """Dimension and name of all kinds that a text is of; a text of several sentences says so."""
    sentences = list(sentences_of(seen))
    found = {
        (dimension, name)
        for dimension, tests in KINDS.items()
        for name, test in tests.items()
        if any(map(test, sentences))
    }
    if len(sentences) > 1:
        found.add(("construction", "several sentences"))
    return found


def writing_of(text: str) -> set[tuple[str, str]]:
    """How the text as typed looks."""
    return {("writing", name) for name, test in WRITING.items() if test(text)}
