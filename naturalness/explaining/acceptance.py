"""The probability that an editor would accept an edit, from the signs of its being right.

Boosted trees read the mender's probability, the changes that the edit makes to the readings of the detector and of the
small language model, its rivals in the same place, the rule or spelling behind it, and its kind. They were fitted to
edits that people made and did not make (`python -m training.mender.acceptance`), and they do not depend on the model
that scores the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.english.wordlist import load_wordlist
from naturalness.errors import AssetError, ModelError
from naturalness.explaining.candidates import UNLIKELY, Proposal
from naturalness.explaining.rewriting import Kind, Text, touch
from naturalness.features import significant
from naturalness.files.archive import unpack
from naturalness.files.resources import locate, opened_once
from naturalness.models.detector import detect, share_readings
from naturalness.models.language import shipped
from naturalness.models.learners.trees import Trees
from naturalness.models.learners.units import read_part
from naturalness.models.mender import ASSET

if TYPE_CHECKING:
    from spacy.tokens import Doc

FILE = "acceptance.npz"
FORMAT = "acceptance"
"""The prefix of the names of the arrays in the file."""
EDIT_KINDS: tuple[Kind, ...] = get_args(Kind)
READINGS = ("likelihood", "soundness", "damage", "ln_sound", "words")
"""The readings of a sentence whose changes are signs: ln p, soundness, the expected number of damaged words, the sum of
the words' ln p(sound), and the number of words."""
SIGNS = (
    *("mended", "sound", "error", "warning", "hint", "spelling_share", "misspelt", *READINGS, "sentence", "length"),
    *("rival_mended", "rival_likelihood", "rival_soundness", "zipf_before", "zipf_after", "capital", "lower", "tidy"),
    *EDIT_KINDS,
)
"""The names of the columns that `signs` returns."""
TIDY = re.compile(r"[\W\d]*[A-Z].*[.!?:][\"'”’)]*", re.DOTALL)
"""A text that begins with a capital and ends with a mark, as careful writers have it."""
MAX_CHANGE = 8.0
"""Changes of the networks' readings are clipped at this value."""


def signs(text: Text, proposed: Sequence[Proposal]) -> FloatArray:
    """Return the signs of each edit, (edits, `SIGNS`)."""
    seen, known = text.seen, load_wordlist()
    before, changes = _changes(text, proposed)
    columns = {name: np.zeros(len(proposed)) for name in SIGNS}
    columns |= dict(zip(READINGS, changes.T, strict=True))
    columns["sentence"] = np.clip(before[:, READINGS.index("soundness")], -MAX_CHANGE, MAX_CHANGE)
    columns["length"] = before[:, READINGS.index("words")]
    for n, proposal in enumerate(proposed):
        candidate = proposal.candidate
        old = seen.lower[candidate.start : candidate.end]
        columns["mended"][n], columns["sound"][n] = max(proposal.mended, UNLIKELY), max(proposal.sound, UNLIKELY)
        columns["spelling_share"][n] = proposal.spelling
        columns["misspelt"][n] = np.clip(proposal.misspelt, -MAX_CHANGE, MAX_CHANGE)
        columns["zipf_before"][n] = min(map(known.lookup, old), default=0.0)
        columns["zipf_after"][n] = min((known.lookup(word.lower()) for word in candidate.words), default=0.0)
        columns["capital"][n] = any(
            word[:1].isupper() for word in seen.texts[max(candidate.start, candidate.sentence[0] + 1) : candidate.end]
        )
        columns["lower"][n] = text.original.islower()
        columns["tidy"][n] = bool(TIDY.fullmatch(text.original.strip()))
        columns[candidate.kind][n] = 1.0
        if proposal.severity:
            columns[proposal.severity][n] = 1.0
    for n, proposal in enumerate(proposed):
        rivals = [k for k, p in enumerate(proposed) if k != n and touch(p.candidate, proposal.candidate)]
        for name in ("mended", "likelihood", "soundness"):
            best = max((columns[name][k] for k in rivals), default=-np.inf)
            columns[f"rival_{name}"][n] = np.clip(columns[name][n] - best, -MAX_CHANGE, MAX_CHANGE)
    return np.column_stack(list(columns.values()))


def _changes(text: Text, proposed: Sequence[Proposal]) -> tuple[FloatArray, FloatArray]:
    """Return the readings of the sentence of each edit, and how the edit changes them; both (edits, `READINGS`)."""
    texts = text.seen.texts
    sentences = list(dict.fromkeys(p.candidate.sentence for p in proposed))
    docs = [_doc(text, texts[first:last]) for first, last in sentences]
    for candidate in (p.candidate for p in proposed):
        (first, last), start, end = candidate.sentence, candidate.start, candidate.end
        docs.append(_doc(text, [*texts[first:start], *candidate.words, *texts[end:last]]))
    share_readings(docs, text.doc)
    numbers = _readings(docs)
    before = numbers[[sentences.index(p.candidate.sentence) for p in proposed]]
    return before, np.clip(numbers[len(sentences) :] - before, -MAX_CHANGE, MAX_CHANGE)


def _doc(text: Text, words: Sequence[str]) -> Doc:
    """Return an unparsed Doc of these words, which is all that the networks need."""
    from spacy.tokens import Doc

    return Doc(text.doc.vocab, words=list(words))


def _readings(docs: Sequence[Doc]) -> FloatArray:
    """Return the `READINGS` of each Doc."""
    rows = []
    for foretold, read in zip(shipped.neural().foretell(docs), detect(docs), strict=True):
        soundness = sum(part.soundness for part in read.parts)
        logs = foretold.mixed.logprobs.sum(), read.logs[:, 0].sum()
        rows.append((logs[0], soundness, read.damage.sum(), logs[1], len(read.tokens)))
    return np.array(rows, dtype=np.float64)


def probabilities(table: FloatArray) -> list[float]:
    """Return the probability that an editor would accept each edit, 0..1, given the table of `signs`."""
    return [significant(p) for p in (1 / (1 + np.exp(-_trees().decide(table)))).tolist()]


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
