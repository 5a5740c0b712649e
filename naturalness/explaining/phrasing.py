"""The phrasing of chat models in a passage: phrases, constructions, and passages with a very low voice.

A single phrase that chat models overuse is no flaw: nothing is reported in a passage whose voice is nearer to people's,
or that has only one such phrase.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from naturalness.english.constructions import constructions, is_word, token_lines
from naturalness.explaining.causes import TABLES
from naturalness.explaining.explanation import Finding
from naturalness.explaining.findings import marked
from naturalness.explaining.rewriting import touch
from naturalness.files.toml import read_beside
from naturalness.models.voice import Evidence, Voice, logistic

VOICE = "voice"
"""The cause and the source of all findings here."""
PHRASE_CODE, PASSAGE_CODE = "voice-phrase", "voice-passage"
STORIES = "books"
"""The register in which phrases of stories count."""
CONSTRUCTIONS: Mapping[str, str] = {
    each.name: code for each in constructions() if (code := f"voice-{each.name.replace('_', '-')}") in TABLES["marks"]
}
"""The codes of the constructions that are reported, keyed by construction."""
MAX_VOICE, MIN_TELLING = 0.5, 2
"""The voice below which a passage is examined, and the number of different telling phrases that it must have. Without
the second, terse technical prose and lists of names would be reported.
"""
LINE_SHARE = 0.2
"""The share of `Voice.line` below which a passage is reported as a whole. Most of people's passages just below that
line are plain prose.
"""
TELLING_TIMES = 5.0
"""The least ratio of frequencies, chat models' to people's, of telling items."""
MIN_TIMES, MIN_TIMES_OF_WORD = 12.0, 20.0
"""The least ratio at which a phrase is reported, and a single word, with or without an article or a mark."""
ARTICLES, MARKS = frozenset({"a", "an", "the"}), " .,;:—"
RARE = 0.5
"""Occurrences per million tokens that people are taken to have at least: the upper limit (95 %) for an item that
their texts in the training data lack.
"""
RARE_RATE = 0.1
"""Occurrences per 10,000 words that people are taken to have of a construction at least."""
MIN_EFFECT = 0.1
"""The least amount, in log-odds, by which a phrase lowers the voice of its passage."""
MAX_FINDINGS = 3
"""The largest number of phrases that are reported in a passage."""
STAGE = frozenset(read_beside(__file__)["stage"].split())
PLAIN: Mapping[str, str] = read_beside(__file__)["plain"]
STALE = re.compile(rf"\b(?:{'|'.join(sorted(PLAIN, key=len, reverse=True))})\b", re.IGNORECASE)
COMMON = re.compile(read_beside(__file__)["common"], re.IGNORECASE)
"""What constructions find that is common in people's prose."""


class Phrase(NamedTuple):
    """A part of a passage, phrased as chat models do."""

    start: int
    end: int
    code: str
    evidence: Sequence[Evidence]
    """Overlapping items, or a construction."""

    @property
    def effect(self) -> float:
        """What the phrase adds to the log-odds; negative."""
        return math.fsum(part.log_odds for part in self.evidence)


def phrasing(text: str, table: Voice, *, stories: bool = False) -> tuple[float, list[Finding]]:
    """Return the voice of a passage (NaN if it is too short) and the findings in it, the strongest first.

    With ``stories``, phrases that belong to stories count as well.
    """
    parts = table.contributions(text)
    score = logistic(math.fsum(part.log_odds for part in parts)) if parts else math.nan
    known = [part for part in parts if part.item and (stories or STAGE.isdisjoint(part.item.split()))]
    telling = _overlapping(part for part in known if times_of(part.item, table) >= TELLING_TIMES)
    if not score < MAX_VOICE or len({text[a:b].lower().strip(MARKS) for a, b, *_ in telling}) < MIN_TELLING:
        return score, []
    strong = [phrase for phrase in telling if any(_is_strong(part.item, table) for part in phrase.evidence)]
    findings = [_finding(text, phrase, table) for phrase in _strongest([*strong, *_constructed(text, parts)])]
    line = LINE_SHARE * table.line(token_lines(text).n_words)
    if score < line:
        first = sorted(telling, key=lambda phrase: phrase.effect)[:MAX_FINDINGS]
        words = ", ".join(dict.fromkeys(f"“{text[phrase.start : phrase.end]}”" for phrase in first))
        findings.append(marked(text, 0, len(text), PASSAGE_CODE, score=score, line=line, words=words))
    return score, findings


def times_of(item: str, table: Voice) -> float:
    """Return how many times as frequent an item is in chat models' texts as in people's, at least."""
    known = table.items[item]
    return known.machine / max(known.people, RARE)


def _overlapping(parts: Iterable[Evidence]) -> list[Phrase]:
    """Return items of chat models in the order of the text; those that overlap are one phrase."""
    phrases: list[Phrase] = []
    for part in parts:
        if part.log_odds < 0:
            joins = bool(phrases) and part.start < phrases[-1].end
            start, end, _, evidence = phrases.pop() if joins else Phrase(part.start, part.end, "", [])
            phrases.append(Phrase(start, max(end, part.end), PHRASE_CODE, [*evidence, part]))
    return phrases


def _is_strong(item: str, table: Voice) -> bool:
    words = [token for token in item.split() if is_word(token) and token not in ARTICLES]
    return times_of(item, table) >= (MIN_TIMES if len(words) > 1 else MIN_TIMES_OF_WORD)


def _constructed(text: str, parts: Iterable[Evidence]) -> Iterator[Phrase]:
    for part in parts:
        if part.term in CONSTRUCTIONS and not COMMON.match(text[part.start : part.end]):
            yield Phrase(part.start, part.end, CONSTRUCTIONS[part.term], [part])


def _strongest(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Return the phrases that lower the voice most, none of which overlap."""
    chosen: list[Phrase] = []
    for phrase in sorted(phrases, key=lambda phrase: phrase.effect):
        if phrase.effect <= -MIN_EFFECT and not any(touch(phrase, other) for other in chosen):
            chosen.append(phrase)
    return chosen[:MAX_FINDINGS]


def _finding(text: str, phrase: Phrase, table: Voice) -> Finding:
    """Return a finding that says how much more frequent its phrasing is with chat models."""
    if phrase.code != PHRASE_CODE:
        (part,) = phrase.evidence
        people, machine = table.rates[part.term]["all"]
        return marked(text, phrase.start, phrase.end, phrase.code, times=machine / max(people, RARE_RATE))
    best = max(phrase.evidence, key=lambda part: (round(times_of(part.item, table)), len(part.item)))
    whole = (best.start, best.end) == (phrase.start, phrase.end)
    said = "" if whole else f"“{text[best.start : best.end]}” is "
    times = f"{times_of(best.item, table):.0f} times as frequent in chat models’ prose as in people’s"
    if not table.items[best.item].people:
        times += ", where it was never seen"
    typed = text[phrase.start : phrase.end]
    plain = _plainer(typed)
    suggestions = (plain,) if plain != typed else ()
    return marked(text, phrase.start, phrase.end, PHRASE_CODE, suggestions=suggestions, evidence=said + times)


def _plainer(phrase: str) -> str:
    """Replace the parts of a phrase that have a plainer wording which is right in every context."""

    def plain(match: re.Match[str]) -> str:
        new = PLAIN[match[0].lower()]
        return new.capitalize() if match[0][0].isupper() else new

    return STALE.sub(plain, phrase)
