"""One step from a text as typed to a text as read, with a map back to the original offsets.

What changes, in this order:

1. control, zero-width and direction marks vanish; letters and their accents are composed (NFC);
2. halves of characters become U+FFFD; curly, doubled and back-tick quotes ``'`` and ``"``;
   ``-LRB-`` and its kin brackets;
3. every run of white space becomes one space; blank lines are remembered as paragraph breaks;
4. the spaces of tokenised text go: ``a , b .`` and ``( c )`` and ``" d "``;
5. contractions are joined: ``do n't``, ``it 's``, ``gon na``.

Typing (case, spacing, kind of punctuation) is therefore measured on the original. `letters` goes
further: it leaves nothing of how a text is typed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from re import Match


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """A text as read. ``starts`` and ``ends`` give the original span of each character."""

    original: str
    text: str
    starts: tuple[int, ...] | None = None
    """None where nothing but the ends was cut: offsets then differ by ``shift`` alone."""
    ends: tuple[int, ...] | None = None
    shift: int = 0
    breaks: tuple[int, ...] = ()
    """Offsets in ``text`` at which a new paragraph starts."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original from which ``text[start:end]`` came."""
        if self.starts is None or self.ends is None:
            return start + self.shift, end + self.shift
        if start >= len(self.starts):
            return len(self.original), len(self.original)
        if end <= start:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.ends[min(end, len(self.ends)) - 1]


INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]+"
)
COMBINING = re.compile(r"[^\W_][\u0300-\u036f]+")
QUOTES = {
    "‘": "'",
    "’": "'",
    "‚": "'",
    "‛": "'",
    "′": "'",
    "ʼ": "'",
    "`": "'",
    "´": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "‟": '"',
    "«": '"',
    "»": '"',
    "″": '"',
}
QUOTE = re.compile("``|''|[" + "".join(QUOTES) + "]")
SURROGATE = re.compile("[\ud800-\udfff]")
OPENING_QUOTE = re.compile(r"(?:``|[“„«]) +(?=\S)")
CLOSING_QUOTE = re.compile(r"(?<=\S) +(?:''|[”»])")
BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
BRACKET = re.compile(r"(?<!\S)-(LRB|RRB|LSB|RSB|LCB|RCB|lrb|rrb|lsb|rsb|lcb|rcb)-(?!\S)")
BLANK_LINE = re.compile(r"(?:\r\n|[\n\r\u0085\u2028])[^\S\n\r]*(?:\r\n|[\n\r\u0085\u2028])|\u2029")
LETTERS = "LMN"
"""Unicode's categories of letters, of the marks that are parts of them, and of digits."""
SPACES = re.compile(r"\s+")
PLAIN_SPACE = re.compile(r"[^\S ]| {2}")
PARAGRAPH = "\u2029"
SPACED_PARAGRAPH = re.compile(r"(?<!\s)\s*\u2029\s*")
# A colon or semicolon right before a letter or bracket begins an emoticon and keeps its space; a
# mark between two digits (3 : 1) keeps it too.
CLOSING_MARK = r"(?:[,!?)\]}]|[:;](?=\s|$)|\.(?!\w))"
BEFORE_CLOSING = re.compile(rf"(?<=[^\s\d]) +(?={CLOSING_MARK})|(?<=\d) +(?={CLOSING_MARK}(?!\s*\d))|(?<=\d) +(?=%)")
# The bracket of :( and :-( opens nothing.
AFTER_OPENING = re.compile(r"(?<=[(\[{])(?<![:;=8][(\[{])(?<![:;=8][-'^][(\[{]) +(?=\S)|(?<=[$£€]) (?=\d)")
END_OF_CLITIC = r"(?![\w'-])"
CLITIC = re.compile(rf"(?<=[^\W_]|\.) +(?=(?:n't|'(?:s|m|d|ll|re|ve)){END_OF_CLITIC})", re.IGNORECASE)
SPLIT_CLITIC = re.compile(rf"(?<=[^\W\d_]) ' (?=(?:s|m|d|ll|re|ve|t){END_OF_CLITIC})", re.IGNORECASE)
PLURAL_POSSESSIVE = re.compile(r"(?<=[sS]) '(?= [a-z])")
SPACED_APOSTROPHE = re.compile(r"(?<=\s)'(?=[\s.,;:!?]|$)")
GLUED = re.compile(r"(?<=\b[Gg]on) (?=na\b)|(?<=\b[Gg]ot) (?=ta\b)|(?<=\b[Ww]an) (?=na\b)")
SPACED_QUOTE = re.compile(r'(?:(?<=\s)|^)"(?=[ .,;:!?]|$)')

# Somewhere in every ASCII text without control characters that one of the patterns above matches.
SUSPECT = re.compile(r""" (?:[ ,!?)\]}:;.%'"]|[nN]'|[nt]a)|[(\[{$] |[`]|''|^"|-[LRlr][RSCrsc][Bb]-""")


