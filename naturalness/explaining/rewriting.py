"""Apply single edits, given as token positions, to a text, adjusting capitals, spaces, and *a* or *an*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from naturalness.english.rules.sounds import begins_with_vowel
from naturalness.english.wordlist import load_wordlist
from naturalness.models.language import shipped
from naturalness.text.parsing import original_span, source_of
from naturalness.text.view import CLITICS, Doc, bounds, is_word, view

Kind = Literal[
    "delete", "insert", "inflect", "replace", "swap", "suffix", "join", "spelling", "case", "punctuation", "rule"
]
COMMON_WORD = 2.5
"""The smallest Zipf frequency at which a word tagged as a name counts as a common word, unless it is mostly
capitalised.
"""
TOKEN = re.compile(r"n't\b|'\w+|\w+?(?=n't\b)|\w+|[^\w\s]", re.IGNORECASE)
"""A pattern that splits a suggestion into tokens, roughly as the pipeline does; the tokens are used only for
ranking.
"""
OPENING, CLOSING = frozenset("\"'([{“‘"), frozenset("\"'.,;:!?)]}%”’…")
HYPHEN = "-"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edit that replaces a span of tokens; the span neither begins nor ends with tokens that stay the same."""

    kind: Kind
    start: int
    end: int
    """The end of the replaced tokens; ``start`` and ``end`` are token positions in the View, equal for an insertion."""
    words: tuple[str, ...]
    """The new tokens."""
    sentence: tuple[int, int]
    """The first token of the sentence, and the position after its last token."""
    typed: str | None = None
    """The new words as a checker spells them; None if they get the usual spelling."""


class Rewritten(NamedTuple):
    """An edit, given as character offsets in the original text."""

    start: int
    end: int
    before: str
    after: str
    text: str
    """The whole text with the edit."""


class SpanLike(Protocol):
    """A part of a text, in characters or tokens; ``start`` and ``end`` are equal for a gap."""

    @property
    def start(self) -> int:
        """The beginning."""

    @property
    def end(self) -> int:
        """The end."""


Change = tuple[int, int, str]
"""Start and end of a span, and its replacement."""


def replaced(text: str, changes: Iterable[Change]) -> str:
    """Return a text with changes, which must not overlap."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class _Token(NamedTuple):
    text: str
    origin: int
    """The token's position in the View; -1 for a new token."""


