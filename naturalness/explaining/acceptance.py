"""The probability that an editor would accept an edit, from the signs of its being right.

Boosted trees read the mender's probability, the changes that the edit makes to the readings of the detector and of the
small language model, its rivals in the same place, the rule or spelling behind it, and its kind. They were fitted to
edits that people made and did not make (`python -m training.mender.acceptance`), and they do not depend on the model
that scores the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import get_args

import numpy as np

from naturalness.arrays import BoolArray, FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.errors import AssetError, ModelError
from naturalness.explaining.candidates import UNLIKELY, Proposal
from naturalness.explaining.rewriting import EditableText, Kind, touch
from naturalness.features import round_significant
from naturalness.files.archive import unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.detector import detect, share_readings
from naturalness.models.language import shipped
from naturalness.models.learners.trees import Trees
from naturalness.models.learners.units import read_part
from naturalness.models.mender import ASSET
from naturalness.text.view import Doc

FILE = "acceptance.npz"
FORMAT = "acceptance"
"""The prefix of the names of the arrays in the file."""
EDIT_KINDS: tuple[Kind, ...] = get_args(Kind)
READINGS = ("likelihood", "soundness", "damage", "ln_sound", "words")
"""The readings of a sentence whose changes are signs: ln p, soundness, the expected number of damaged words, the sum of
the words' ln p(sound), and the number of words."""
RIVALLED = ("mended", "likelihood", "soundness")
"""The signs in which an edit is compared with its best rival."""
SIGNS = (
    *("mended", "sound", "error", "warning", "hint", "spelling_share", "misspelt", *READINGS, "sentence", "length"),
    *(*(f"rival_{name}" for name in RIVALLED), "zipf_before", "zipf_after", "capital", "lower", "tidy"),
    *EDIT_KINDS,
)
"""The names of the columns that `signs` returns."""
TIDY = re.compile(r"[\W\d]*[A-Z].*[.!?:][\"'”’)]*", re.DOTALL)
"""A text that begins with a capital and ends with a mark, as careful writers have it."""
MAX_CHANGE = 8.0
"""Changes of the networks' readings are clipped at this value."""
DETECTED, FORETOLD = READINGS[1:], READINGS[:1]
"""The readings of the detector, and that of the language model, which takes longest."""


class Edits:
    """Candidate edits of a text, and the networks' readings of its sentences before and after each edit."""

    def __init__(self, text: EditableText, proposed: Sequence[Proposal]) -> None:
        self.text, self.proposed = text, proposed
        candidates = [proposal.candidate for proposal in proposed]
        sentences = list(dict.fromkeys(candidate.sentence for candidate in candidates))
        self.sentence = np.array([sentences.index(candidate.sentence) for candidate in candidates], np.int64)
        """The row of each edit's sentence in ``words`` and ``readings``; the rows of the edits follow."""
        old = text.seen.texts
        self.words = [old[first:last] for first, last in sentences]
        for edit in candidates:
            first, last = edit.sentence
            self.words.append([*old[first : edit.start], *edit.words, *old[edit.end : last]])
        self.readings = np.full((len(self.words), len(READINGS)), np.nan)
        """The `READINGS`; NaN where nothing was read."""
        self.readings[:, READINGS.index("words")] = [_length(words) for words in self.words]
        self.touching = np.array([[touch(edit, other) for other in candidates] for edit in candidates], np.bool_)
        self._stated = _stated(text, proposed)

    def doc(self, row: int) -> Doc:
        """Return an unparsed Doc of a row of ``words``, which is all that the networks need."""
        from spacy.tokens import Doc

        doc = Doc(self.text.doc.vocab, words=self.words[row])
        share_readings([doc], self.text.doc)
        return doc

    def rows(self, edits: BoolArray) -> BoolArray:
        """Return the rows of ``readings`` to read for some edits: those of the edits and of their sentences."""
        rows = np.append(np.zeros(len(self.words) - len(edits), np.bool_), edits)
        rows[self.sentence[edits]] = True
        return rows

    def same_words(self, some: BoolArray) -> BoolArray:
        """Return which edits replace the same words as one of ``some``; they have the same rivals."""
        spans = [(proposal.candidate.start, proposal.candidate.end) for proposal in self.proposed]
        chosen = set(compress(spans, some))
        return np.array([span in chosen for span in spans], np.bool_)

    def rivals(self, some: BoolArray) -> BoolArray:
        """Return which edits touch one that replaces the same words as one of ``some``; they include themselves."""
        return np.asarray(self.touching[:, self.same_words(some)].any(axis=1), np.bool_)

    def ranges(self) -> FloatArray:
        """Return the smallest and the largest values that the signs can have, (2, edits, `SIGNS`)."""
        before, after = self.readings[self.sentence], self.readings[-len(self.sentence) :]
        soundness, n_words = (before[:, [READINGS.index(name)]] for name in ("soundness", "words"))
        unread = np.array([-MAX_CHANGE, MAX_CHANGE])[:, None, None]
        ends = np.array([self._stated, self._stated])
        ends[..., _columns(*READINGS)] = _clipped(np.where(np.isnan(after), unread, after - before))
        ends[..., _columns("sentence", "length")] = np.hstack([_clipped(soundness), n_words])
        compared = ends[..., _columns(*RIVALLED)]
        others = self.touching & ~np.eye(len(self.touching), dtype=np.bool_)
        best = np.where(others[..., None], compared[:, None], -np.inf).max(axis=2, initial=-np.inf)
        # An edit is the least ahead if it is at its worst and its rivals are at their best.
        ends[..., _columns(*(f"rival_{name}" for name in RIVALLED))] = _clipped(compared - best[::-1])
        return ends


