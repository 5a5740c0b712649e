"""Correlation of a large language model's log-probability with ratings, compared with the default recipe.

`python -m benchmarks.llm RATINGS CORPORA MODEL --work DIR`: MODEL is a folder with one GGUF file, such as Gemma 3 270M.
Texts of each of the six sets are drawn; the default recipe judges the same texts, the set's family left out. Needs
torch, transformers, gguf and accelerate. The model is only a point of comparison; nothing that ships comes from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.leave_out.beside import OURS
from benchmarks.leave_out.rated import sources_of
from benchmarks.leave_out.resampling import Figure, correlated, mean_of
from benchmarks.report import markdown_table, write
from naturalness.arrays import FloatArray
from naturalness.features import DEFAULT
from training.arguments import command_parser
from training.default_model.measure import read_material
from training.default_model.recipe import judged_by_leaving_out
from training.default_model.sets import SIX

SUM, MEAN, SLOR = "log-probability", "log-probability a token", "SLOR"
MEASURES = (SUM, MEAN, SLOR)
PLAIN = 4_000
"""Texts from which token frequencies are counted, for SLOR (Kann et al. 2018)."""


class LanguageModel:
    """A language model that gives log-probabilities of tokens after a beginning-of-text token."""

    def __init__(self, folder: Path) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        (file,) = folder.glob("*.gguf")
        self.torch = torch
        self.tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=file.name)
        self.model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file.name).eval()

    def tokens(self, text: str) -> list[int]:
        """Return token ids without the beginning-of-text token."""
        return self.tokenizer(text, add_special_tokens=False)["input_ids"]

    def logprobs(self, text: str) -> FloatArray:
        """Return the log-probability of each token."""
        ids = [self.tokenizer.bos_token_id, *self.tokens(text)]
        with self.torch.no_grad():
            logits = self.model(self.torch.tensor([ids])).logits[0, :-1]
        picked = logits.log_softmax(-1)[self.torch.arange(len(ids) - 1), self.torch.tensor(ids[1:])]
        return np.asarray(picked.double().numpy(), np.float64)


def frequencies(model: LanguageModel, texts: Sequence[str]) -> dict[int, float]:
    """Return the add-one smoothed log frequency of each token; that of unknown tokens under -1."""
    counts: dict[int, int] = {}
    for text in texts:
        for token in model.tokens(text):
            counts[token] = counts.get(token, 0) + 1
    total = sum(counts.values()) + len(counts) + 1
    return {-1: -float(np.log(total)), **{token: float(np.log((n + 1) / total)) for token, n in counts.items()}}


def measures(model: LanguageModel, texts: Sequence[str], unigrams: dict[int, float]) -> FloatArray:
    """Return `MEASURES` of each text, (n_texts, 3)."""
    rows = []
    for text in texts:
        logprobs = model.logprobs(text)
        plain = np.array([unigrams.get(token, unigrams[-1]) for token in model.tokens(text)])
        rows.append([logprobs.sum(), logprobs.mean(), (logprobs - plain).mean()])
    return np.array(rows)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "ratings", "corpora", "model", work=True)
    parser.add_argument("--each", type=int, default=200, help="texts of a set (200)")
    options = parser.parse_args()
    material = read_material(options.ratings, options.corpora, options.work, groups=DEFAULT)
    pool = material.pool()
    model = LanguageModel(options.model)
    every = [text for name in SIX for text in material.rated[name].texts]
    rng = np.random.default_rng(0)
    unigrams = frequencies(model, [every[i] for i in rng.choice(len(every), PLAIN, replace=False)])
    found: dict[str, list[Figure]] = {}
    for number, name in enumerate(SIX):
        rated = material.rated[name]
        rows = np.sort(rng.choice(len(rated.texts), min(options.each, len(rated.texts)), replace=False))
        judged = measures(model, [rated.texts[i] for i in rows], unigrams)
        judges = {OURS: judged_by_leaving_out(name, pool, material.tables[name])[rows]}
        judges |= dict(zip(MEASURES, judged.T, strict=True))
        figures = correlated(judges, rated.ratings[rows], sources_of(options.ratings, name)[rows], number)
        for judge, figure in figures.items():
            found.setdefault(judge, []).append(figure)
        print(name, {judge: round(figure.value, 3) for judge, figure in figures.items()}, flush=True)
    cells = {judge: [*(f.cell() for f in parts), mean_of(parts).cell()] for judge, parts in found.items()}
    data: dict[str, Any] = {
        "spearman": {judge: dict(zip((*SIX, "mean"), row, strict=True)) for judge, row in cells.items()}
    }
    rows = [
        [judge, *(f"{v:.3f} ({low:.2f} to {high:.2f})" for v, low, high in cells[judge])] for judge in (OURS, *MEASURES)
    ]
    note = (
        f"\nSpearman on {options.each} texts of each set, with 95 % intervals (1,000 resamples of sources). "
        f"Frequencies for SLOR are token frequencies in {PLAIN:,} texts of these sets. The model is Gemma 3 270M in "
        "four bits (Gemma's terms of use). It serves for comparison only; no shipped file contains it or was trained "
        "with it.\n"
    )
    write(
        "llm",
        "The log-probability of a large language model",
        markdown_table(["", *SIX, "mean"], rows) + note,
        data,
        command="python -m benchmarks.llm RATINGS CORPORA MODEL --work DIR",
        seed=0,
        texts_of_each=options.each,
    )


if __name__ == "__main__":
    main()