class EditableText:
    """A parsed text whose tokens can be changed."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self.seen = view(doc)
        self.original = source_of(doc).original
        tokens = [doc[i] for i in self.seen.positions]
        spans = [original_span(doc, t.idx, t.idx + len(t)) for t in tokens]
        self.starts = [start for start, _ in spans]
        self.ends = [end for _, end in spans]
        behind = [*(t.idx for t in tokens), len(doc.text)][1:]
        self.spaced = [t.idx + len(t) < b for t, b in zip(tokens, behind, strict=True)]
        """Whether each token is followed by a space."""
        self._sentence: dict[int, tuple[int, int]] = {}
        self._leads: dict[int, int | None] = {}
        """The first word of each sentence, keyed by the sentence's first token; None if the sentence is in capitals."""
        for first, last in bounds(self.seen):
            self._sentence |= dict.fromkeys(range(first, last), (first, last))
            lead = next((i for i in range(first, last) if is_word(self.seen.texts[i])), last)
            self._leads[first] = None if _is_in_capitals(self.seen.texts[first:last]) else lead

    def apart(self, i: int) -> bool:
        """Return whether a token is a word that can be replaced alone; a part of a compound cannot."""
        texts, lower = self.seen.texts, self.seen.lower
        left = i == 0 or self.spaced[i - 1] or texts[i - 1] in OPENING or lower[i] in CLITICS
        right = i + 1 == len(texts) or self.spaced[i] or texts[i + 1] in CLOSING or lower[i + 1] in CLITICS
        return is_word(texts[i]) and left and right

    def sentence(self, i: int) -> tuple[int, int]:
        """Return the first token of a token's sentence, and the position after its last token."""
        return self._sentence[i]

    def is_lead(self, i: int) -> bool:
        """Return whether a token is the first word of its sentence; False if the sentence is in capitals."""
        return self._leads[self._sentence[i][0]] == i

    def as_typed(self, word: str, i: int) -> str:
        """Return a word with the capitalisation of a token that it replaces; *I* is always a capital."""
        old = self.seen.texts[i]
        if word == "i":
            return "I"
        if old.isupper() and len(old) > 1:
            return word.upper()
        return word[:1].upper() + word[1:] if old.istitle() and old != "I" else word

    def gap(self, i: int, first: int, last: int, new: str) -> bool:
        """Return whether a token can be inserted before another one, or after the last one of a sentence."""
        texts = self.seen.texts
        if i == last:
            return i > first and (new in CLOSING) == is_word(texts[i - 1])
        begins = i == first or self.spaced[i - 1] or texts[i - 1] in OPENING
        attached = new in CLOSING or new in CLITICS or new == HYPHEN
        if attached:
            return i > first and self.spaced[i - 1] and is_word(texts[i - 1])
        return begins and is_word(texts[i])

    def changed(
        self, kind: Kind, start: int, end: int, words: Sequence[str], within: tuple[int, int] | None = None
    ) -> Candidate | None:
        """Return the edit that replaces tokens within a sentence, with its capitals and articles adjusted.

        Return None if nothing changes or if the sentence has no word left.
        """
        sentence = within or self._sentence.get(start)
        if sentence is None or end > sentence[1]:
            return None
        return self._finish(kind, sentence, start, end, [_Token(word, -1) for word in words])

    def reordered(self, start: int, order: Sequence[int]) -> Candidate | None:
        """Return the edit that puts the tokens from ``start`` on in another order; None if nothing changes."""
        moved = [_Token(self.seen.texts[i], i) for i in order]
        return self._finish("swap", self._sentence[start], start, start + len(order), moved)

    def suggested(self, start: int, end: int, suggestion: str) -> Candidate | None:
        """Return the edit that applies a checker's suggestion, spelled as the checker spells it."""
        sentence = self._sentence.get(start)
        if sentence is None or end > sentence[1]:
            return None
        if not suggestion.strip():
            return self.changed("rule", start, end, ())
        words = TOKEN.findall(suggestion)
        if not words or words == self.seen.texts[start:end]:
            return None
        if join_words(words) != suggestion.strip():
            return Candidate("rule", start, end, tuple(words), sentence, suggestion.strip())
        return _difference("rule", start, self.seen.texts[start:end], words, sentence)

    def _finish(
        self, kind: Kind, sentence: tuple[int, int], start: int, end: int, new: Sequence[_Token]
    ) -> Candidate | None:
        first, last = self._affected(sentence, start, end)
        texts = self.seen.texts
        before = [_Token(texts[i], i) for i in range(first, start)]
        after = [_Token(texts[i], i) for i in range(end, last)]
        tokens = [*before, *new, *after]
        if first == sentence[0]:
            self._capitals(tokens, first, last)
        self._articles(tokens)
        old = texts[first:last]
        new_texts = [token.text for token in tokens]
        if new_texts == old or (first == sentence[0] and not any(map(is_word, new_texts))):
            return None
        return _difference(kind, first, old, new_texts, sentence)

    def _affected(self, sentence: tuple[int, int], start: int, end: int) -> tuple[int, int]:
        """Return the part of a sentence whose capitals and articles an edit can change."""
        first, last = sentence
        lead = self._leads[first]
        return sentence if lead is None or start <= lead + 1 else (start - 1, min(last, end + 1))

    def _capitals(self, tokens: list[_Token], first: int, last: int) -> None:
        """Move the initial capital of a sentence from its former first word to the word that is first now."""
        texts = self.seen.texts
        lead = next((i for i in range(first, last) if is_word(texts[i])), None)
        now = next((k for k, token in enumerate(tokens) if is_word(token.text)), None)
        if lead is None or now is None or texts[lead][:1].islower():
            return
        if _is_in_capitals(texts[first:last]):
            tokens[:] = [t if t.origin >= 0 else _Token(t.text.upper(), -1) for t in tokens]
            return
        for k, token in enumerate(tokens):
            if token.origin == lead and k != now:
                tokens[k] = _Token(self._inside_sentence(lead), lead)
        if tokens[now].origin != lead:
            text = tokens[now].text
            tokens[now] = _Token(text[:1].upper() + text[1:], tokens[now].origin)

    def _inside_sentence(self, i: int) -> str:
        """Return the first word of a sentence as it would be written in the middle of a sentence."""
        text, low = self.seen.texts[i], self.seen.lower[i]
        if not text.istitle() or low == "i":
            return text
        known = shipped.words().read.capitals.get(low)
        if known is None and self.seen.pos[i] == "PROPN" and load_wordlist().lookup(low) < COMMON_WORD:
            return text
        return known or low

    def _articles(self, tokens: list[_Token]) -> None:
        """Choose *a* or *an* to suit the next word, if the article or that word is new."""
        texts = self.seen.texts
        for k, (text, origin) in enumerate(tokens[:-1]):
            if text.lower() not in ("a", "an") or (len(text) > 1 and text.isupper()):
                continue
            following = tokens[k + 1]
            if origin >= 0 and origin + 1 < len(texts) and following.text == texts[origin + 1]:
                continue
            vowel = begins_with_vowel(following.text)
            if vowel is not None:
                right = "an" if vowel else "a"
                right = right.capitalize() if text[0].isupper() else right
                tokens[k] = _Token(right, origin)

    def rewrite(self, candidate: Candidate) -> Rewritten:
        """Return the original text with a candidate applied, and the edit as character offsets."""
        start, end, words = candidate.start, candidate.end, candidate.words
        if start == end:
            (at, stop), after = self._insertion(candidate)
        elif not words:
            (at, stop), after = self._deletion(candidate), ""
        else:
            at, stop = self.starts[start], self.ends[end - 1]
            after = candidate.typed or self._with_spaces(start, end, words)
            if words[0] in CLITICS and start and self.spaced[start - 1]:
                at = self.ends[start - 1]
            elif self.seen.lower[start] in CLITICS and words[0] not in CLITICS and start:
                after = " " + after
        text = self.original[:at] + after + self.original[stop:]
        return Rewritten(at, stop, self.original[at:stop], after, text)

    def _insertion(self, candidate: Candidate) -> tuple[tuple[int, int], str]:
        """Return the span of an insertion, and the inserted text including its space."""
        i, (first, last) = candidate.start, candidate.sentence
        typed = join_words(candidate.words)
        if typed == HYPHEN:
            return (self.ends[i - 1], self.starts[i]), typed
        if typed in CLOSING or typed in CLITICS:
            return (self.ends[i - 1], self.ends[i - 1]), typed
        if i < last and (i == first or self.spaced[i - 1] or self.seen.texts[i - 1] in OPENING):
            return (self.starts[i], self.starts[i]), typed + " "
        return (self.ends[i - 1], self.ends[i - 1]), " " + typed

    def _deletion(self, candidate: Candidate) -> tuple[int, int]:
        """Return the span of a deletion, extended by one of the spaces beside the deleted words so that no extra space
        is left.

        The wider space is chosen. A space outside the sentence is kept, as is one that would separate punctuation from
        a word, or that alone separates the words on both sides.
        """
        start, end, (first, last) = candidate.start, candidate.end, candidate.sentence
        at, stop = self.starts[start], self.ends[end - 1]
        left = at - self.ends[start - 1] if start > first else 0
        right = self.starts[end] - stop if end < last else 0
        close = end < last and not self.spaced[end - 1]  # punctuation stays attached
        if left and (left > right or close):
            return self.ends[start - 1], stop
        follows_word = start > first and self.seen.texts[start - 1][-1:].isalnum()
        if start > first and not left and (follows_word or self._closes(start - 1, first)):
            return at, stop  # "The man, went" keeps its space, and "(of course)" does not
        return at, stop + right

    def _closes(self, i: int, first: int) -> bool:
        """Return whether a token is a quotation mark or bracket that directly follows a word or punctuation."""
        closes = i > first and not self.spaced[i - 1] and self.seen.texts[i] in CLOSING
        return closes and (self.seen.texts[i - 1][-1:].isalnum() or self.seen.texts[i - 1] in CLOSING - OPENING)

    def _with_spaces(self, start: int, end: int, words: Sequence[str]) -> str:
        """Return new words, spaced like the replaced words if they are equal in number, otherwise as in `joined`."""
        between = [self.original[self.ends[i] : self.starts[i + 1]] for i in range(start, end - 1)]
        if len(words) != end - start or not all(map(str.isspace, between)):
            return join_words(words)
        return "".join(word + space for word, space in zip(words, [*between, ""], strict=True))