def _columns(*names: str) -> list[int]:
    return [SIGNS.index(name) for name in names]


def _clipped(changes: FloatArray) -> FloatArray:
    return np.clip(changes, -MAX_CHANGE, MAX_CHANGE)


def _length(words: Sequence[str]) -> int:
    """Return the number of tokens that the detector reads; none of a sentence without letters."""
    return len(words) if any(map(str.isalpha, "".join(words))) else 0


def _stated(text: EditableText, proposed: Sequence[Proposal]) -> FloatArray:
    """Return the signs that need no reading by a network, (edits, `SIGNS`), with zeros in place of the others."""
    seen, known = text.seen, load_wordlist()
    rows = []
    for proposal in proposed:
        candidate = proposal.candidate
        old, inside = seen.lower[candidate.start : candidate.end], max(candidate.start, candidate.sentence[0] + 1)
        row = dict.fromkeys(SIGNS, 0.0) | {
            "mended": max(proposal.mended, UNLIKELY),
            "sound": max(proposal.sound, UNLIKELY),
            "spelling_share": proposal.spelling,
            "misspelt": max(min(proposal.misspelt, MAX_CHANGE), -MAX_CHANGE),
            "zipf_before": min(map(known.lookup, old), default=0.0),
            "zipf_after": min((known.lookup(word.lower()) for word in candidate.words), default=0.0),
            "capital": any(word[:1].isupper() for word in seen.texts[inside : candidate.end]),
            "lower": text.original.islower(),
            "tidy": bool(TIDY.fullmatch(text.original.strip())),
            candidate.kind: 1.0,
        }
        if proposal.severity:
            row[proposal.severity] = 1.0
        rows.append([*row.values()])
    return np.array(rows, np.float64).reshape(len(rows), len(SIGNS))


def signs(text: EditableText, proposed: Sequence[Proposal]) -> FloatArray:
    """Return the signs of each edit, (edits, `SIGNS`)."""
    edits = Edits(text, proposed)
    for names in (DETECTED, FORETOLD):
        _read([edits], [np.ones(len(edits.words), np.bool_)], names)
    table: FloatArray = edits.ranges()[0]
    return table


def weigh(several: Sequence[Edits], least: Sequence[FloatArray], *, exact: bool = True) -> list[FloatArray]:
    """Return the probability that an editor would accept each edit of each text, 0..1.

    Only edits that can reach their ``least`` are read, with their rivals; the others have an upper bound in place of a
    probability. If an edit reaches its ``least``, its probability and those of other edits of the same words are exact;
    unless they must be ``exact``, edits that cannot stay below it are not read either, and have an upper bound too.
    """
    if not several:
        return []
    _read(several, [np.arange(len(edits.words)) <= edits.sentence.max() for edits in several], DETECTED)
    # The language model reads rivals last, since its reading of an edit alone often excludes the edit.
    for names, with_rivals in ((DETECTED, True), (FORETOLD, False), (FORETOLD, True)):
        rows = []
        for edits, smallest, (low, high) in zip(several, least, _bounds(several), strict=True):
            some = (high >= smallest) & (exact | (low < smallest))
            rows.append(edits.rows(edits.rivals(some) if with_rivals else some))
        _read(several, rows, names)
    return [high for _, high in _bounds(several)]


def _bounds(several: Sequence[Edits]) -> list[FloatArray]:
    """Return the smallest and the largest probability that each edit of each text can have."""
    log_odds = _trees().between(*np.concatenate([edits.ranges() for edits in several], axis=1))
    bounds = round_significant(1 / (1 + np.exp(-log_odds)))
    return np.split(bounds, np.cumsum([len(edits.sentence) for edits in several])[:-1], axis=1)


def _read(several: Sequence[Edits], rows: Sequence[BoolArray], names: Sequence[str]) -> None:
    """Fill in readings of these rows of each of several texts, where they are missing; all are read together."""
    columns = [READINGS.index(name) for name in names]
    new = [
        (edits, row)
        for edits, some in zip(several, rows, strict=True)
        for row in np.flatnonzero(some & np.isnan(edits.readings[:, columns[0]])).tolist()
    ]
    docs = [edits.doc(row) for edits, row in new]
    for (edits, row), values in zip(new, (_detected if names == DETECTED else _foretold)(docs), strict=True):
        edits.readings[row, columns] = values


def _detected(docs: Sequence[Doc]) -> Iterator[Sequence[float]]:
    for read in detect(docs):
        soundness = sum(part.soundness for part in read.parts)
        yield soundness, read.damage.sum(), read.logs[:, 0].sum(), len(read.tokens)


def _foretold(docs: Sequence[Doc]) -> Iterator[Sequence[float]]:
    for foretold in shipped.neural().foretell(docs):
        yield (foretold.mixed.logprobs.sum(),)


@opened_once
def _trees() -> Trees:
    return read_trees(locate(ASSET) / FILE)


def read_trees(path: Path) -> Trees:
    """Read the trees; the caller verifies checksums."""
    try:
        trees = Trees(*read_part(unpack(path.read_bytes()), FORMAT, Trees))
        trees.check(FORMAT, len(SIGNS))
        return trees
    except (OSError, ValueError, LookupError, ModelError) as error:
        raise AssetError(f"{path} holds no trees ({error!s:.300}); reinstall naturalness") from None
