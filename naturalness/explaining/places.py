"""Odd places in a text, found by the detector, the parse and counts of phrases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from naturalness.english.stock_phrases import stock_phrases
from naturalness.explaining.causes import KINDS as CAUSES
from naturalness.explaining.causes import TABLES
from naturalness.explaining.explanation import Finding
from naturalness.models.detector import KINDS, detect
from naturalness.text.parsing import original_span, source_of
from naturalness.text.view import Doc, View, view, word_set

MIN_DAMAGE = 0.2
"""The smallest probability of damage at which a word is marked."""
LONG_SENTENCE = 40
"""The smallest number of words at which a sentence counts as long."""

MARKS: Mapping[str, Mapping[str, Any]] = TABLES["marks"]
"""The kind, source, message and weight of findings, keyed by code."""

HALVES = word_set("ai ca wo sha")
"""Tokens of *ain't*, *can't*, *won't* and *shan't* that are shown together with the *n't* after them."""


def spanned(
    doc: Doc, seen: View, first: int, last: int, code: str, weight: float | None = None, **said: Any
) -> Finding:
    """Return a finding that covers the tokens of the view from ``first`` to ``last``, inclusive; a gap is placed before
    ``first``.

    ``weight`` is the probability that a model assigns, and ``said`` are the values that the message mentions.
    """
    if seen.lower[last] in HALVES and seen.lower[last + 1 : last + 2] == ["n't"]:
        last += 1
    first_token, last_token = doc[seen.positions[first]], doc[seen.positions[last]]
    start, end = original_span(doc, first_token.idx, last_token.idx + len(last_token))
    if MARKS[code]["kind"] == "missing":
        end = start
    return marked(source_of(doc).original, start, end, code, weight, **said)


def marked(
    text: str,
    start: int,
    end: int,
    code: str,
    weight: float | None = None,
    *,
    suggestions: tuple[str, ...] = (),
    **said: Any,
) -> Finding:
    """Return a finding in ``text[start:end]``, with the fields that `MARKS` gives its code."""
    mark = MARKS[code]
    kind, message, weight = mark["kind"], mark["message"].format(**said), mark.get("weight", weight)
    return Finding(
        start, end, text[start:end], kind, CAUSES[kind], message, mark["source"], weight, suggestions, code=code
    )


def damaged(doc: Doc) -> Iterator[Finding]:
    """Yield words that the detector judges damaged; adjacent words with the same kind of damage share a finding."""
    seen, (detected,) = view(doc), detect([doc])
    damage = dict(zip(detected.tokens, detected.damage.tolist(), strict=True))
    kinds = dict(zip(detected.tokens, detected.logs[:, 1:].argmax(axis=1).tolist(), strict=True))
    run: list[int] = []
    for i in [*range(len(seen.texts)), len(seen.texts)]:
        odd = damage.get(i, 0.0) >= MIN_DAMAGE
        if run and not (odd and kinds[i] == kinds[run[0]] and KINDS[1 + kinds[i]] != "missing"):
            # A lower bound on the probability that at least one of the words is damaged.
            weight = max(damage[k] for k in run)
            yield spanned(doc, seen, run[0], run[-1], f"suspect-{KINDS[1 + kinds[run[0]]]}", weight)
            run = []
        if odd:
            run.append(i)


def long(doc: Doc, seen: View) -> Iterator[Finding]:
    """Yield sentences with many words."""
    for (start, end), words in zip(seen.sentences, seen.sentence_words, strict=True):
        if len(words) >= LONG_SENTENCE:
            yield spanned(doc, seen, start, end - 1, "long-sentence", n=len(words))


def stock(doc: Doc, seen: View) -> Iterator[Finding]:
    """Yield phrases that language models write far more often than people do."""
    listed = stock_phrases()
    matches = (match for sentence in seen.sentences for match in listed.matches(seen.lower, *sentence))
    for start, end in matches:
        times = listed.times[tuple(seen.lower[start:end])]
        yield spanned(doc, seen, start, end - 1, "stock-phrase", times=times)
