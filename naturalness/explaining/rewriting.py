"""A text under single edits: tokens with their places in the original, capitals, spaces, a/an."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from naturalness.english.rules.sounds import begins_with_vowel
from naturalness.english.wordlist import load_wordlist
from naturalness.models.language import shipped
from naturalness.models.sentences import bounds
from naturalness.text.parsing import original_span, source_of
from naturalness.text.view import CLITICS, is_word, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

Kind = Literal["checker", "drop", "insert", "inflect", "replace", "move"]
PLAIN = 2.5
"""Zipf value from which a word that is tagged as a name is none, if it mostly stands without a
capital."""
TOKEN = re.compile(r"n't\b|'\w+|\w+?(?=n't\b)|\w+|[^\w\s]", re.IGNORECASE)
"""What a suggestion is cut into, about as the pipeline does; only the ranking reads these."""
OPENING, CLOSING = frozenset("\"'([{“‘"), frozenset("\"'.,;:!?)]}%”’…")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Other tokens in place of some of a text's; nothing that stays is among them."""

    kind: Kind
    start: int
    end: int
    """Tokens of the View that it replaces; equal where something is put in before a token."""
    words: tuple[str, ...]
    """Tokens that take their place."""
    sentence: tuple[int, int]
    """Where their sentence begins and ends."""
    typed: str | None = None
    """How the words are written, where that is not as usual."""


class Rewritten(NamedTuple):
    """An edit in characters of the original text."""

    start: int
    end: int
    before: str
    after: str
    text: str
    """The whole text with it."""


class _Token(NamedTuple):
    text: str
    origin: int
    """Its place in the View, -1 for a new one."""


