"""Judges of likelihood for GRUEN that hide words or use Hugging Face models, as in the paper; and the sum of its steps.

Hugging Face models (`hf:NAME_OR_PATH`) are opened from local safetensors files, and code that comes with them is never
run. The network runs once per text, on one thread.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.arrays import FloatArray, IntArray
from naturalness.errors import ModelError
from naturalness.metrics.gruen.judges import (
    CAUSAL,
    Acceptability,
    GruenText,
    Judges,
    Likelihood,
    NetworkLikelihood,
    Order,
    belongings,
    order_head,
    rating_head,
)
from naturalness.metrics.gruen.parts import WEIGHTS, GruenParts
from naturalness.models.huggingface import CONFIG, PREFIX, TextNetwork, open_reader, opened_by_name, read_config
from naturalness.models.language.neural.huggingface import NUMBERS, log_probabilities, sentences_of, within_memory
from naturalness.models.language.neural.model import MAX_UNITS
from naturalness.models.language.shipped import neural
from naturalness.text.view import Doc, view
from naturalness_replication.pseudo import APART, hiding, pseudo, stretches

ACCEPTABLE = ("acceptable", "grammatical", "correct")
"""Names for the class of acceptable sentences. If no class has such a name, the second class is used, as in CoLA."""
IN_ORDER = 0
"""The index of the class "in the right order", which is the same for ALBERT and BERT."""
LOGITS = ("sop_logits", "seq_relationship_logits")
"""The names of the outputs of the sentence-order heads of ALBERT and BERT."""

CHANGED = WEIGHTS
PAPERS: Mapping[str, float] = {**WEIGHTS, "least": 0.0, "nat": 1.0}
"""The paper's weights: grammaticality is the plain mean over sentences, and order loss is not scaled."""


def sum_of(parts: GruenParts, steps: str, weights: Mapping[str, float] = CHANGED) -> float:
    """Return grammaticality minus the penalties named in ``steps``, clipped to 0..1; NaN for a text without words.

    ``steps`` contains the letters ``r`` (redundancy), ``u`` (focus) or ``n`` (coherence).
    """
    if not parts.likelihoods:
        return math.nan
    share = weights["acceptability"]
    each = [share * a + (1 - share) * b for a, b in zip(parts.acceptabilities, parts.likelihoods, strict=True)]
    off = {
        "r": weights["violation"] * parts.repeated,
        "u": weights["violation"] * parts.unrelated,
        "n": weights["nat"] * (0.0 if math.isnan(parts.disorder) else parts.disorder),
    }
    whole = weights["least"] * min(each) + (1 - weights["least"]) * sum(each) / len(each)
    return float(np.clip(whole - sum(off[step] for step in steps), 0.0, 1.0))


def _both_ways(docs: Sequence[Doc]) -> list[FloatArray]:
    """Return likelihoods from the network, with every sixth word masked in each run.

    This takes six runs per sentence; the paper's method of one run per word takes several times as long.
    """
    model = neural()
    scored = zip(docs, model.token_logprobs(docs), pseudo(model, docs, APART), strict=True)
    # The masked network gives sentence ends no probability.
    return [
        belongings(logs, scores.unigrams[scores.tokens >= 0], _sentence_ends(doc, logs)) for doc, scores, logs in scored
    ]


def _word_by_word(docs: Sequence[Doc]) -> list[FloatArray]:
    """Return likelihoods from the network, ignoring frequencies, with one piece masked at a time; one run per piece."""
    return [
        belongings(logs, np.full(len(logs), np.nan), _sentence_ends(doc, logs))
        for doc, logs in zip(docs, pseudo(neural(), docs), strict=True)
    ]


MASKED = NetworkLikelihood("masked", _both_ways)
SINGLE_WORD = NetworkLikelihood("alone", _word_by_word)


