"""Normalise a text, with a map back to the original offsets.

These changes are made, in this order:

1. control, zero-width and direction marks are removed; letters and their accents are composed (NFC);
2. lone surrogates become U+FFFD (but see `INVALID_BYTE`); curly, doubled and back-tick quotes become ``'`` and ``"``;
   ``-LRB-`` and the like become brackets;
3. every run of white space becomes one space; blank lines are remembered as paragraph breaks;
4. the spaces of tokenised text are removed: ``a , b .`` and ``( c )`` and ``" d "``;
5. contractions are joined: ``do n't``, ``it 's``, ``gon na``.

Features of typing (case, spacing, kind of punctuation) are therefore measured on the original text.
`letters` goes further: it removes all differences in how a text is typed.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from naturalness.text.mapped import MappedText


@dataclass(frozen=True, slots=True)
class NormalisedText:
    """A text as typed and as normalised, with the original span of each normalised character."""

    original: str
    text: str
    mapped: MappedText | None = None
    """The normalised text with its original spans; None if only the ends were cut, so offsets differ by ``shift``."""
    shift: int = 0
    breaks: tuple[int, ...] = ()
    """Offsets in ``text`` at which a new paragraph starts."""

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of ``text[start:end]``."""
        if self.mapped is None:
            return start + self.shift, end + self.shift
        return self.mapped.span(start, end)


INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]+"
)
COMBINING = re.compile(r"[^\W_][\u0300-\u036f]+")
QUOTES = dict.fromkeys("‘’‚‛′ʼ`´", "'") | dict.fromkeys("“”„‟«»″", '"')
QUOTE = re.compile("``|''|[" + "".join(QUOTES) + "]")
SURROGATE = re.compile("[\ud800-\udfff]")
INVALID_BYTE = re.compile("[\udc80-\udcff]")
"""Surrogates that stand for bytes that are not UTF-8 (``surrogateescape``); they make a text unusable."""
NOT_UTF8 = "not valid UTF-8"
"""The reason why a text with such bytes cannot be judged."""
OPENING_QUOTE = re.compile(r"(?:``|[“„«]) +(?=\S)")
CLOSING_QUOTE = re.compile(r"(?<=\S) +(?:''|[”»])")
BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
BRACKET = re.compile(r"(?<!\S)-(LRB|RRB|LSB|RSB|LCB|RCB|lrb|rrb|lsb|rsb|lcb|rcb)-(?!\S)")
# The groups are atomic, so that one \r\n is never read as two line ends.
BLANK_LINE = re.compile(r"(?>\r\n|[\n\r\u0085\u2028])[^\S\n\r]*(?>\r\n|[\n\r\u0085\u2028])|\u2029")
LETTERS = "LMN"
"""First letters of the Unicode categories of letters, of combining marks and of numbers."""
SPACES = re.compile(r"\s+")
PARAGRAPH = "\u2029"
SPACED_PARAGRAPH = re.compile(r"(?<!\s)\s*\u2029\s*")
# A colon or semicolon right before a letter or bracket begins an emoticon, so the space before it is kept, as is the
# space before a mark between two digits (3 : 1).
CLOSING_MARK = r"(?:[,!?)\]}]|[:;](?=\s|$)|\.(?!\w))"
BEFORE_CLOSING = re.compile(rf"(?<=[^\s\d]) +(?={CLOSING_MARK})|(?<=\d) +(?={CLOSING_MARK}(?!\s*\d))|(?<=\d) +(?=%)")
# The bracket of the emoticons :( and :-( is not an opening bracket.
AFTER_OPENING = re.compile(r"(?<=[(\[{])(?<![:;=8][(\[{])(?<![:;=8][-'^][(\[{]) +(?=\S)|(?<=[$£€]) (?=\d)")
END_OF_CLITIC = r"(?![\w'-])"
CLITIC = re.compile(rf"(?<=[^\W_]|\.) +(?=(?:n't|'(?:s|m|d|ll|re|ve)){END_OF_CLITIC})", re.IGNORECASE)
SPLIT_CLITIC = re.compile(rf"(?<=[^\W\d_]) ' (?=(?:s|m|d|ll|re|ve|t){END_OF_CLITIC})", re.IGNORECASE)
PLURAL_POSSESSIVE = re.compile(r"(?<=[sS]) '(?= [a-z])")
SPACED_APOSTROPHE = re.compile(r"(?<=\s)'(?=[\s.,;:!?]|$)")
GLUED = re.compile(r"(?<=\b[Gg]on) (?=na\b)|(?<=\b[Gg]ot) (?=ta\b)|(?<=\b[Ww]an) (?=na\b)")
SPACED_QUOTE = re.compile(r'(?:(?<=\s)|^)"(?=[ .,;:!?]|$)')

