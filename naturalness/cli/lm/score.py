"""`naturalness lm score`: probabilities of texts under a language model."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from naturalness.cli.inputs import Measured, emit_measured
from naturalness.cli.terminal import line_of
from naturalness.data.batch import Batch
from naturalness.judging.fields import REASON

if TYPE_CHECKING:
    from naturalness.models.language.base import TokenScores
    from naturalness.models.language.neural.huggingface import HuggingFaceModel
    from naturalness.models.language.neural.model import NeuralModel
    from naturalness.models.language.ngram import NgramModel

    Model = NgramModel | NeuralModel | HuggingFaceModel

COLUMNS = ("logprob", "perplexity", "slor", "unknown")
NAN = math.nan


@dataclass(slots=True)
class ScoreTotals:
    """Running totals over texts with values."""

    texts: int = 0
    units: int = 0
    ends: int = 0
    unknown: int = 0
    logprob: float = 0.0

    def perplexity(self) -> float:
        """Return the perplexity of all texts together; infinite on overflow."""
        try:
            return math.exp(-self.logprob / self.units)
        except OverflowError:
            return math.inf

    def describe(self) -> str:
        """Return the totals in a line for people."""
        if not self.units:
            return "no text with a word\n"
        inner = self.units - self.ends
        return (
            f"perplexity {self.perplexity():.6g} over {self.units:,} units of "
            f"{self.texts:,} texts, ends of sentences included; "
            f"{self.unknown / inner:.1%} unknown\n"
        )


def run(args: argparse.Namespace) -> int:
    """Write the table; return 1 if any row has no values."""
    from naturalness.models.language.spec import open_language_model

    totals = ScoreTotals()
    measured = partial(measure, model=open_language_model(args.model), nlp=args.nlp, totals=totals)
    code = emit_measured(args, "score", measured, _print)
    sys.stderr.write(totals.describe())
    return code


def measure(batch: Batch, model: Model, nlp: str, totals: ScoreTotals) -> Measured:
    """Return the new columns of a batch, and the number of rows that have no values."""
    from naturalness.models.language.neural.model import TOO_LONG
    from naturalness.models.language.training.corpus import read_docs
    from naturalness.text.parsing import short_memory, unusable

    rows: list[tuple[float, ...]] = []
    reasons: list[str] = []
    with short_memory(nlp=nlp):
        docs = read_docs(batch.texts, model.read.kind, nlp=nlp)
        for problem, doc in zip(batch.problems, docs, strict=True):
            reason = problem or unusable(doc)
            scores = None if reason else model.token_logprobs([doc])[0]
            if scores is not None and scores.units:
                rows.append(values(scores, totals))
            else:
                rows.append((NAN,) * len(COLUMNS))
                reason = reason or TOO_LONG
            reasons.append(reason)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in COLUMNS]
    return {**dict(zip(COLUMNS, columns, strict=True)), REASON: reasons}, sum(map(bool, reasons))


def values(scores: TokenScores, totals: ScoreTotals) -> tuple[float, ...]:
    """Return the values of one row, in the order of `COLUMNS`."""
    from naturalness.models.language.likelihood import perplexity, slor

    logprob = float(scores.logprobs.sum())
    ends = int((scores.tokens < 0).sum())
    unknown = int(scores.unknown.sum())
    totals.texts += 1
    totals.units += len(scores.units)
    totals.ends += ends
    totals.unknown += unknown
    totals.logprob += logprob
    return logprob, perplexity(scores), slor(scores), unknown / (len(scores.units) - ends)


def _print(batch: Batch, added: dict[str, list[Any]]) -> None:
    """Print a line for each text with its numbers, or the reason why it has none."""
    if not batch.first_row:
        heads = ("logprob", "perplexity", "SLOR", "unknown")
        sys.stdout.write("".join(f"{head:>11}" for head in heads) + "  text\n")
    for i, text in enumerate(batch.texts):
        line = line_of(text)
        if reason := added[REASON][i]:
            sys.stdout.write(f"{f'({reason})':>44}  {line}".rstrip() + "\n")
            continue
        logprob, perplexity, slor, unknown = (added[name][i] for name in COLUMNS)
        shown = "–" if slor != slor else f"{slor:.3f}"
        numbers = f"{logprob:11.2f}{perplexity:11.5g}{shown:>11}{unknown:>11.1%}"
        sys.stdout.write(f"{numbers}  {line}\n")
