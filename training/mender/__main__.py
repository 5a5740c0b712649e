"""Rebuild the mender: `python -m training.mender EDITS CORPORA --work DIR`.

Corpus sentences are parsed once; each draft is damaged anew and read by the shipped detector, whose weights stay fixed.
Finally, the head learns from the development parts of EDITS, sentences that people edited, and from more drafts. Heads
that learned from half of them each are kept in DIR, so that `training.mender.acceptance` can read sentences that a head
has not seen. Training leaves checkpoints in DIR and continues from the last. When the detector changes, the mender has
to be trained again.
"""

from __future__ import annotations

import copy
import json
import random
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from naturalness.explaining.tags import KEEP
from naturalness.models.mender import ASSET
from training.arguments import command_parser
from training.detector.trees import write_trees
from training.loop import Costs, rate_at, report, train
from training.manifest import ASSETS, record
from training.mender.blocks import DRAFTS, IGNORED, Drawing, Read, blocks, vocabulary
from training.mender.network import Head, write
from training.mender.people import HALVES, corrected, edited, half, without

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
HELD_SEEDS = range(1_000_000, 1_000_004)
EPOCHS, EDIT_RATE, MIXED = 4, 3e-4, 8
"""Passes over the edits by people, the learning rate there, and the blocks of drafts of which a batch follows each of
their batches."""


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


def learn_edits(model: Head, edits: list[Read], drafts: list[Read]) -> Head:
    """Train a copy of the head, with rounded weights, on edits by people and on drafts."""
    model = copy.deepcopy(model)
    model.round()
    rng = random.Random(0)
    steps = EPOCHS * len([*batches(edits, rng)])

    def passes(parts: list[Read]) -> Iterator[Read]:
        while True:
            yield from batches(parts, rng)

    pairs = zip(passes(edits), passes(drafts), strict=True)
    torch.manual_seed(0)
    train(
        model,
        [{"params": list(model.parameters()), "lr": EDIT_RATE}],
        lambda first: ([_cost(model, batch) for batch in pair] for pair in pairs),
        steps=steps,
        rate=lambda step: rate_at(step, steps, warm=30, decay=1.0),
        weight_decay=0.01,
    )
    return model


def figures(model: Head, parts: list[Read], keep: int) -> dict[str, float]:
    """Return the shares of edited positions whose right tag is first, among three, and among ten."""
    ranks, alarms, sound = [], 0, 0
    with torch.inference_mode():
        for vectors, labels in parts:
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
    """Run the command."""
    parser = command_parser(__doc__, "edits", "corpora", work=True)
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
    drawing = Drawing.of(trees, tags)
    rows = [*edited(args.edits)]
    halves = [[row for row in rows if half(row.group) == n] for n in range(HALVES)]
    edits = [drawing.read(corrected(of_half, drawing.network)) for of_half in halves]
    drafts = [part for seed in range(args.blocks, args.blocks + MIXED) for part in drawing.block(seed)]
    keep, measured = drawing.tags[KEEP], []
    for n, unseen in enumerate(edits):
        others = [part for k, of_half in enumerate(edits) if k != n for part in of_half]
        taught = learn_edits(model, others, drafts)
        measured.append(figures(taught, unseen, keep))
        report(json.dumps(measured[-1]))
        write(taught, args.work / without(n), tags)
    taught = learn_edits(model, [part for of_half in edits for part in of_half], drafts)
    unseen = Drawing.of(trees, tags, held_out=True)
    on_damage = figures(taught, [part for seed in HELD_SEEDS for part in unseen.block(seed)], keep)
    report(json.dumps(on_damage))
    write(taught, folder, tags)
    if args.folder is None:
        about = {"drafts": args.blocks * DRAFTS, "edited_sentences": len(rows), "held_out_halves": measured}
        record(ASSET, {**about, **on_damage})


if __name__ == "__main__":
    main()
