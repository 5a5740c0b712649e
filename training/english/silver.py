"""Corpus sentences labelled by the teacher, which are more numerous and varied than the treebanks."""

from __future__ import annotations

import json
import lzma
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import spacy
import torch
from tqdm import tqdm
from transformers import AutoTokenizer

from training.english.student import QUOTES
from training.english.teacher import ENCODER, Teacher, annotate
from training.english.tokenizer import configure
from training.tables import read_table
from training.treebanks import Sentence

SHARES: Mapping[str, float] = read_table(__file__, "words.toml")["shares"]
CERTAINTY = -0.35
"""Mean log-probability of arcs and tags that a sentence must exceed."""
RUN = 6  # neighbouring sentences taken together, so that sentence boundaries can be learned


def sample_runs(corpora: Path, n: int = 150_000) -> list[list[str]]:
    """Sample ``n`` neighbouring sentences in runs, by the registers' shares; small registers are used whole."""
    rng = random.Random(0)
    runs: list[list[str]] = []
    for register, share in SHARES.items():
        with lzma.open(corpora / f"{register}.txt.xz", "rt", encoding="utf-8") as file:
            lines = [line.strip() for line in file]
        sentences: list[list[str]] = []
        starts = range(0, len(lines) - RUN, RUN)
        for start in rng.sample(starts, min(len(starts), math.ceil(n * share / RUN))):
            run: list[str] = []
            for line in lines[start : start + RUN]:
                if 2 <= line.count(" ") < 45:
                    run.append(line)
                elif run:
                    break
            sentences.append(run)
        runs += [run for run in sentences if run]
    rng.shuffle(runs)
    return runs


def is_projective(heads: Sequence[int]) -> bool:
    """Return whether no two arcs cross."""
    arcs = [(min(i, h), max(i, h)) for i, h in enumerate(heads) if i != h]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def label_runs(model: Teacher, runs: Sequence[Sequence[str]], out: Path) -> None:
    """Write the runs as JSON lines, without the sentences of which the teacher is unsure."""
    nlp = spacy.blank("en")
    configure(nlp)
    tokenizer = AutoTokenizer.from_pretrained(str(ENCODER))
    part = out.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file, torch.inference_mode():
        for run in tqdm(runs, mininterval=20):
            docs = [nlp.make_doc(line.translate(QUOTES)) for line in run]
            spaced = [([t.text for t in doc], [bool(t.whitespace_) for t in doc]) for doc in docs]
            labelled = annotate(model, tokenizer, spaced)
            sure = [asdict(s) for s, logprob in labelled if logprob > CERTAINTY and is_projective(s.heads)]
            if sure:
                file.write(json.dumps(sure) + "\n")
    part.rename(out)


def read_silver(path: Path) -> Iterator[list[Sentence]]:
    """Yield the runs of the file that `label_runs` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield [Sentence(**sentence) for sentence in json.loads(line)]