class _Editor:
    """A text under edit; every character knows the span of the original that it stands for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = list(range(len(text)))
        self.ends = [i + 1 for i in self.starts]

    def replace(self, pattern: re.Pattern[str], new: Callable[[Match[str]], str]) -> None:
        """Replace each match; its new characters stand for the whole of it."""
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        last = 0
        for match in pattern.finditer(self.text):
            at, stop = match.span()
            fresh = new(match)
            if fresh == match.group():
                continue
            parts += [self.text[last:at], fresh]
            starts += self.starts[last:at]
            ends += self.ends[last:at]
            if at < stop:
                starts += [self.starts[at]] * len(fresh)
                ends += [self.ends[stop - 1]] * len(fresh)
            last = stop
        if last or parts:
            self.text = "".join([*parts, self.text[last:]])
            self.starts = starts + self.starts[last:]
            self.ends = ends + self.ends[last:]

    def strip(self) -> None:
        """Cut white space at both ends."""
        left = len(self.text) - len(self.text.lstrip())
        right = len(self.text.rstrip())
        self.text = self.text[left:right]
        self.starts, self.ends = self.starts[left:right], self.ends[left:right]


def normalise(original: str) -> NormalisedText:
    """Normalise a text as the module describes; never fails, may return an empty text."""
    stripped = original.strip()
    if not _needs_work(stripped):
        return NormalisedText(original, stripped, shift=original.find(stripped[:1]))
    editor = _Editor(original)
    editor.replace(INVISIBLE, lambda m: "")
    editor.replace(SURROGATE, lambda m: "\ufffd")
    editor.replace(COMBINING, lambda m: unicodedata.normalize("NFC", m.group()))
    editor.replace(OPENING_QUOTE, lambda m: '"')
    editor.replace(CLOSING_QUOTE, lambda m: '"')
    editor.replace(QUOTE, lambda m: QUOTES.get(m.group(), '"'))
    editor.replace(BRACKET, lambda m: BRACKETS[m.group(1).lower()])
    editor.strip()
    editor.replace(BLANK_LINE, lambda m: PARAGRAPH)
    editor.replace(SPACED_PARAGRAPH, lambda m: PARAGRAPH)
    editor.replace(SPACES, lambda m: m.group() if m.group() == PARAGRAPH else " ")
    _join_tokens(editor)
    editor.strip()
    breaks = tuple(i + 1 for i, c in enumerate(editor.text) if c == PARAGRAPH)
    text = editor.text.replace(PARAGRAPH, " ")
    return NormalisedText(original, text, tuple(editor.starts), tuple(editor.ends), breaks=breaks)


def letters(original: str) -> str:
    """Return the letters and digits of a text, case folded (NFKC): what no typing changes.

    Two texts with the same letters differ in capitals, spaces, punctuation or tokenisation alone. A
    text without any letter or digit is returned as `normalise` has it.
    """
    folded = unicodedata.normalize("NFKC", normalise(original).text).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    kept = [c for c in folded if unicodedata.category(c)[0] in LETTERS]
    return "".join(kept) or " ".join(folded.split())


def _needs_work(text: str) -> bool:
    """Whether anything but the ends would change; most texts are clean."""
    if text.isascii() and text.isprintable() and not SUSPECT.search(text):
        return False
    return bool(
        not text.isascii()
        or PLAIN_SPACE.search(text)
        or INVISIBLE.search(text)
        or QUOTE.search(text)
        or BRACKET.search(text)
        or BEFORE_CLOSING.search(text)
        or AFTER_OPENING.search(text)
        or CLITIC.search(text)
        or SPLIT_CLITIC.search(text)
        or GLUED.search(text)
        or SPACED_QUOTE.search(text)
    )


def _join_tokens(editor: _Editor) -> None:
    """Undo the spacing of tokenised text."""
    editor.replace(SPLIT_CLITIC, lambda m: "'")
    editor.replace(CLITIC, lambda m: "")
    tokenised = bool(BEFORE_CLOSING.search(editor.text))
    editor.replace(BEFORE_CLOSING, lambda m: "")
    editor.replace(AFTER_OPENING, lambda m: "")
    editor.replace(GLUED, lambda m: "")
    if tokenised and len(SPACED_APOSTROPHE.findall(editor.text)) == 1:
        # Two of them quote something; in running text one may close: the 'best years' of it.
        editor.replace(PLURAL_POSSESSIVE, lambda m: "'")
    spaced = len(SPACED_QUOTE.findall(editor.text))
    if spaced % 2 == 0 and spaced == editor.text.count('"'):
        _close_quotes(editor)


def _close_quotes(editor: _Editor) -> None:
    """Spaced double quotes in pairs: the first opens, the second closes."""
    drop: set[int] = set()
    for count, match in enumerate(SPACED_QUOTE.finditer(editor.text)):
        inner = match.end() if count % 2 == 0 else match.start() - 1
        if 0 <= inner < len(editor.text) and editor.text[inner] == " ":
            drop.add(inner)
    if drop:
        editor.replace(re.compile(" "), lambda m: "" if m.start() in drop else " ")
