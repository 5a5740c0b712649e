"""An n-gram model at work: KenLM's tables, mapped into memory, over the units of Docs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.errors import ModelError
from naturalness.models.language.base import END, IntArray, TokenScores
from naturalness.models.language.units import Reader, Stretch
from naturalness.models.language.vocabulary import RESERVED, Vocabulary
from naturalness.view import View, view

if TYPE_CHECKING:
    from spacy.tokens import Doc

LN10 = math.log(10.0)


def open_kenlm(path: Path) -> Any:
    """A KenLM model from its binary, which is mapped and not read, or from an ARPA file."""
    import kenlm

    config = kenlm.Config()
    config.load_method = kenlm.LoadMethod.LAZY
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(str(path), config)
    except OSError as error:
        reason = str(error).split("\n")[0]
        raise ModelError(
            f"{path} is no n-gram model that KenLM can open ({reason:.200}); expected its binary "
            "format or ARPA: see `naturalness lm train`"
        ) from None


@dataclass(frozen=True, slots=True)
class NgramModel:
    """Scores words, word pieces or tags; without a vocabulary, SLOR is undefined."""

    name: str
    signature: str
    kenlm: Any
    read: Reader
    vocabulary: Vocabulary | None = None

    @property
    def order(self) -> int:
        """Length of the longest n-gram."""
        return int(self.kenlm.order)

    @property
    def checksum(self) -> str:
        """That of its files."""
        return self.signature.rpartition(":")[2]

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Scores of each Doc, remembered beside it."""
        return [remembered(doc, self.signature, self.score) for doc in docs]

    def score(self, seen: View) -> TokenScores:
        """Scores of a view."""
        return self.score_stretches(self.read(seen), seen.places)

    def score_stretches(self, stretches: Sequence[Stretch], places: Sequence[int]) -> TokenScores:
        """Scores of units that are read already; ``places`` of the tokens in the Doc."""
        if not stretches:
            return EMPTY
        units: list[str] = []
        scored: list[tuple[float, int, bool]] = []
        unigrams: list[float] = []
        missing: list[int] = []
        for stretch in stretches:
            known, logs, without = self._look_up(stretch.units)
            scored += self.kenlm.full_scores(" ".join(known))
            unigrams += logs
            missing += [i + len(units) for i in without] if units else without
            units += stretch.units
            units.append(END)
        n = len(units)
        logs10, lengths, strange = zip(*scored, strict=True)
        unknown = np.array(strange) if self.vocabulary is None else np.zeros(n, np.bool_)
        for i in missing:
            unknown[i] = True
        # With its type and length told, numpy makes an array of a few numbers a quarter faster.
        logprobs = np.fromiter(logs10, np.float64, n)
        logprobs *= LN10
        return TokenScores(
            units=units,
            places=_places(stretches, places, n),
            logprobs=logprobs,
            unigrams=np.fromiter(unigrams, np.float64, n),
            lengths=np.fromiter(lengths, np.int64, n),
            unknown=unknown,
        )

    def _look_up(self, units: list[str]) -> tuple[list[str], list[float], list[int]]:
        """Units as KenLM may know them, logs of frequencies with the end's, places of unknown."""
        if self.vocabulary is not None:
            known, logs, missing = self.vocabulary.look_up(units)
            logs.append(self.vocabulary.end)
            return known, logs, missing
        # KenLM splits at white space and would take a typed `</s>` for an end.
        known = ["<unk>" if u in RESERVED else "_".join(u.split()) or "_" for u in units]
        return known, [math.nan] * (len(units) + 1), []


def _places(stretches: Sequence[Stretch], places: Sequence[int], n: int) -> IntArray:
    """Places in the Doc of tokens of the view, which has no white space; -1 for ends."""
    moved = places[-1] != len(places) - 1
    if not moved and len(stretches) == 1 and isinstance(stretches[0].tokens, range):
        found = np.arange(n, dtype=np.int64)  # one sentence with a unit per token, as most are
        found[-1] = -1
        return found
    tokens = [i for stretch in stretches for i in (*stretch.tokens, -1)]
    if moved:
        tokens = [places[i] if i >= 0 else -1 for i in tokens]
    return np.fromiter(tokens, np.int64, n)


def remembered(doc: Doc, signature: str, score: Callable[[View], TokenScores]) -> TokenScores:
    """What a model says of a Doc, kept beside it."""
    key = f"naturalness.lm.{signature}"
    made = doc.user_data.get(key)
    if not isinstance(made, TokenScores):
        made = doc.user_data[key] = score(view(doc))
    return made


EMPTY = TokenScores(
    units=[],
    places=np.empty(0, dtype=np.int64),
    logprobs=np.empty(0),
    unigrams=np.empty(0),
    lengths=np.empty(0, dtype=np.int64),
    unknown=np.empty(0, dtype=np.bool_),
)