class Text:
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
        """Whether a space follows each."""
        self._sentence: dict[int, tuple[int, int]] = {}
        self._lead: dict[tuple[int, int], int] = {}
        for first, last in bounds(self.seen):
            self._sentence |= dict.fromkeys(range(first, last), (first, last))
            texts = self.seen.texts[first:last]
            lead = next((i for i, text in enumerate(texts, first) if is_word(text)), last)
            self._lead[first, last] = last if _shouts(texts) else lead

    def apart(self, i: int) -> bool:
        """Whether a token is a word of its own: no part of a contraction or a compound."""
        texts = self.seen.texts
        if not is_word(texts[i]) or self.seen.lower[i] in CLITICS:
            return False
        left = i == 0 or self.spaced[i - 1] or texts[i - 1] in OPENING
        right = i + 1 == len(texts) or self.spaced[i] or texts[i + 1] in CLOSING
        return left and right

    def gap(self, i: int, first: int, last: int) -> bool:
        """Whether a word can be put in before a token, or behind the last word of a sentence."""
        texts = self.seen.texts
        if i < last and is_word(texts[i]):
            return i == first or self.spaced[i - 1] or texts[i - 1] in OPENING
        ends = i == last or (texts[i] in CLOSING and not self.spaced[i - 1])
        return i > first and ends and is_word(texts[i - 1]) and texts[i - 1] not in CLITICS

    def changed(
        self, kind: Kind, start: int, end: int, words: Sequence[str], within: tuple[int, int] | None = None
    ) -> Candidate | None:
        """Words in place of tokens of one sentence, with its capital and its articles right; None
        where that changes nothing or leaves no word."""
        sentence = within or self._sentence.get(start)
        if sentence is None or end > sentence[1]:
            return None
        return self._finish(kind, sentence, start, end, [_Token(word, -1) for word in words])

    def reordered(self, start: int, order: Sequence[int]) -> Candidate | None:
        """Tokens from ``start`` on in another order."""
        moved = [_Token(self.seen.texts[i], i) for i in order]
        return self._finish("move", self._sentence[start], start, start + len(order), moved)

    def suggested(self, start: int, end: int, suggestion: str) -> Candidate | None:
        """What a checker suggests, as it writes it."""
        sentence = self._sentence.get(start)
        if sentence is None or end > sentence[1]:
            return None
        if not suggestion.strip():
            return self.changed("checker", start, end, ())
        words = TOKEN.findall(suggestion)
        if not words or words == self.seen.texts[start:end]:
            return None
        if joined(words) != suggestion.strip():
            return Candidate("checker", start, end, tuple(words), sentence, suggestion.strip())
        return _between("checker", start, self.seen.texts[start:end], words, sentence)

    def _finish(
        self, kind: Kind, sentence: tuple[int, int], start: int, end: int, new: Sequence[_Token]
    ) -> Candidate | None:
        first, last = sentence
        texts = self.seen.texts
        if self._plain(sentence, start, end, new):
            return Candidate(kind, start, end, (new[0].text,), sentence)
        before = [_Token(texts[i], i) for i in range(first, start)]
        after = [_Token(texts[i], i) for i in range(end, last)]
        tokens = [*before, *new, *after]
        self._capitals(tokens, first, last)
        self._articles(tokens)
        old = texts[first:last]
        new_texts = [token.text for token in tokens]
        if new_texts == old or not any(map(is_word, new_texts)):
            return None
        return _between(kind, first, old, new_texts, sentence)

    def _plain(self, sentence: tuple[int, int], start: int, end: int, new: Sequence[_Token]) -> bool:
        """Whether one new word leaves capitals and articles alone, as nearly all do: quicker."""
        if len(new) != 1 or new[0].origin >= 0 or end > start + 1 or not start:
            return False
        (word, _), lower = new[0], self.seen.lower
        articles = ("a", "an")
        return (
            start > self._lead[sentence]
            and lower[start - 1] not in articles
            and (end == start or lower[start] not in articles)
            and (end == start or word != self.seen.texts[start])
            and word not in articles
        )

    def _capitals(self, tokens: list[_Token], first: int, last: int) -> None:
        """The capital of a sentence's start goes to the word that now stands first."""
        texts = self.seen.texts
        lead = next((i for i in range(first, last) if is_word(texts[i])), None)
        now = next((k for k, token in enumerate(tokens) if is_word(token.text)), None)
        if lead is None or now is None or texts[lead][:1].islower():
            return
        if _shouts(texts[first:last]):
            tokens[:] = [t if t.origin >= 0 else _Token(t.text.upper(), -1) for t in tokens]
            return
        for k, token in enumerate(tokens):
            if token.origin == lead and k != now:
                tokens[k] = _Token(self._small(lead), lead)
        if tokens[now].origin != lead:
            text = tokens[now].text
            tokens[now] = _Token(text[:1].upper() + text[1:], tokens[now].origin)

    def _small(self, i: int) -> str:
        """The first word of a sentence as it stands inside of one."""
        text, low = self.seen.texts[i], self.seen.lower[i]
        if not text.istitle() or low == "i":
            return text
        known = shipped.words().read.capitals.get(low)
        if known is None and self.seen.pos[i] == "PROPN" and load_wordlist().lookup(low) < PLAIN:
            return text
        return known or low

    def _articles(self, tokens: list[_Token]) -> None:
        """*a* or *an* by the word that follows, where either is new."""
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
        """The original text with a candidate in it."""
        start, end, words = candidate.start, candidate.end, candidate.words
        if start == end:
            (at, stop), after = self._put_in(candidate)
        elif not words:
            (at, stop), after = self._left_out(candidate), ""
        else:
            at, stop = self.starts[start], self.ends[end - 1]
            after = candidate.typed or self._replaced(start, end, words)
            if words[0] in CLITICS and start and self.spaced[start - 1]:
                at = self.ends[start - 1]
            elif self.seen.lower[start] in CLITICS and words[0] not in CLITICS and start:
                after = " " + after
        text = self.original[:at] + after + self.original[stop:]
        return Rewritten(at, stop, self.original[at:stop], after, text)

    def _put_in(self, candidate: Candidate) -> tuple[tuple[int, int], str]:
        """Where words go, and how they are typed with their space."""
        i, (first, last) = candidate.start, candidate.sentence
        typed = joined(candidate.words)
        if i < last and (i == first or self.spaced[i - 1] or self.seen.texts[i - 1] in OPENING):
            return (self.starts[i], self.starts[i]), typed + " "
        return (self.ends[i - 1], self.ends[i - 1]), " " + typed

    def _left_out(self, candidate: Candidate) -> tuple[int, int]:
        """Tokens with the space that is then one too many: the wider one inside the sentence."""
        start, end, (first, last) = candidate.start, candidate.end, candidate.sentence
        at, stop = self.starts[start], self.ends[end - 1]
        left = at - self.ends[start - 1] if start > first else 0
        right = self.starts[end] - stop if end < last else 0
        close = end < last and not self.spaced[end - 1]  # a mark stays as close as it was
        if left and (left > right or close):
            return self.ends[start - 1], stop
        return at, stop + right

    def _replaced(self, start: int, end: int, words: Sequence[str]) -> str:
        """Words with the spaces of those that they replace, if there are as many."""
        between = [self.original[self.ends[i] : self.starts[i + 1]] for i in range(start, end - 1)]
        if len(words) != end - start or not all(map(str.isspace, between)):
            return joined(words)
        return "".join(word + space for word, space in zip(words, [*between, ""], strict=True))


def _between(kind: Kind, first: int, old: Sequence[str], new: Sequence[str], sentence: tuple[int, int]) -> Candidate:
    """What differs, without the words at both ends that are the same."""
    shorter = min(len(old), len(new))
    same = 0
    while same < shorter and old[same] == new[same]:
        same += 1
    tail = 0
    while tail < shorter - same and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    end = first + len(old) - tail
    return Candidate(kind, first + same, end, tuple(new[same : len(new) - tail]), sentence)


def joined(words: Sequence[str]) -> str:
    """Words with spaces between them, but for the parts of contractions."""
    typed = ""
    for word in words:
        tight = not typed or word.lower() in CLITICS or word in CLOSING or typed[-1] in "([{"
        typed += word if tight else " " + word
    return typed


def _shouts(texts: Sequence[str]) -> bool:
    """Whether a sentence of several words is written in capitals alone; *I* and *A* say nothing."""
    several = sum(map(is_word, texts)) > 1 and any(len(text) > 1 and text.isupper() for text in texts)
    return several and "".join(texts).isupper()
