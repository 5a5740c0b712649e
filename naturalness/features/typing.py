"""Case, spacing and punctuation, measured on the text as typed, before normalisation."""

from __future__ import annotations

import re
from itertools import chain

from naturalness.features.base import NAN, MeasuredGroup, ratio
from naturalness.text.normalisation import CLITIC, SPLIT_CLITIC
from naturalness.text.parsing import source_of
from naturalness.text.view import Doc

LAST = re.compile(r"""([.!?…])["'”’»)\]\s]*$""")
MARK = re.compile(r"(\s?)(?:[,.!?]++(?=\s|$|[\"'”’)])|[;:](?=\s|$))")
GLUED = re.compile(r"[,;!?](?=[^\W\d_])")
DOUBLED = re.compile(r"[!?]{2,}|,{2,}|;{2,}|(?<!\.)\.\.(?!\.)|\.{4,}")
WIDE_SPACE = re.compile(r"(?<=\S)[^\S\n\r]{2,}(?=\S)")
BARE_I = re.compile(r"(?<![\w.'’])i(?=$|[\s'’,;!?]|\.(?:\s|$))")
LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
CURLY = re.compile("[“”‘’]")


def measure(doc: Doc) -> tuple[float, ...]:
    """Return the values of a Doc in the order of ``tables/typing.csv``."""
    text = source_of(doc).original
    stripped = text.strip()
    straight = text.replace("’", "'")
    words = LETTERS.findall(text)
    letters = [*filter(str.isalpha, chain.from_iterable(words))]
    capitals = sum(map(str.isupper, letters))
    first = next(filter(str.isalpha, stripped), "")
    marks = MARK.findall(text)
    return (
        float(first.isupper()) if first else NAN,
        float(LAST.search(stripped) is not None) if stripped else NAN,
        ratio(capitals, len(letters)),
        float(not capitals) if letters else NAN,
        ratio(sum(len(word) > 1 and word.isupper() for word in words), len(words)),
        ratio(sum(map(bool, marks)), len(marks)),
        len(GLUED.findall(text)),
        len(DOUBLED.findall(text)),
        len(WIDE_SPACE.findall(stripped)) if stripped != " ".join(stripped.split()) else 0,
        len(CLITIC.findall(straight)) + len(SPLIT_CLITIC.findall(straight)) if "'" in straight else 0,
        len(BARE_I.findall(text)),
        text.count("!"),
        0 if text.isascii() else len(CURLY.findall(text)),
        0.0 if text and text.isascii() else ratio(sum(c > "\x7f" for c in text), len(text)),
    )


TYPING = MeasuredGroup(
    "typing", "Conventions of typing; they predict ratings in some data sets and mislead in others.", measure
)
