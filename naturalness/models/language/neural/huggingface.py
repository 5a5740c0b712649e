"""Causal language models of Hugging Face, which score the pieces of their own tokenizers, sentence by sentence.

A model predicts each piece from the previous ones in its sentence. The first piece follows the tokenizer's
``bos_token`` or, if there is none, its ``eos_token``, as is usual with GPT-2. The ``eos_token``, if there is one, is
predicted as the end of the sentence; its probability is low, since in training it usually marked the end of a text.

Words are the tokens of the Doc. Capitals are not restored. Each sentence is run separately, in 32-bit floats on one
thread, so that its scores do not depend on other texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.models.huggingface import (
    CONFIG,
    MIN_PIECES,
    Ends,
    TextNetwork,
    open_reader,
    opened_by_name,
    read_config,
)
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.neural.model import windows
from naturalness.models.networks import single_thread
from naturalness.text.view import Doc, bounds, spaces_of, stored_beside, view

CAUSAL = ("ForCausalLM", "LMHeadModel")
"""Suffixes of the names of causal architectures."""
NUMBERS = 1 << 26
"""Maximum number of values in an output (pieces times vocabulary size); they take a quarter of a gigabyte."""


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

    keeps_frequencies: ClassVar[bool] = False

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Return the scores of each Doc, stored beside it."""
        return stored_beside(docs, f"naturalness.lm.{self.signature}", partial(map, self._scores))

    def foretell(self, pieces: Sequence[int]) -> FloatArray:
        """Return ln p(piece | previous pieces) for each piece of a sentence, and for the end piece if there is one.

        A long sentence is read in overlapping windows (`windows`).
        """
        reader = self.reader
        runs = windows([*pieces, *reader.after], reader.before, reader.max_pieces + len(reader.before + reader.after))
        logs = [
            log_probabilities(reader, [ids], [(0, i) for i in positions], targets) for ids, positions, targets in runs
        ]
        return np.concatenate(logs)

    def _scores(self, doc: Doc) -> TokenScores:
        units: list[str] = []
        tokens: list[int] = []
        pieces: list[int] = []
        logs: list[FloatArray] = []
        for sentence, owners in sentences_of(self.reader, doc):
            units += [*sentence.tokens, *[END] * len(self.reader.after)]
            tokens += [*owners, *[-1] * len(self.reader.after)]
            pieces += [*sentence.ids, *self.reader.after]
            logs.append(self.foretell(sentence.ids))
        n = len(units)
        stand_in = self.reader.tokenizer.unk_token_id
        unknown = np.array(pieces, np.int64) == (-1 if stand_in is None else stand_in)
        return TokenScores(
            units,
            np.array(tokens, np.int64),
            np.concatenate([np.empty(0), *logs]),
            np.full(n, np.nan),
            np.zeros(n, np.int64),
            unknown & (np.array(tokens) >= 0),
        )


def log_probabilities(
    reader: TextNetwork, texts: list[list[int]], at: list[tuple[int, int]], targets: Sequence[int]
) -> FloatArray:
    """Return ln p of the target at each of the positions ``at`` (text, piece); all texts have the same length."""
    import torch

    with single_thread(), torch.inference_mode():
        logits = reader.outputs(texts).logits
        rows = logits[tuple(torch.tensor(at, device=logits.device).T)].float()
        wanted = rows.gather(1, torch.tensor(targets, device=logits.device)[:, None])[:, 0]
        logs: FloatArray = (wanted - rows.logsumexp(1)).cpu().numpy().astype(np.float64)
    return logs


def sentences_of(reader: TextNetwork, doc: Doc) -> list[tuple[Any, list[int]]]:
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
        encoded = reader.cutter.encode("".join(letters), add_special_tokens=False)
        if encoded.ids:
            sentences.append((encoded, [owner(owners, *offsets) for offsets in encoded.offsets]))
    return sentences


def owner(owners: Sequence[int], start: int, stop: int) -> int:
    """Return the token that owns most of the characters from start to stop; ties go to the first."""
    within = owners[start:stop] or [owners[min(start, len(owners) - 1)]]
    return Counter(within).most_common(1)[0][0]


@opened_by_name
def open_huggingface(folder: Path, signature: str) -> HuggingFaceModel:
    """Open a model from a folder, or by name from the cache of `hf download`; raise `ModelError` if it cannot score."""
    names = read_config(folder)["architectures"]
    if not any(name.endswith(CAUSAL) for name in names):
        raise ModelError(
            f"{folder / CONFIG} names {', '.join(names)[:200] or 'no architecture'}; expected a causal "
            f"model (…{', …'.join(CAUSAL)})"
        )
    reader = within_memory(open_reader(folder, "AutoModelForCausalLM", ends=_ends))
    first, second = log_probabilities(reader, [[*reader.before, later] for later in (0, 1)], [(0, 0), (1, 0)], (0, 0))
    if not abs(first - second) <= 1e-4:
        raise ModelError(
            f"{folder} is not a causal language model: its probabilities depend on later pieces, although its "
            f"{CONFIG} names a causal architecture"
        )
    return HuggingFaceModel(signature.split(":")[1], signature, reader)


def within_memory(reader: TextNetwork) -> TextNetwork:
    """Return a network that reads so few pieces at once that its output has at most `NUMBERS` values."""
    most = max(MIN_PIECES, NUMBERS // reader.rows) - len(reader.before + reader.after)
    return replace(reader, max_pieces=min(reader.max_pieces, most))
