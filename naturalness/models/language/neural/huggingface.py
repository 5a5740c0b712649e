"""Hugging Face language models, which score the pieces of their own tokenizers, sentence by sentence.

A causal model predicts each piece from the previous ones in its sentence. The first piece follows the tokenizer's
``bos_token`` or, if there is none, its ``eos_token``, as is usual with GPT-2. The ``eos_token``, if there is one, is
predicted as the end of the sentence; its probability is low, since in training it usually marked the end of a text.

A masked model predicts each piece from both sides, with the piece and the later pieces of its word masked (Kauf &
Ivanova, ACL 2023). The sum over pieces is the pseudo-log-likelihood of the sentence; its end is not predicted. Words
are the tokens of the Doc. Since the network runs once for every piece, a text with a sentence of more than `MAX_UNITS`
pieces is not scored and has no entries.

Capitals are not restored. Each sentence is run separately, in 32-bit floats on one thread, so that its scores do not
depend on other texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.models.huggingface import (
    CONFIG,
    MIN_PIECES,
    Ends,
    TextNetwork,
    checksum_of,
    folder_of,
    open_reader,
    opened_by_name,
    read_config,
)
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.neural.model import MAX_UNITS
from naturalness.models.language.neural.network import hiding, stretches, windows
from naturalness.models.language.units import Reader
from naturalness.models.networks import single_thread
from naturalness.models.sentences import bounds, spaces_of
from naturalness.text.view import Doc, stored_beside, view

CAUSAL, MASKED = ("ForCausalLM", "LMHeadModel"), ("ForMaskedLM",)
"""Suffixes of the names of causal and of masked architectures."""
NUMBERS = 1 << 26
"""Maximum number of values in an output (pieces times vocabulary size); they take a quarter of a gigabyte."""


def _is_causal(folder: Path) -> bool:
    """Return whether the configuration names a causal rather than a masked architecture."""
    names = read_config(folder)["architectures"]
    if any(name.endswith((*CAUSAL, *MASKED)) for name in names):
        return not any(name.endswith(MASKED) for name in names)
    raise ModelError(
        f"{folder / CONFIG} names {', '.join(names)[:200] or 'no architecture'}; expected a causal "
        f"model (…{', …'.join(CAUSAL)}) or a masked one (…{MASKED[0]})"
    )


def _ends(tokenizer: Any) -> Ends:
    """Return the pieces to add before and after a text; if there is no start piece, the end piece takes its place."""
    start, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    first = end if start is None else start
    if first is None:
        raise ModelError(
            f"{tokenizer.name_or_path}: the tokenizer has neither a start nor an end token, so the first word would "
            "have no probability; set bos_token or eos_token in tokenizer_config.json"
        )
    return (first,), () if end is None else (end,)


@dataclass(frozen=True, slots=True)
class HuggingFaceModel:
    """A language model over pieces; it has no piece frequencies, so SLOR is undefined."""

    name: str
    signature: str
    reader: TextNetwork
    hidden: int | None
    """Id of the mask piece; None for a causal network."""

    @property
    def order(self) -> int:
        """Always 0, since there are no n-grams."""
        return 0

    @property
    def keeps_frequencies(self) -> bool:
        """Always False: piece frequencies are not known."""
        return False

    @property
    def read(self) -> Reader:
        """A reader whose units are the Doc's tokens; capitals are not restored."""
        return Reader("words")

    @property
    def masked(self) -> bool:
        """Whether the network is a masked rather than a causal model."""
        return self.hidden is not None

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the scores of each Doc, stored beside it; pseudo-log-likelihoods for a masked model."""
        return stored_beside(docs, f"naturalness.lm.{self.signature}", partial(map, self._scores))

    def foretell(self, pieces: Sequence[int]) -> FloatArray:
        """Return ln p(piece | previous pieces) for each piece of a sentence, and for the end piece if there is one.

        A long sentence is read in overlapping windows (`windows`).
        """
        reader = self.reader
        runs = windows([*pieces, *reader.after], reader.before, reader.max_pieces + len(reader.before + reader.after))
        return _joined([self._logs([ids], [(0, i) for i in positions], targets) for ids, positions, targets in runs])

    def foretell_hidden(self, words: Sequence[Sequence[int]]) -> FloatArray:
        """Return ln p of each piece of a sentence, with the piece and the later pieces of its word masked.

        A long sentence is read in parts.
        """
        assert self.hidden is not None
        reader, most, logs = self.reader, self.reader.max_pieces, []
        cut = [word[i : i + most] for word in words for i in range(0, len(word), most)]
        for part in stretches(cut, most):
            plain, texts, at = hiding(part, reader.before, reader.after, self.hidden)
            size = max(1, NUMBERS // (reader.rows * len(plain)))
            for i in range(0, len(texts), size):
                some = at[i : i + size]
                logs.append(self._logs(texts[i : i + size], list(enumerate(some)), [plain[j] for j in some]))
        return _joined(logs)

    def _logs(self, texts: list[list[int]], at: list[tuple[int, int]], targets: Sequence[int]) -> FloatArray:
        """Return ln p of the target at each of the positions ``at`` (text, piece); all texts have the same length."""
        import torch

        with single_thread(), torch.inference_mode():
            logits = self.reader.outputs(texts).logits
            rows = logits[tuple(torch.tensor(at, device=logits.device).T)].float()
            wanted = rows.gather(1, torch.tensor(targets, device=logits.device)[:, None])[:, 0]
            logs: FloatArray = (wanted - rows.logsumexp(1)).cpu().numpy().astype(np.float64)
        return logs

    def _scores(self, doc: Doc) -> TokenScores:
        units: list[str] = []
        tokens: list[int] = []
        pieces: list[int] = []
        logs: list[FloatArray] = []
        sentences = self._sentences(doc)
        if self.masked and any(len(sentence.ids) > MAX_UNITS for sentence, _ in sentences):
            sentences = []
        for sentence, owners in sentences:
            units += sentence.tokens
            tokens += owners
            pieces += sentence.ids
            if self.masked:
                logs.append(self.foretell_hidden(_words(sentence.ids, owners)))
                continue
            logs.append(self.foretell(sentence.ids))
            units += [END] * len(self.reader.after)
            tokens += [-1] * len(self.reader.after)
            pieces += self.reader.after
        n = len(units)
        stand_in = self.reader.tokenizer.unk_token_id
        unknown = np.array(pieces, np.int64) == (-1 if stand_in is None else stand_in)
        return TokenScores(
            units,
            np.array(tokens, np.int64),
            _joined(logs),
            np.full(n, np.nan),
            np.zeros(n, np.int64),
            unknown & (np.array(tokens) >= 0),
        )

    def _sentences(self, doc: Doc) -> list[tuple[Any, list[int]]]:
        """Return the pieces of each sentence and, for each piece, the index in the Doc of its token.

        Sentences for which the tokenizer returns no pieces are skipped.
        """
        seen, spaces = view(doc), spaces_of(doc)
        sentences = []
        for start, stop in bounds(seen):
            letters: list[str] = []
            owners: list[int] = []
            for i in range(start, stop):
                letters += seen.texts[i]
                owners += [seen.positions[i]] * len(seen.texts[i])
                if spaces[i] and i + 1 < stop:  # a space belongs to the token after it
                    letters.append(" ")
                    owners.append(seen.positions[i + 1])
            encoded = self.reader.cutter.encode("".join(letters), add_special_tokens=False)
            if encoded.ids:
                sentences.append((encoded, [owner(owners, *offsets) for offsets in encoded.offsets]))
        return sentences


def owner(owners: Sequence[int], start: int, stop: int) -> int:
    """Return the token that owns most of the characters from start to stop; ties go to the first."""
    within = owners[start:stop] or [owners[min(start, len(owners) - 1)]]
    return Counter(within).most_common(1)[0][0]


def _words(pieces: Sequence[int], owners: Sequence[int]) -> list[list[int]]:
    """Return pieces grouped by token: adjacent pieces with the same owner form a word."""
    both = groupby(zip(pieces, owners, strict=True), key=lambda pair: pair[1])
    return [[piece for piece, _ in group] for _, group in both]


def _joined(logs: Sequence[FloatArray]) -> FloatArray:
    return np.concatenate([np.empty(0), *logs])


@opened_by_name
def open_huggingface(folder: Path, signature: str) -> HuggingFaceModel:
    """Open a model from a folder, or by name from the cache of `hf download`; raise `ModelError` if it cannot score."""
    causal = _is_causal(folder)
    reader = open_reader(
        folder, "AutoModelForCausalLM" if causal else "AutoModelForMaskedLM", ends=_ends if causal else None
    )
    hidden = None if causal else reader.tokenizer.mask_token_id
    if not causal and hidden is None:
        raise ModelError(f"{folder}: the tokenizer has no mask_token, which a masked model needs")
    most = max(MIN_PIECES, NUMBERS // reader.rows) - len(reader.before + reader.after)
    reader = replace(reader, max_pieces=min(reader.max_pieces, most))
    model = HuggingFaceModel(signature.split(":")[1], signature, reader, hidden)
    if causal:
        first, second = model._logs([[*reader.before, later] for later in (0, 1)], [(0, 0), (1, 0)], (0, 0))
        if not abs(first - second) <= 1e-4:
            raise ModelError(
                f"{folder} is not a causal language model: its probabilities depend on later pieces, although its "
                f"{CONFIG} names a causal architecture"
            )
    return model


def huggingface_checksum(name: str) -> str:
    """Return a short checksum of the files that a model is read from."""
    return checksum_of(folder_of(name).resolve())
