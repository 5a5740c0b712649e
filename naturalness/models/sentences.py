"""How models read the sentences of a text: boundaries, capitalisation and spacing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from naturalness.text.view import Doc, View, view


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
