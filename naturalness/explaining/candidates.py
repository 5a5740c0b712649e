"""Candidate edits of a text: single small changes that add no content words.

A new word, inserted or as a replacement, must be a function word, another form of the replaced word, or a checker's
suggestion. Words may also be dropped, or moved by up to four positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from naturalness.explaining.forms import other_forms
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.explaining.small_words import BE, EXCHANGES, INSERTED, SMALL, SUBJECTS
from naturalness.models.marks import Mark
from naturalness.models.sentences import bounds
from naturalness.text.matches import Match
from naturalness.text.view import is_word, word_set

MAX_STEPS = 4
"""The largest number of positions by which a word is moved."""
MAX_WORDS = 40
"""The number of words up to which a text counts as short, so that edits are tried everywhere in it."""
MAX_SUSPICIOUS = 12
"""The number of words near which edits are tried in a longer text, the most suspicious first."""
MIN_DAMAGE = 0.3
"""The smallest probability of damage at which a content word may be dropped."""
NEGATIONS = word_set("not no never nor neither n't without")
INFLECTED_TAGS = word_set("VERB NOUN ADJ X")
"""Parts of speech whose words are replaced by other forms. An adjective may be a participle, and a noun a mistagged
verb.
"""
CONTRACTED = ("'m", "'s", "'re")
CONTRACTS_BE = word_set("that here what who where how i").union(SUBJECTS)
"""Words after which *am*, *is* or *are* can be contracted."""


def candidates(text: Text, marked: Sequence[Mark], matches: Sequence[Match] = ()) -> list[Candidate]:
    """Return single edits of a text without duplicates, checkers' suggestions first.

    ``marked`` are the marks of the text (`naturalness.models.marks`), and ``matches`` the matches of checkers. In a
    text of more than `MAX_WORDS` words, only places near suspicious words get edits.
    """
    near = suspicious(text, marked, matches)
    distinct: dict[tuple[int, int, tuple[str, ...]], Candidate] = {}
    for candidate in _all(text, marked, matches, near):
        distinct.setdefault((candidate.start, candidate.end, candidate.words), candidate)
    return list(distinct.values())


def suspicious(text: Text, marked: Sequence[Mark], matches: Sequence[Match]) -> set[int]:
    """Return the tokens near which edits are tried: in a short text, every token."""
    tokens = range(len(text.seen.texts))
    if len(text.seen.words) <= MAX_WORDS:
        return set(tokens)

    def doubt(i: int) -> tuple[bool, float, float]:
        matched = any(m.start < text.ends[i] and text.starts[i] < m.end for m in matches)
        mark = marked[i]
        return matched, _or_zero(mark.damage), _or_zero(mark.surprisal)

    worst = sorted(text.seen.words, key=doubt, reverse=True)[:MAX_SUSPICIOUS]
    return {i + k for i in worst for k in (-1, 0, 1)} & set(tokens)


def _or_zero(value: float) -> float:
    return value if value == value else 0.0


def _all(text: Text, marked: Sequence[Mark], matches: Sequence[Match], near: set[int]) -> Iterator[Candidate]:
    yield from suggested(text, matches)
    for first, last in bounds(text.seen):
        tokens = [i for i in range(first, last) if i in near]
        for proposals in (
            _dropped(text, first, last, tokens, marked),
            _inserted(text, first, last, near),
            _inflected(text, tokens),
            _exchanged(text, first, tokens),
            _moved(text, first, last, near),
        ):
            yield from (candidate for candidate in proposals if candidate is not None)


def suggested(text: Text, matches: Sequence[Match]) -> Iterator[Candidate]:
    """Yield the suggestions of checkers that replace whole tokens."""
    at_start = {start: i for i, start in enumerate(text.starts)}
    at_end = {end: i for i, end in enumerate(text.ends)}
    for match in matches:
        first, last = at_start.get(match.start), at_end.get(match.end)
        if first is None or last is None or last < first:
            continue
        for suggestion in match.suggestions:
            candidate = text.suggested(first, last + 1, suggestion)
            if candidate is not None:
                yield candidate


def _dropped(
    text: Text, first: int, last: int, tokens: Sequence[int], marked: Sequence[Mark]
) -> Iterator[Candidate | None]:
    """Yield edits that drop a function word, a repeated word or word pair, or a word that the detector suspects."""
    lower = text.seen.lower
    for i in tokens:
        if not text.apart(i):
            continue
        beside = [lower[k] for k in (i - 2, i - 1, i + 1, i + 2) if first <= k < last]
        repeated = lower[i] in beside
        doubted = lower[i] in SMALL or _or_zero(marked[i].damage) >= MIN_DAMAGE
        if repeated or (doubted and lower[i] not in NEGATIONS):
            yield text.changed("drop", i, i + 1, ())
        if first <= i - 2 and i + 1 < last and lower[i - 2 : i] == lower[i : i + 2]:
            yield text.changed("drop", i, i + 2, ())


def drops_content(text: Text, candidate: Candidate) -> bool:
    """Return whether an edit drops a content word that is not repeated beside it."""
    old = text.seen.lower[candidate.start : candidate.end]
    beside = text.seen.lower[max(0, candidate.start - len(old)) : candidate.end + len(old)]
    fewer = candidate.kind in ("drop", "checker") and len(candidate.words) < len(old)
    rest = SMALL.union(map(str.lower, candidate.words))
    return fewer and any(is_word(word) and word not in rest and beside.count(word) == 1 for word in old)


def _inserted(text: Text, first: int, last: int, near: set[int]) -> Iterator[Candidate | None]:
    """Yield edits that insert a function word between two words, before the first word, or after the last word."""
    lower = text.seen.lower
    for i in range(first, last + 1):
        if not ({i - 1, i} & near and text.gap(i, first, last)):
            continue
        beside = {lower[k] for k in (i - 1, i) if first <= k < last}
        for word in INSERTED:
            if word.lower() not in beside:
                yield text.changed("insert", i, i, (word,), within=(first, last))


def _inflected(text: Text, tokens: Iterable[int]) -> Iterator[Candidate | None]:
    """Yield edits that replace a verb or noun by its other forms."""
    seen = text.seen
    for i in tokens:
        if not text.apart(i) or seen.lower[i] in SMALL or seen.pos[i] not in INFLECTED_TAGS:
            continue
        verb, noun = seen.pos[i] == "VERB", seen.pos[i] != "ADJ"
        for form in other_forms(seen.lower[i], seen.lemmas[i], verb=verb, noun=noun):
            yield text.changed("inflect", i, i + 1, (_as_typed(form, seen.texts[i]),))


def _exchanged(text: Text, first: int, tokens: Iterable[int]) -> Iterator[Candidate | None]:
    """Yield edits that replace a function word by another word of its class, including contracted forms of *be*."""
    seen = text.seen
    for i in tokens:
        full = "is" if seen.lower[i] == "'s" and seen.lemmas[i] == "be" else seen.lower[i]
        full = {"'m": "am", "'re": "are"}.get(full, full)
        if not (text.apart(i) or (full != seen.lower[i] and i > first)):
            continue
        for other in EXCHANGES.get(full, ()):
            yield text.changed("replace", i, i + 1, (_as_typed(other, seen.texts[i]),))
        if full in BE and i > first and seen.lower[i - 1] in CONTRACTS_BE and text.spaced[i - 1]:
            for other in CONTRACTED:
                yield text.changed("replace", i, i + 1, (other,))


def _as_typed(word: str, old: str) -> str:
    """Return a word with the capitalisation of the word that it replaces."""
    if old.isupper() and len(old) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if old.istitle() and old != "I" else word


def _moved(text: Text, first: int, last: int, near: set[int]) -> Iterator[Candidate | None]:
    """Yield edits that move a word within its sentence, but not across punctuation."""
    for i in range(first, last):
        for step in (1, -1):
            for k in range(i + step, i + step * (MAX_STEPS + 1), step):
                low, high = min(k, k - step), max(k, k - step)
                if not (first <= low and high < last and text.spaced[low]):
                    break
                if not (text.apart(low) and text.apart(high)):
                    break
                start, end = min(i, k), max(i, k) + 1
                if near.isdisjoint(range(start, end)):
                    continue
                yield text.reordered(start, [*range(i + 1, end), i] if step > 0 else [i, *range(start, i)])
