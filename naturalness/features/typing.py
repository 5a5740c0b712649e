"""How a text is typed: case, spacing and marks, measured on the original before normalisation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from naturalness.arrays import FloatArray
from naturalness.features.base import NAN, TOKENS_ALONE, TOTAL, Feature, ratio, rows
from naturalness.features.requirements import Requirement
from naturalness.text.normalisation import CLITIC, SPLIT_CLITIC
from naturalness.text.parsing import source_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

LAST = re.compile(r"""([.!?…])["'”’»)\]\s]*$""")
MARK = re.compile(r"(\s?)(?:[,.!?]++(?=\s|$|[\"'”’)])|[;:](?=\s|$))")
GLUED = re.compile(r"[,;!?](?=[^\W\d_])")
DOUBLED = re.compile(r"[!?]{2,}|,{2,}|;{2,}|(?<!\.)\.\.(?!\.)|\.{4,}")
WIDE_SPACE = re.compile(r"(?<=\S)[^\S\n\r]{2,}(?=\S)")
BARE_I = re.compile(r"(?<![\w.'’])i(?=$|[\s'’,;!?]|\.(?:\s|$))")
LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
CURLY = re.compile("[“”‘’]")


class TypingFeatures:
    """Conventions of typing; they predict ratings in some data sets and mislead in others."""

    name: ClassVar = "typing"
    parsed: ClassVar = TOKENS_ALONE
    requires: ClassVar[tuple[Requirement, ...]] = ()
    features: ClassVar = (
        Feature(
            "starts_capital",
            "1 if the first letter is a capital",
            "0, 1",
            "as in edited text",
            undefined="no letters",
            words="capital at the start",
        ),
        Feature(
            "ends_marked",
            "1 if the text ends in . ! ? or …, closing quotes and brackets aside",
            "0, 1",
            "as in edited text",
            undefined="empty text",
            words="mark at the end",
        ),
        Feature(
            "capital_share",
            "capitals / letters",
            "0..1",
            "more capitals",
            undefined="no letters",
            words="share of capitals",
        ),
        Feature(
            "all_lower",
            "1 if there is no capital",
            "0, 1",
            "typed without capitals",
            undefined="no letters",
            words="no capitals at all",
        ),
        Feature(
            "shouted_share",
            "words of two or more letters in capitals / words",
            "0..1",
            "more shouting or acronyms",
            undefined="no letters",
            words="words in capitals",
        ),
        Feature(
            "spaced_mark_share",
            "runs of , . ; : ! ? with a space before / such runs",
            "0..1",
            "tokenised or careless",
            undefined="no marks",
            words="spaces before marks",
        ),
        Feature(
            "n_glued_marks",
            "marks , ; ! ? directly followed by a letter",
            "0..",
            "careless",
            several=TOTAL,
            undefined="never",
            words="marks without a space after them",
        ),
        Feature(
            "n_doubled_marks",
            "runs of two or more of ! ?, of commas, semicolons, of two or of more than three full stops",
            "0..",
            "emphatic or careless",
            several=TOTAL,
            undefined="never",
            words="doubled marks",
        ),
        Feature(
            "n_wide_spaces",
            "runs of two or more spaces between words",
            "0..",
            "careless",
            several=TOTAL,
            undefined="never",
            words="double spaces",
        ),
        Feature(
            "n_split_contractions",
            "contractions with a space inside (do n't)",
            "0..",
            "tokenised",
            several=TOTAL,
            undefined="never",
            words="split contractions",
        ),
        Feature(
            "n_bare_i",
            "the pronoun I in lower case",
            "0..",
            "careless",
            several=TOTAL,
            undefined="never",
            words="“i” in lower case",
        ),
        Feature(
            "n_exclamations",
            "exclamation marks",
            "0..",
            "more emphasis",
            several=TOTAL,
            undefined="never",
            words="exclamation marks",
        ),
        Feature(
            "n_curly_quotes",
            "typographic quotation marks and apostrophes",
            "0..",
            "typeset",
            several=TOTAL,
            undefined="never",
            words="curly quotation marks",
        ),
        Feature(
            "non_ascii_share",
            "characters outside ASCII / characters",
            "0..1",
            "more symbols or other scripts",
            undefined="empty text",
            words="symbols and foreign letters",
        ),
    )

    def extract(self, docs: Sequence[Doc]) -> FloatArray:
        """Numbers of shape (n_docs, n_features)."""
        return rows(docs, lambda doc: measure(source_of(doc).original), len(self.features))


def measure(text: str) -> tuple[float, ...]:
    """One row, in the order of the table above."""
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
