"""Hugging Face models at work: the pieces of their own tokenizers, sentence by sentence.

A causal model foretells each piece from those before it in its sentence. What stands before the
first is the tokenizer's start of a text (``bos_token``), or where it names none its end
(``eos_token``), as is usual with GPT-2: the end of the text before. Where it names an end, this is
foretold too, as the end of the sentence; it is rather that of a text, and less likely.

A masked model foretells each piece from both sides, with itself and the later pieces of its word
hidden (Kauf & Ivanova, ACL 2023). The sum is no log-probability of the sentence but its
pseudo-log-likelihood, and the end is not foretold. A word is a token of the Doc. Every piece is a
run of the network, so that a text with a sentence of more than `LONGEST` pieces has no entries.

Texts are read as they are typed: no capitals are put in. A sentence is a run of its own, in whole
floats on one thread, so that its numbers are the same in any company.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from naturalness.arrays import FloatArray
from naturalness.errors import ModelError
from naturalness.models.huggingface import (
    CONFIG,
    MIN_PIECES,
    around,
    checksum_of,
    folder_of,
    max_pieces_of,
    open_network,
    opened_by_name,
    read_config,
)
from naturalness.models.language.base import END, TokenScores
from naturalness.models.language.neural.model import MAX_UNITS
from naturalness.models.language.neural.network import hiding, stretches, windows
from naturalness.models.language.units import Reader, words
from naturalness.models.networks import single_thread
from naturalness.models.sentences import bounds, spaces_of
from naturalness.text.view import view

if TYPE_CHECKING:
    from spacy.tokens import Doc

CAUSAL, MASKED = ("ForCausalLM", "LMHeadModel"), ("ForMaskedLM",)
"""How the names of architectures end."""
NUMBERS = 1 << 26
"""Numbers that a network may give at once, a quarter of a gigabyte: pieces times vocabulary."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A network and its tokenizer, ready to use."""

    network: Any = field(repr=False)
    tokenizer: Any = field(repr=False)
    """Of the library tokenizers: a text to its pieces and their places."""
    before: tuple[int, ...]
    """Pieces that stand before every sentence; what comes first is foretold from them."""
    after: tuple[int, ...]
    """Pieces that end every sentence."""
    hidden: int | None
    """The piece that hides another; None for a network that reads from the left."""
    unknown: int | None
    """The piece of what cannot be spelled, if there is one."""
    max_pieces: int
    """Pieces that it reads at once, those before and after included."""
    vocabulary: int
    """Numbers that it gives for each piece."""


def load(folder: Path) -> Loaded:
    """Open a model; refuse one whose numbers could not be what they are taken for."""
    causal = _is_causal(folder)
    kind = "AutoModelForCausalLM" if causal else "AutoModelForMaskedLM"
    return _ready(folder, *open_network(folder, kind), causal=causal)


def _is_causal(folder: Path) -> bool:
    """Tell a causal model by the architecture that the configuration names."""
    names = read_config(folder)["architectures"]
    if any(name.endswith((*CAUSAL, *MASKED)) for name in names):
        return not any(name.endswith(MASKED) for name in names)
    raise ModelError(
        f"{folder / CONFIG} names {', '.join(names)[:200] or 'no architecture'}; expected a causal "
        f"model (…{', …'.join(CAUSAL)}) or a masked one (…{MASKED[0]})"
    )


