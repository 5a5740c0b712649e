"""Rebuild the mender: `python -m training.mender CORPORA --work DIR`.

Corpus sentences are parsed once; each draft is damaged anew and read by the shipped detector, whose weights stay
fixed. Training leaves checkpoints in DIR and continues from the last. When the detector changes, the mender has to be
trained again.
"""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.explaining.tags import KEEP
from naturalness.models.mender import ASSET, DESCRIPTION, FORMAT_VERSION
from training.arguments import command_parser
from training.detector.trees import write_trees
from training.loop import Costs, rate_at, report, train
from training.manifest import ASSETS, record
from training.mender.blocks import DRAFTS, IGNORED, Drawing, Read, blocks, vocabulary
from training.mender.network import Head, write

SENTENCES, BLOCKS, SETTLING = 120_000, 140, 0.3
"""Corpus sentences, blocks of drafts, and the share of the training in which weights are rounded."""
STEPS = 80
"""Steps for each block, which is read twice: when it is drawn, and `AGAIN` blocks later."""
AGAIN = 6
PIECES = 1_600
"""Pieces in a batch."""
RATE = 1e-3
SAMPLE, LEAST = 60_000, 4
"""Drafts that decide which edits have a tag of their own, and the number of places in which they must occur."""
HELD_SEED = 1_000_000


def batches(parts: list[Read], rng: random.Random) -> Iterator[Read]:
    """Yield batches of texts of one length, in random order."""
    cuts = []
    for vectors, labels in parts:
        size = max(1, PIECES // vectors.shape[1])
        cuts += [(vectors[at : at + size], labels[at : at + size]) for at in range(0, len(vectors), size)]
    rng.shuffle(cuts)
    yield from cuts


def costs(model: Head, trees: Path, tags: list[str], first: int, total: int, workers: int) -> Iterator[Costs]:
    """Yield the costs of each step from step ``first`` on; a block is the material of `STEPS` steps."""
    at = first // STEPS
    rng, earlier = random.Random(at), deque[list[Read]](maxlen=AGAIN)
    for number, block in enumerate(blocks(trees, tags, at, total, workers), at):
        drawn = [*batches(block, rng), *batches(earlier[0] if len(earlier) == AGAIN else block, rng)]
        earlier.append(block)
        model.round(number >= (1 - SETTLING) * total)
        share = len(drawn) / STEPS
        for step in range(STEPS):
            yield [_cost(model, batch) for batch in drawn[round(step * share) : round((step + 1) * share)]]


def _cost(model: Head, batch: Read) -> Mapping[str, Tensor]:
    vectors, labels = (torch.from_numpy(x) for x in batch)
    logits = model(vectors.float())
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="sum")
    return {"tags": loss / PIECES}


def figures(model: Head, drawing: Drawing, n: int = 4) -> dict[str, float]:
    """Return shares of the places to edit in held-out drafts: the right tag is first, among three, among ten."""
    ranks, alarms, sound = [], 0, 0
    keep = drawing.tags[KEEP]
    with torch.inference_mode():
        for seed in range(HELD_SEED, HELD_SEED + n):
            for vectors, labels in drawing.block(seed):
                logits = model(torch.from_numpy(vectors).float()).numpy()[labels != IGNORED]
                answers = labels[labels != IGNORED]
                edited = answers != keep
                sound += int((~edited).sum())
                alarms += int((logits[~edited].argmax(1) != keep).sum())
                logits[:, keep] = -np.inf
                right = logits[np.arange(len(answers)), answers]
                ranks += (logits > right[:, None]).sum(1)[edited].tolist()
    shares = {f"first_{k}": round(float(np.mean(np.array(ranks) < k)), 4) for k in (1, 3, 10)}
    return {**shares, "edits_in_1000_sound_words": round(1000 * alarms / sound, 2), "places": len(ranks)}


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "corpora", work=True)
    parser.add_argument("--blocks", type=int, default=BLOCKS)
    parser.add_argument("--workers", type=int, default=2, help="processes that read drafts (2)")
    parser.add_argument("--folder", type=Path, help="instead of the shipped asset")
    args = parser.parse_args()
    trees, folder = args.work / "trees.jsonl", args.folder or ASSETS / ASSET
    if not trees.exists():
        write_trees(args.corpora, trees, SENTENCES)
    path = args.work / "tags.json"
    if not path.exists():
        path.write_text(json.dumps(vocabulary(Drawing.of(trees, []), SAMPLE, LEAST)), encoding="utf-8")
    tags = json.loads(path.read_text(encoding="utf-8"))
    report(f"{len(tags)} tags")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = Head(len(tags))
    total = args.blocks * STEPS
    train(
        model,
        [{"params": list(model.parameters()), "lr": RATE}],
        lambda first: costs(model, trees, tags, first, args.blocks, args.workers),
        steps=total,
        rate=lambda step: rate_at(step, total, warm=300, decay=0.7),
        path=args.work / "mender.pt",
        weight_decay=0.01,
    )
    model.round()
    measured = figures(model, Drawing.of(trees, tags, held_out=True))
    report(json.dumps(measured))
    write(model, folder, tags)
    about = {"format_version": FORMAT_VERSION, "tags": tags}
    (folder / DESCRIPTION).write_text(json.dumps(about, ensure_ascii=False) + "\n", encoding="utf-8")
    if args.folder is None:
        record(ASSET, {"drafts": args.blocks * DRAFTS, **measured})


if __name__ == "__main__":
    main()