def _difference(kind: Kind, first: int, old: Sequence[str], new: Sequence[str], sentence: tuple[int, int]) -> Candidate:
    """Return the edit from one token sequence to another, without the tokens that both share at their ends."""
    shorter = min(len(old), len(new))
    same = 0
    while same < shorter and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < shorter - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end = first + len(old) - tail
    return Candidate(kind, first + same, end, tuple(new[same : len(new) - tail]), sentence)


def join_words(words: Sequence[str]) -> str:
    """Join words with spaces, except before clitics and around punctuation."""
    typed = ""
    for word in words:
        tight = not typed or word.lower() in CLITICS or word in CLOSING or typed[-1] in "([{"
        typed += word if tight else " " + word
    return typed


def _is_in_capitals(texts: Sequence[str]) -> bool:
    """Return whether a sentence of several words is in capitals; *I* and *A* do not count."""
    several = sum(map(is_word, texts)) > 1 and any(len(text) > 1 and text.isupper() for text in texts)
    return several and "".join(texts).isupper()


def touch(first: SpanLike, second: SpanLike) -> bool:
    """Return whether two spans overlap; a gap, or the place of an insertion, also overlaps a span that begins or ends
    at it.
    """
    if first.start == first.end or second.start == second.end:
        return first.start <= second.end and second.start <= first.end
    return first.start < second.end and second.start < first.end