# If this does not match an ASCII text without control characters, none of the patterns above changes it.
SUSPECT = re.compile(r""" (?:[ ,!?)\]}:;.%'"]|[nN]'|[nt]a)|[(\[{$] |[`]|''|^"|-[LRlr][RSCrsc][Bb]-""")


PLAIN = (
    (INVISIBLE, ""),
    (SURROGATE, "\ufffd"),
    (COMBINING, lambda m: unicodedata.normalize("NFC", m.group())),
    (OPENING_QUOTE, '"'),
    (CLOSING_QUOTE, '"'),
    (QUOTE, lambda m: QUOTES.get(m.group(), '"')),
    (BRACKET, lambda m: BRACKETS[m.group(1).lower()]),
)
"""Patterns and their replacements, in the order in which they are applied."""
SPACING = (
    (BLANK_LINE, PARAGRAPH),
    (SPACED_PARAGRAPH, PARAGRAPH),
    (SPACES, lambda m: m.group() if m.group() == PARAGRAPH else " "),
)


def normalise(original: str) -> NormalisedText:
    """Normalise a text as described in the module's docstring; it never fails, but may return an empty text."""
    stripped = original.strip()
    if stripped.isascii() and stripped.isprintable() and not SUSPECT.search(stripped):
        return NormalisedText(original, stripped, shift=original.find(stripped[:1]))
    return with_map(original)


def with_map(original: str) -> NormalisedText:
    """Normalise a text, and map each character to its original span."""
    mapped = MappedText.of(original)
    for pattern, new in PLAIN:
        mapped = mapped.substituted(pattern, new)
    mapped = mapped.stripped()
    for pattern, new in SPACING:
        mapped = mapped.substituted(pattern, new)
    mapped = _join_tokens(mapped).stripped()
    breaks = tuple(i + 1 for i, c in enumerate(mapped.text) if c == PARAGRAPH)
    return NormalisedText(original, mapped.text.replace(PARAGRAPH, " "), mapped, breaks=breaks)


def letters(original: str) -> str:
    """Return the letters and digits of a text, case folded (NFKC).

    Two texts with the same letters differ only in capitals, spaces, punctuation or tokenisation. For a text that
    contains neither letters nor digits, return the normalised text.
    """
    folded = unicodedata.normalize("NFKC", normalise(original).text).casefold()
    folded = unicodedata.normalize("NFKC", folded)
    return "".join(c for c in folded if unicodedata.category(c)[0] in LETTERS) or " ".join(folded.split())


def _join_tokens(mapped: MappedText) -> MappedText:
    """Undo the spacing of tokenised text."""
    mapped = mapped.substituted(SPLIT_CLITIC, "'").substituted(CLITIC, "")
    tokenised = bool(BEFORE_CLOSING.search(mapped.text))
    for pattern in (BEFORE_CLOSING, AFTER_OPENING, GLUED):
        mapped = mapped.substituted(pattern, "")
    if tokenised and len(SPACED_APOSTROPHE.findall(mapped.text)) == 1:
        # Two would be a pair of quotation marks; in untokenised text, even one may be: the 'best years' of it.
        mapped = mapped.substituted(PLURAL_POSSESSIVE, "'")
    spaced = len(SPACED_QUOTE.findall(mapped.text))
    if spaced % 2 == 0 and spaced == mapped.text.count('"'):
        mapped = _close_quotes(mapped)
    return mapped


def _close_quotes(mapped: MappedText) -> MappedText:
    """Close up spaced double quotes in pairs: the first opens, the second closes."""
    drop: set[int] = set()
    for count, match in enumerate(SPACED_QUOTE.finditer(mapped.text)):
        inner = match.end() if count % 2 == 0 else match.start() - 1
        if mapped.text[inner : inner + 1] == " ":
            drop.add(inner)
    return mapped.substituted(re.compile(" "), lambda m: "" if m.start() in drop else " ") if drop else mapped
