"""What could be changed in a text: single small edits, with no word of content invented.

What is put in or in place is a function word, another form of a word that stands there, or what a
checker suggests; words may also be left out or moved by up to four places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from naturalness.explaining.forms import other_forms
from naturalness.explaining.rewriting import Candidate, Text
from naturalness.explaining.small_words import BE, EXCHANGES, INSERTED, SMALL, SUBJECTS
from naturalness.models.marks import Mark
from naturalness.models.sentences import bounds
from naturalness.text.matches import Match

FARTHEST = 4
"""Places by which a word is moved at most."""
EVERYWHERE = 40
"""Words up to which a text is changed anywhere."""
SUSPICIOUS = 12
"""Words of a longer text beside which it is changed: the most suspicious."""
DOUBTED = 0.3
"""Probability of damage from which a word of content may be left out."""
NEGATIONS = frozenset({"not", "no", "never", "nor", "neither", "n't", "without"})
INFLECTED = frozenset({"VERB", "NOUN", "ADJ", "X"})
"""What has forms; an adjective may be a participle, a noun a verb in disguise."""
CONTRACTED = ("'m", "'s", "'re")
CONTRACTING = frozenset({*SUBJECTS, "that", "here", "what", "who", "where", "how", "i"})
"""Words behind which *is* and *are* are contracted."""


def candidates(text: Text, marked: Sequence[Mark], matches: Sequence[Match] = ()) -> list[Candidate]:
    """Single edits of a text, each resulting text once, checkers' suggestions first.

    ``marked`` are the marks of the text (`naturalness.models.marks`), ``matches`` what checkers
    found. In a text of more than `EVERYWHERE` words only what is near a suspicious word is changed.
    """
    near = suspicious(text, marked, matches)
    distinct: dict[tuple[int, int, tuple[str, ...]], Candidate] = {}
    for candidate in _all(text, marked, matches, near):
        distinct.setdefault((candidate.start, candidate.end, candidate.words), candidate)
    return list(distinct.values())


def suspicious(text: Text, marked: Sequence[Mark], matches: Sequence[Match]) -> set[int]:
    """Places beside which edits are tried: all of a short text."""
    tokens = range(len(text.seen.texts))
    if len(text.seen.words) <= EVERYWHERE:
        return set(tokens)

    def doubt(i: int) -> tuple[bool, float, float]:
        matched = any(m.start < text.ends[i] and text.starts[i] < m.end for m in matches)
        mark = marked[i]
        return matched, _or_zero(mark.damage), _or_zero(mark.surprisal)

    worst = sorted(text.seen.words, key=doubt, reverse=True)[:SUSPICIOUS]
    return {i + k for i in worst for k in (-1, 0, 1)} & set(tokens)


def _or_zero(value: float) -> float:
    return value if value == value else 0.0


def _all(text: Text, marked: Sequence[Mark], matches: Sequence[Match], near: set[int]) -> Iterator[Candidate]:
    yield from _suggested(text, matches)
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


def _suggested(text: Text, matches: Sequence[Match]) -> Iterator[Candidate]:
    """What checkers suggest, where it stands in place of whole tokens."""
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
    """A function word, a repeated word or pair, or a word that the detector doubts left out."""
    lower = text.seen.lower
    for i in tokens:
        if not text.apart(i):
            continue
        beside = [lower[k] for k in (i - 2, i - 1, i + 1, i + 2) if first <= k < last]
        repeated = lower[i] in beside
        doubted = lower[i] in SMALL or _or_zero(marked[i].damage) >= DOUBTED
        if repeated or (doubted and lower[i] not in NEGATIONS):
            yield text.changed("drop", i, i + 1, ())
        if first <= i - 2 and i + 1 < last and lower[i - 2 : i] == lower[i : i + 2]:
            yield text.changed("drop", i, i + 2, ())


def _inserted(text: Text, first: int, last: int, near: set[int]) -> Iterator[Candidate | None]:
    """A function word put between two words, before the first or behind the last."""
    lower = text.seen.lower
    for i in range(first, last + 1):
        if not ({i - 1, i} & near and text.gap(i, first, last)):
            continue
        beside = {lower[k] for k in (i - 1, i) if first <= k < last}
        for word in INSERTED:
            if word.lower() not in beside:
                yield text.changed("insert", i, i, (word,), within=(first, last))


def _inflected(text: Text, tokens: Iterable[int]) -> Iterator[Candidate | None]:
    """Other forms of a verb or a noun."""
    seen = text.seen
    for i in tokens:
        if not text.apart(i) or seen.lower[i] in SMALL or seen.pos[i] not in INFLECTED:
            continue
        verb, noun = seen.pos[i] == "VERB", seen.pos[i] != "ADJ"
        for form in other_forms(seen.lower[i], seen.lemmas[i], verb=verb, noun=noun):
            yield text.changed("inflect", i, i + 1, (_as_typed(form, seen.texts[i]),))


def _exchanged(text: Text, first: int, tokens: Iterable[int]) -> Iterator[Candidate | None]:
    """A function word in place of another of its class, contracted forms of *be* among them."""
    seen = text.seen
    for i in tokens:
        full = "is" if seen.lower[i] == "'s" and seen.lemmas[i] == "be" else seen.lower[i]
        full = {"'m": "am", "'re": "are"}.get(full, full)
        if not (text.apart(i) or (full != seen.lower[i] and i > first)):
            continue
        for other in EXCHANGES.get(full, ()):
            yield text.changed("replace", i, i + 1, (_as_typed(other, seen.texts[i]),))
        if full in BE and i > first and seen.lower[i - 1] in CONTRACTING and text.spaced[i - 1]:
            for other in CONTRACTED:
                yield text.changed("replace", i, i + 1, (other,))


def _as_typed(word: str, old: str) -> str:
    """With a capital, or in capitals, where the word is whose place it takes."""
    if old.isupper() and len(old) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if old.istitle() and old != "I" else word


def _moved(text: Text, first: int, last: int, near: set[int]) -> Iterator[Candidate | None]:
    """A word in another place among its neighbours, with no mark of punctuation passed."""
    seen = text.seen
    for i in range(first, last):
        for step in (1, -1):
            inside = [seen.texts[i]]
            for k in range(i + step, i + step * (FARTHEST + 1), step):
                low, high = min(k, k - step), max(k, k - step)
                if not (first <= low and high < last and text.spaced[low]):
                    break
                if not (text.apart(low) and text.apart(high)):
                    break
                inside.append(seen.texts[k])
                start, end = min(i, k), max(i, k) + 1
                if near.isdisjoint(range(start, end)):
                    continue
                order = list(range(start, end))
                order.remove(i)
                order = [*order, i] if step > 0 else [i, *order]
                yield text.reordered(start, order)
