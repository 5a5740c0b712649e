"""Rebuild the shipped order head, which reads the lower layers of the shipped detector.

`python -m training.order CORPORA`
"""

from __future__ import annotations

import json

from naturalness.files.resources import load_manifest
from naturalness.metrics.gruen.judges import ORDER_ASSET
from training.arguments import command_parser
from training.language.corpora import REGISTERS, documents
from training.layer import HEADS
from training.manifest import ASSETS, record
from training.order.export import write
from training.order.learning import accuracy, fit
from training.order.passages import SENTENCES, Document, beginnings, inner, passages_of

BEGINNINGS, INNER = 700, 100
"""Passages of each register, at most, that begin a document, and from anywhere."""
HELD_OUT, SENTENCES_HELD_OUT = 60, 4
"""Passages of each register in which the head is measured; the halves have two sentences each."""


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "corpora").parse_args()
    taught: list[Document] = []
    held_out: dict[str, list[Document]] = {}
    for name in REGISTERS:
        every = [lines for lines in documents(args.corpora, name) if len(lines) >= SENTENCES]
        taught += [*beginnings(every, BEGINNINGS), *inner(every, INNER)]
        test = [lines for lines in documents(args.corpora, name, ".dev") if len(lines) >= SENTENCES_HELD_OUT]
        held_out[name] = beginnings(test, HELD_OUT, SENTENCES_HELD_OUT)
    model = fit(passages_of(taught))
    shares = accuracy(model, {name: passages_of(passages) for name, passages in held_out.items()})
    print(json.dumps(shares, indent=1))
    write({k: v.numpy() for k, v in model.state_dict().items()}, ASSETS / ORDER_ASSET, heads=HEADS)
    figures = {"right_order_preferred": shares["mean"][0], "each_right": shares["mean"][1]}
    record(ORDER_ASSET, {**figures, "detector": load_manifest()["detector"].checksum})


if __name__ == "__main__":
    main()
