"""Rebuild the shipped order head.

`python -m training.order CORPORA --work DIR`: the head stands on the lower layers of the shipped
detector; what those make of the sentences is worked out once and kept in DIR (4 GB).
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from naturalness.files.resources import load_manifest
from naturalness.metrics.gruen.judges import ORDER_ASSET
from naturalness.models.detector import detector
from training.arguments import command_parser
from training.encoder import HEADS
from training.language.corpora import REGISTERS
from training.manifest import ASSETS, record
from training.order.export import write
from training.order.learning import Passage, accuracy, fit
from training.order.passages import SENTENCES, Document, beginnings, documents, inner, rows_of
from training.order.states import worked_out

BEGINNINGS, INNER = 700, 100
"""Passages of each register, at most, that begin a document, and from anywhere."""
HELD_OUT, SENTENCES_HELD_OUT = 60, 4
"""Passages of each register in which the head is measured; the halves have two sentences each."""
EPOCHS = 2
SEED = 0


def main() -> None:
    """Command line."""
    args = command_parser(__doc__, "corpora", work=True).parse_args()
    taught: list[Document] = []
    held_out_sets: dict[str, list[Document]] = {}
    for name in REGISTERS:
        every = documents(args.corpora / f"{name}.txt.xz", SENTENCES)
        taught += [*beginnings(every, BEGINNINGS), *inner(every, INNER, SEED)]
        held_out = documents(args.corpora / f"{name}.dev.txt.xz", SENTENCES_HELD_OUT)
        held_out_sets[name] = beginnings(held_out, HELD_OUT, SENTENCES_HELD_OUT)
    pieces = detector().network.pieces
    numbered: dict[str, list[Passage]] = {}
    sentences: list[str] = []
    for name, passages in {"": taught, **held_out_sets}.items():
        numbered[name] = [_numbered(passage, sentences) for passage in passages]
    states = worked_out(rows_of(sentences, pieces), args.work / "states.npy")
    learned = numbered.pop("")
    model = fit(states, learned, epochs=EPOCHS, seed=SEED)
    shares = accuracy(model, states, numbered)
    print(json.dumps(shares, indent=1))
    write({k: v.numpy() for k, v in model.state_dict().items()}, ASSETS / ORDER_ASSET, heads=HEADS)
    figures = {"right_order_preferred": shares["mean"][0], "each_right": shares["mean"][1]}
    record(ORDER_ASSET, {**figures, "detector": load_manifest()["detector"].checksum})


def _numbered(passage: Document, sentences: list[str]) -> Sequence[int]:
    """Places of a passage's sentences in the list, to which they are added."""
    start = len(sentences)
    sentences += passage
    return range(start, len(sentences))


if __name__ == "__main__":
    main()
