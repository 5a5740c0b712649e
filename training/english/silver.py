"""Corpus sentences labelled by the teacher: more, and more varied, examples than the treebanks."""

from __future__ import annotations

import json
import lzma
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import spacy
import torch
from tqdm import tqdm
from transformers import AutoTokenizer

from training.english.student import QUOTES
from training.english.teacher import ENCODER, Labels, Teacher, annotate
from training.english.tokenizer import configure
from training.loop import by_length
from training.treebanks import Sentence

# Share of the sample by register; informal and spoken text weighs more than it does in the corpus.
SHARES = {
    "podcasts": 0.19,
    "books": 0.18,
    "wikipedia": 0.18,
    "blog": 0.10,
    "news": 0.08,
    "wikinews": 0.07,
    "dialogues": 0.06,
    "textbooks": 0.05,
    "government": 0.04,
    "speeches": 0.03,
    "techdocs": 0.02,
}
RUN = 6  # neighbouring sentences taken together, so that sentence boundaries can be learned


def save_teacher(model: Teacher, path: Path) -> None:
    """Save weights and labels, without code."""
    labels = json.dumps(model.labels.__dict__).encode()
    state = model.state_dict() | {"labels": torch.tensor(list(labels), dtype=torch.uint8)}
    torch.save(state, path)


def load_teacher(path: Path) -> Teacher:
    """Load the model that `save_teacher` wrote."""
    state = torch.load(path, weights_only=True)
    labels = json.loads(bytes(state.pop("labels").tolist()))
    model = Teacher(Labels(**labels))
    model.load_state_dict(state)
    return model.eval()


def sample_runs(corpora: Path, n: int, seed: int) -> list[list[str]]:
    """Sample `n` neighbouring sentences in runs, by the shares above; small registers are used whole."""
    rng = random.Random(seed)
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


def label_runs(model: Teacher, runs: Sequence[Sequence[str]], out: Path, *, certainty: float = -0.35) -> None:
    """Write the runs as JSON lines, leaving out the sentences that the teacher is unsure of."""
    nlp = spacy.blank("en")
    configure(nlp)
    tokenizer = AutoTokenizer.from_pretrained(str(ENCODER))
    flat = [(r, line.translate(QUOTES)) for r, run in enumerate(runs) for line in run]
    tokens = [nlp.make_doc(line) for _, line in flat]
    results: list[Sentence | None] = [None] * len(flat)
    plan = by_length([len(doc) for doc in tokens], 1600, random.Random(0))
    with torch.inference_mode():
        for rows in tqdm(plan, desc=out.name, mininterval=20):
            spaced = [([t.text for t in tokens[i]], [bool(t.whitespace_) for t in tokens[i]]) for i in rows]
            for i, (sentence, sure) in zip(rows, annotate(model, tokenizer, spaced), strict=True):
                if sure > certainty and is_projective(sentence.heads):
                    results[i] = sentence
    labelled_runs: list[list[dict[str, object]]] = [[] for _ in runs]
    for (r, _), labelled in zip(flat, results, strict=True):
        if labelled is not None:
            labelled_runs[r].append(asdict(labelled))
    with out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(run) + "\n" for run in labelled_runs if run)


def read_silver(paths: Sequence[Path]) -> Iterator[list[Sentence]]:
    """Yield the runs of the files that `label_runs` wrote."""
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line in file:
                yield [Sentence(**sentence) for sentence in json.loads(line)]