def _sentence_ends(doc: Doc, logs: FloatArray) -> IntArray:
    """Return the index at which each sentence's pieces end; an empty array if the text could not be read."""
    stretches = neural().read(view(doc)) if len(logs) else []
    return np.cumsum([len(stretch.units) for stretch in stretches], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class ForeignAcceptability:
    """A classifier of sentences, such as BERT fine-tuned on CoLA."""

    signature: str
    reader: TextNetwork
    label: int

    def probabilities(self, text: GruenText) -> FloatArray:
        """Return the acceptability of each sentence, 0..1; long sentences are truncated."""
        return np.array([self._probability(sentence) for sentence in text.sentences], np.float64)

    def _probability(self, sentence: str) -> float:
        pieces = self.reader.pieces(sentence)[: self.reader.max_pieces]
        logits = self.reader.run(pieces).logits[0].double().cpu().numpy()
        if len(logits) == 1:
            return float(1 / (1 + np.exp(-logits[0])))
        return float(np.exp(logits[self.label] - np.logaddexp.reduce(logits)))


@dataclass(frozen=True, slots=True)
class ForeignOrder:
    """A network with a sentence-order head."""

    signature: str
    reader: TextNetwork
    between: tuple[int, ...]
    """The separator tokens between the two segments."""

    def loss(self, text: GruenText) -> float:
        """Return the mean of -ln p(correct) over all splits of a text, each in both orders; NaN for a single sentence.

        Segments that are too long are truncated at the end that is farther from the split.
        """
        rows = [self.reader.pieces(sentence) for sentence in text.sentences]
        losses = []
        for split in range(1, len(rows)):
            parts = [[p for row in part for p in row] for part in (rows[:split], rows[split:])]
            first, swapped = self._in_order(*parts), self._in_order(*reversed(parts))
            # For swapped segments, the other class is correct.
            losses += [-first, -math.log1p(-min(math.exp(swapped), 1 - 1e-9))]
        return float(np.mean(losses)) if losses else math.nan

    def _in_order(self, first: Sequence[int], second: Sequence[int]) -> float:
        """Return the log-probability that two segments are in the right order."""
        import torch

        reader = self.reader
        max_pieces = reader.max_pieces - len(self.between)
        n_first = max(max_pieces // 2, max_pieces - len(second))
        first = first[-n_first:]
        second = second[: max_pieces - len(first)]
        early = [0] * (len(reader.before) + len(first) + len(self.between))
        late = [1] * (len(second) + len(reader.after))
        types = torch.tensor([[*early, *late]], device=reader.network.device)
        outputs = reader.run([*first, *self.between, *second], token_type_ids=types)
        logits = next(outputs[name] for name in LOGITS if name in outputs)[0].double().cpu().numpy()
        return float(logits[IN_ORDER] - np.logaddexp.reduce(logits))


@dataclass(frozen=True, slots=True)
class ForeignLikelihood:
    """A judge of likelihood that uses a masked model; pieces are assigned to the sentence of their token.

    Each piece is predicted from both sides, with the piece and the later pieces of its word masked (Kauf & Ivanova, ACL
    2023). Words are the tokens of the Doc. The network runs once for every piece, so a text with a sentence of more
    than `MAX_UNITS` pieces has no likelihoods.
    """

    signature: str
    reader: TextNetwork
    hidden: int
    """The id of the mask piece."""

    def of(self, docs: Sequence[Doc]) -> list[FloatArray]:
        """Return the likelihood of each sentence."""
        return list(map(self._by_sentence, docs))

    def foretell(self, words: Sequence[Sequence[int]]) -> FloatArray:
        """Return ln p of each piece of a sentence; a long sentence is read in parts."""
        reader, most = self.reader, self.reader.max_pieces
        logs = [np.empty(0)]
        for part in stretches(words, most):
            plain, texts, at = hiding(part, reader.before, reader.after, self.hidden)
            size = max(1, NUMBERS // (reader.rows * len(plain)))
            for i in range(0, len(texts), size):
                some = at[i : i + size]
                logs.append(
                    log_probabilities(reader, texts[i : i + size], list(enumerate(some)), [plain[j] for j in some])
                )
        return np.concatenate(logs)

    def _by_sentence(self, doc: Doc) -> FloatArray:
        sentences = sentences_of(self.reader, doc)
        if any(len(sentence.ids) > MAX_UNITS for sentence, _ in sentences):
            sentences = []
        logs = np.concatenate([np.empty(0), *(self.foretell(_words(s.ids, owners)) for s, owners in sentences)])
        tokens = [token for _, owners in sentences for token in owners]
        seen = view(doc)
        last = [seen.positions[b - 1] for _, b in seen.sentences]
        ends = np.searchsorted(np.searchsorted(last, tokens), np.arange(len(last)), side="right")
        return belongings(logs, np.full(len(logs), np.nan), np.unique(ends[ends > 0]).astype(np.int64))


def _words(pieces: Sequence[int], owners: Sequence[int]) -> list[list[int]]:
    """Return pieces grouped by token: adjacent pieces with the same owner form a word."""
    both = groupby(zip(pieces, owners, strict=True), key=lambda pair: pair[1])
    return [[piece for piece, _ in group] for _, group in both]


def judges_of(
    *, masked: bool, alone: bool = False, masked_lm: str = "", acceptability: str = "", order: str = ""
) -> Judges:
    """Return the shipped judges, except those for which a spec `hf:NAME_OR_PATH` is given.

    ``masked`` selects likelihood given the words on both sides; ``alone`` hides one word at a time, as in the paper.
    """
    likelihood: Likelihood = CAUSAL if not masked else SINGLE_WORD if alone else MASKED
    if masked_lm and masked:
        likelihood = open_likelihood(_name(masked_lm, "--masked-lm"))
    accepts: Acceptability = (
        open_acceptability(_name(acceptability, "--acceptability")) if acceptability else rating_head()
    )
    orders: Order = open_order(_name(order, "--order")) if order else order_head()
    return Judges(likelihood, accepts, orders)


def _name(spec: str, option: str) -> str:
    if not spec.startswith(PREFIX):
        raise ModelError(f"{option} {spec!r:.200}: expected {PREFIX}NAME_OR_PATH")
    return spec.removeprefix(PREFIX)


@opened_by_name
def open_likelihood(folder: Path, signature: str) -> ForeignLikelihood:
    """Return a judge of likelihood that uses the masked model in a folder."""
    if not any(name.endswith("ForMaskedLM") for name in read_config(folder)["architectures"]):
        raise ModelError(f"{folder / CONFIG} names no masked model (…ForMaskedLM)")
    reader = within_memory(open_reader(folder, "AutoModelForMaskedLM"))
    hidden = reader.tokenizer.mask_token_id
    if hidden is None:
        raise ModelError(f"{folder}: the tokenizer has no mask_token, which a masked model needs")
    return ForeignLikelihood(f"masked:{signature}", reader, hidden)


@opened_by_name
def open_acceptability(folder: Path, signature: str) -> ForeignAcceptability:
    """Return a judge of acceptability that uses the classifier in a folder."""
    reader = open_reader(folder, "AutoModelForSequenceClassification")
    return ForeignAcceptability(f"acceptability:{signature}", reader, _label(folder, reader.network.config))


def _label(folder: Path, config: Any) -> int:
    """Return the index of the class of acceptable sentences."""
    names = {int(i): str(name).lower() for i, name in config.id2label.items()}
    acceptable = [i for i, name in names.items() if name in ACCEPTABLE]
    if len(acceptable) == 1:
        return acceptable[0]
    if len(names) > 2:
        raise ModelError(
            f"{folder / CONFIG} names {len(names)} classes, none of them acceptable; expected two, or one number"
        )
    return len(names) - 1


@opened_by_name
def open_order(folder: Path, signature: str) -> ForeignOrder:
    """Return a judge of order that uses the network in a folder."""
    reader = open_reader(folder, "AutoModelForPreTraining")
    outputs = reader.run([0])
    if not any(head in outputs for head in LOGITS):
        raise ModelError(
            f"{folder} has no head for the order of two segments; expected a model such as ALBERT, "
            "saved with it (AlbertForPreTraining)"
        )
    pair = reader.cutter.encode("a", "a").ids
    inner = reader.pieces("a")
    start = len(reader.before) + len(inner)
    between = tuple(pair[start : len(pair) - len(reader.after) - len(inner)])
    return ForeignOrder(f"order:{signature}", reader, between)
