"""The tokens of a Doc as plain lists, which are made once and shared by all feature groups.

A *word* is a token with a letter or a digit. Punctuation and symbols are not words; the parts of a contraction
(``do``, ``n't``) are two words. The last functions tell how models read sentences: their boundaries, capitalisation
and spacing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from spacy.tokens import Doc as Doc  # for other modules too
else:
    Doc = Any  # spaCy is imported on first use, as that takes half a second

Value = TypeVar("Value")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


VIEW = "naturalness.text.view"
CLITICS = word_set("n't 's 'm 're 've 'll 'd '")
"""Tokens that follow a word without a space."""
CONTENT = word_set("NOUN PROPN VERB ADJ ADV")

# The nearest Universal Dependencies relation, keyed by spaCy's own English label.
UNIVERSAL = {
    "nsubjpass": "nsubj:pass",
    "csubjpass": "csubj:pass",
    "auxpass": "aux:pass",
    "dobj": "obj",
    "dative": "iobj",
    "relcl": "acl:relcl",
    "pcomp": "advcl",
    "poss": "nmod:poss",
    "prt": "compound:prt",
    "neg": "advmod",
    "ROOT": "root",
}


@dataclass(frozen=True, slots=True)
class View:
    """Parallel lists with an entry for each token, except white space tokens; heads are indices into these lists."""

    texts: list[str]
    lower: list[str]
    lemmas: list[str]
    """Lemmas in lower case."""
    pos: list[str]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    """Index of the head of each token; a root is its own head."""
    words: list[int]
    """Indices of the tokens that are words."""
    sentences: list[tuple[int, int]]
    """Start and end of each sentence that has a word."""
    sentence_words: list[list[int]]
    """Indices of the words in each of the sentences."""
    positions: list[int]
    """Index of each token in the Doc."""


def is_word(text: str) -> bool:
    """Return whether a token has a letter or a digit."""
    return text.isalnum() or any(map(str.isalnum, text))


def view(doc: Doc) -> View:
    """Return the view of a Doc; it is stored with the Doc."""
    shared = doc.user_data.get(VIEW)
    if not isinstance(shared, View):
        shared = _make(doc)
        doc.user_data[VIEW] = shared
    return shared


def stored_beside(docs: Sequence[Doc], key: str, measure: Callable[[list[Doc]], Iterable[Value]]) -> list[Value]:
    """Return a value for each Doc; measure Docs that have none yet, and store their values in ``user_data``."""
    new = [doc for doc in docs if key not in doc.user_data]
    for doc, value in zip(new, measure(new), strict=True):
        doc.user_data[key] = value
    return [doc.user_data[key] for doc in docs]


def _make(doc: Doc) -> View:
    from spacy.attrs import DEP, HEAD, LEMMA, LOWER, ORTH, POS, SENT_START, TAG

    strings = doc.vocab.strings
    table = doc.to_array([LOWER, LEMMA, POS, TAG, DEP, HEAD, SENT_START, ORTH])
    columns: list[list[Any]] = table.T.tolist()
    keys = columns[:5] + columns[7:]
    text = {key: strings[key] for key in set().union(*keys)}.__getitem__
    lower = list(map(text, columns[0]))
    heads = [i + (h if h < 1 << 63 else h - (1 << 64)) for i, h in enumerate(columns[5])]
    visible = list(range(len(lower)))
    if any(map(str.isspace, lower)):
        for i, word in enumerate(lower[:-1]):
            if word.isspace() and columns[6][i] == 1:
                columns[6][i + 1] = 1  # the sentence begins with the next token
        visible = [i for i in visible if not lower[i].isspace()]
        renumbered = {old: new for new, old in enumerate(visible)}
        heads = [renumbered.get(heads[i], renumbered[i]) for i in visible]
        columns = [[column[i] for i in visible] for column in columns]
        lower = [lower[i] for i in visible]
    lemmas = [text(k).lower() or low for k, low in zip(columns[1], lower, strict=True)]
    words = [i for i, word in enumerate(lower) if word.isalnum() or is_word(word)]
    sentences, sentence_words = _sentences(columns[6], words)
    return View(
        texts=list(map(text, columns[7])),
        lower=lower,
        lemmas=lemmas,
        pos=list(map(text, columns[2])),
        tags=list(map(text, columns[3])),
        deps=[UNIVERSAL.get(d, d) for d in map(text, columns[4])],
        heads=heads,
        words=words,
        sentences=sentences,
        sentence_words=sentence_words,
        positions=visible,
    )


def _sentences(starts: list[int], words: list[int]) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """Return the bounds and words of each sentence that has words."""
    bounds = [i for i, start in enumerate(starts) if i == 0 or start == 1]
    sentences, inside, at = [], [], 0
    for start, end in pairwise([*bounds, len(starts)]):
        stop = at
        while stop < len(words) and words[stop] < end:
            stop += 1
        if stop > at:
            sentences.append((start, end))
            inside.append(words[at:stop])
        at = stop
    return sentences, inside


def bounds(view: View) -> list[tuple[int, int]]:
    """Return the start and end of each sentence; tokens between sentences belong to the previous one.

    A view lists only sentences with a word: a lone full stop is not scored as a sentence.
    """
    if len(view.sentences) < 2:
        return [(0, len(view.texts))] if view.sentences else []
    starts = [0, *(start for start, _ in view.sentences[1:]), len(view.texts)]
    return list(pairwise(starts))


def spelled(view: View, capitals: Mapping[str, str]) -> list[str]:
    """Return the words, with capitals restored if the text has none.

    Some systems and chats write everything in lower case, and some headings are all in capitals; a model of edited text
    would penalise them for their case. A text with both cases is left unchanged. If ``capitals`` is empty, every
    text is left unchanged, since the model may have been trained on lower-case text.
    """
    texts, lower = view.texts, view.lower
    if not capitals:
        return texts
    capital = "".join(texts).isupper() and len(view.words) > 1 and not any(map(str.islower, texts))
    if texts != lower and not capital:  # neither all in lower case nor all in capitals
        return texts
    words = [capitals.get(word, word) for word in lower]
    for start, stop in bounds(view):
        for i in range(start, stop):
            if words[i][0].isalpha():
                first = words[i][0].upper()
                if len(first) == 1:  # `ß` has no single capital
                    words[i] = first + words[i][1:]
                break
    return words


def spaces_of(doc: Doc) -> list[bool]:
    """Return whether white space follows each token of a Doc's view."""
    positions = view(doc).positions
    gaps = [following - position > 1 for position, following in pairwise([*positions, len(doc)])]
    return [gap or bool(doc[i].whitespace_) for i, gap in zip(positions, gaps, strict=True)]