def _ready(folder: Path, network: Any, tokenizer: Any, *, causal: bool) -> Loaded:
    """Check network and tokenizer, and keep what is needed of them."""
    rows = int(network.get_input_embeddings().weight.shape[0])
    if not causal and tokenizer.mask_token_id is None:
        raise ModelError(f"{folder}: its tokenizer names no mask_token, by which words are hidden")
    before, after = _ends(folder, tokenizer) if causal else around(tokenizer)
    loaded = Loaded(
        network,
        tokenizer.backend_tokenizer,
        before,
        after,
        None if causal else tokenizer.mask_token_id,
        tokenizer.unk_token_id,
        min(max_pieces_of(network, tokenizer), max(MIN_PIECES, NUMBERS // rows)),
        rows,
    )
    if loaded.max_pieces < MIN_PIECES:
        raise ModelError(f"{folder} reads {loaded.max_pieces} pieces at once; expected {MIN_PIECES}")
    if causal and _looks_ahead(loaded):
        raise ModelError(
            f"{folder} sees the words that it is to foretell: it is no causal model, whatever its {CONFIG} names"
        )
    return loaded


def _ends(folder: Path, tokenizer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return start and end of a text; where there is no start, the end of the text before stands for it."""
    start, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    first = end if start is None else start
    if first is None:
        raise ModelError(
            f"{folder}: its tokenizer names no start and no end of a text, so that a first word "
            "would have no probability; name one in tokenizer_config.json (bos_token, eos_token)"
        )
    return (first,), () if end is None else (end,)


def _looks_ahead(loaded: Loaded) -> bool:
    """Tell whether the numbers of a piece change with what stands behind it."""
    import torch

    texts: Sequence[Sequence[int]] = [[*loaded.before, 0, last] for last in (0, 1)]
    with torch.inference_mode():
        first, second = (
            loaded.network(input_ids=torch.tensor([ids], device=loaded.network.device)).logits for ids in texts
        )
    return not torch.allclose(first[0, :2], second[0, :2], rtol=1e-4, atol=1e-5)


@dataclass(frozen=True, slots=True)
class HuggingFaceModel:
    """Scores pieces; it keeps no frequencies, so that SLOR is undefined."""

    name: str
    signature: str
    loaded: Loaded

    @property
    def order(self) -> int:
        """0: it has no n-grams; lengths are 0 too."""
        return 0

    @property
    def keeps_frequencies(self) -> bool:
        """Such models come without."""
        return False

    @property
    def read(self) -> Reader:
        """What texts must be read into: tokens, with capitals as typed."""
        return words({})

    @property
    def masked(self) -> bool:
        """Whether it foretells from both sides."""
        return self.loaded.hidden is not None

    def token_logprobs(self, docs: Sequence[Doc]) -> list[TokenScores]:
        """Score each Doc, a masked model by `pseudo`; scores are kept beside it."""
        key = f"naturalness.lm.{self.signature}"
        with single_thread():
            for doc in docs:
                if key not in doc.user_data:
                    doc.user_data[key] = self._scores(doc)
        return [doc.user_data[key] for doc in docs]

    def pseudo(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """Return ln p(piece | all others but the later pieces of its word) of each piece."""
        if not self.masked:
            raise ModelError(
                f"{self.name!r} reads from the left only: it has no pseudo-likelihood; take a "
                "masked model, such as BERT's"
            )
        return [scores.logprobs for scores in self.token_logprobs(docs)]

    def foretell(self, pieces: Sequence[int]) -> FloatArray:
        """Return ln p(piece | those before) of each piece of a sentence and its end, if it has one.

        Of a sentence that is too long to be read at once, later parts are read after the half of
        what can be read that stands before them.
        """
        loaded = self.loaded
        runs = windows([*pieces, *loaded.after], loaded.before, loaded.max_pieces)
        logs = [self._logs([ids], [(0, i) for i in positions], targets) for ids, positions, targets in runs]
        return np.concatenate(logs) if logs else np.empty(0)

    def foretell_hidden(self, words: Sequence[Sequence[int]]) -> FloatArray:
        """Return ln p of each piece of a sentence's words, with it and what follows in its word hidden.

        A sentence that is too long to be read at once is read in parts.
        """
        most = self.loaded.max_pieces - len(self.loaded.before) - len(self.loaded.after)
        cut = [word[i : i + most] for word in words for i in range(0, len(word), most)]
        logs = [row for part in stretches(cut, most) for row in self._hidden(part)]
        return np.concatenate(logs) if logs else np.empty(0)

    def _hidden(self, words: Sequence[Sequence[int]]) -> list[FloatArray]:
        assert self.loaded.hidden is not None
        plain, texts, at = hiding(words, self.loaded.before, self.loaded.after, self.loaded.hidden)
        size = max(1, NUMBERS // (self.loaded.vocabulary * len(plain)))
        return [
            self._logs(texts[i : i + size], list(enumerate(at[i : i + size])), [plain[j] for j in at[i : i + size]])
            for i in range(0, len(texts), size)
        ]

    def _logs(self, texts: list[list[int]], at: list[tuple[int, int]], targets: Sequence[int]) -> FloatArray:
        """Return ln p of a target at each position (text, piece); the texts are of one length."""
        import torch

        network = self.loaded.network
        with torch.inference_mode():
            ids = torch.tensor(texts, device=network.device)
            logits = network(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
            rows = logits[tuple(torch.tensor(at, device=ids.device).T)].float()
            wanted = rows.gather(1, torch.tensor(targets, device=ids.device)[:, None])[:, 0]
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
            units += [END] * len(self.loaded.after)
            tokens += [-1] * len(self.loaded.after)
            pieces += self.loaded.after
        n = len(units)
        unknown = np.array(pieces, np.int64) == (-1 if self.loaded.unknown is None else self.loaded.unknown)
        return TokenScores(
            units,
            np.array(tokens, np.int64),
            np.concatenate(logs) if logs else np.empty(0),
            np.full(n, np.nan),
            np.zeros(n, np.int64),
            unknown & (np.array(tokens) >= 0),
        )

    def _sentences(self, doc: Doc) -> list[tuple[Any, list[int]]]:
        """Return the pieces of each sentence, and the index in the Doc of the token of each.

        Without sentences of which the tokenizer leaves nothing.
        """
        seen, spaces = view(doc), spaces_of(doc)
        sentences = []
        for start, stop in bounds(seen):
            letters: list[str] = []
            owners: list[int] = []
            for i in range(start, stop):
                letters += seen.texts[i]
                owners += [seen.positions[i]] * len(seen.texts[i])
                if spaces[i] and i + 1 < stop:  # as part of what follows it
                    letters.append(" ")
                    owners.append(seen.positions[i + 1])
            encoded = self.loaded.tokenizer.encode("".join(letters), add_special_tokens=False)
            if encoded.ids:
                sentences.append((encoded, [owner(owners, *offsets) for offsets in encoded.offsets]))
        return sentences


def owner(owners: Sequence[int], start: int, stop: int) -> int:
    """Return the owner of most characters from start to stop, the first among equals."""
    within = owners[start:stop] or [owners[min(start, len(owners) - 1)]]
    return Counter(within).most_common(1)[0][0]


def _words(pieces: Sequence[int], owners: Sequence[int]) -> list[list[int]]:
    """Group adjacent pieces that belong to one token."""
    both = groupby(zip(pieces, owners, strict=True), key=lambda pair: pair[1])
    return [[piece for piece, _ in group] for _, group in both]


@opened_by_name
def open_huggingface(folder: Path, signature: str) -> HuggingFaceModel:
    """Open a model from a folder or the local cache of the hub's client."""
    return HuggingFaceModel(signature.split(":")[1], signature, load(folder))


def huggingface_checksum(name: str) -> str:
    """Return a short checksum of the files that a model is read from."""
    return checksum_of(folder_of(name).resolve())
