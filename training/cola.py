"""Fine-tune a model of your own to tell acceptable sentences, on CoLA.

`python -m training.cola CoLA.tsv --model hf:bert-base-cased --out DIR`; then
`naturalness compare … --metrics gruen --acceptability hf:DIR`. Nothing of it is shipped: the
sentences of CoLA are their publications', for research use (Warstadt, Singh & Bowman 2019).
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.metrics import matthews_corrcoef
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from naturalness.models.huggingface import PREFIX, folder_of

LABELS = {0: "unacceptable", 1: "acceptable"}
EPOCHS, BATCH, RATE, WARM = 3, 32, 2e-5, 0.1
MAX_PIECES = 64
"""Pieces of a sentence."""
SEED = 0
SHOW = 50
Rows = list[tuple[str, int]]


def read(path: Path) -> tuple[Rows, Rows]:
    """Sentences and labels to learn from, and of the development parts."""
    taught, held_out = [], []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            part = taught if row["split"] == "train" else held_out
            part.append((row["text"], int(float(row["rating"]) > 0.5)))
    known = {text for text, _ in taught}
    return taught, [row for row in held_out if row[0] not in known]


def logits_of(model: Any, tokenizer: Any, texts: Sequence[str]) -> torch.Tensor:
    """(texts, 2)."""
    pieces = tokenizer(list(texts), padding=True, truncation=True, max_length=MAX_PIECES, return_tensors="pt")
    logits: torch.Tensor = model(**pieces.to(model.device)).logits
    return logits


@torch.inference_mode()
def matthews(model: Any, tokenizer: Any, rows: Rows) -> float:
    """-1..1."""
    model.eval()
    classes = [
        logits_of(model, tokenizer, [text for text, _ in rows[i : i + 64]]).argmax(-1).cpu()
        for i in range(0, len(rows), 64)
    ]
    return float(matthews_corrcoef([label for _, label in rows], np.concatenate(classes)))


def fit(model: Any, tokenizer: Any, rows: Rows, epochs: int) -> None:
    """Train in place."""
    rng = random.Random(SEED)
    steps = epochs * (len(rows) // BATCH)
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (WARM * steps), (steps - step) / steps)
    )
    started, costs = time.time(), []
    for step in range(steps):
        if step % (len(rows) // BATCH) == 0:
            order = rng.sample(rows, len(rows))
        start = step % (len(rows) // BATCH) * BATCH
        batch = order[start : start + BATCH]
        model.train()
        labels = torch.tensor([label for _, label in batch], device=model.device)
        cost = torch.nn.functional.cross_entropy(logits_of(model, tokenizer, [text for text, _ in batch]), labels)
        optimizer.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        costs.append(cost.item())
        if (step + 1) % SHOW == 0:
            pace = (time.time() - started) / (step + 1)
            print(f"{step + 1}/{steps} loss {np.mean(costs[-SHOW:]):.3f}; {pace:.2f} s a step", flush=True)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cola", type=Path)
    parser.add_argument("--model", required=True, help="hf:NAME_OR_PATH of an encoder")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=EPOCHS, help=f"passes ({EPOCHS})")
    parser.add_argument("--sentences", type=int, help="that are learned from (all)")
    args = parser.parse_args()
    torch.manual_seed(SEED)
    folder = str(folder_of(args.model.removeprefix(PREFIX)))
    safe = {"trust_remote_code": False, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(folder, **safe)
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=2, id2label=LABELS, use_safetensors=True, **safe
    ).to("cuda" if torch.cuda.is_available() else "cpu")
    taught, held_out = read(args.cola)
    fit(model, tokenizer, taught[: args.sentences], args.epochs)
    print(f"Matthews on {len(held_out)} development sentences: {matthews(model, tokenizer, held_out):.3f}")
    model.save_pretrained(args.out)
    tokenizer.save_pretrained(args.out)


if __name__ == "__main__":
    main()
