"""Rebuild the shipped small language model.

`python -m training.neural_lm CORPORA --work DIR`: tokens are those of `training.language`, whose
working folder may be named by `--tokens`; pieces are those of the shipped model of pieces. Training
leaves a checkpoint in DIR and resumes from it; an hour and a half on two
cores.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import sentencepiece
import torch

from naturalness.files.resources import file_checksum
from naturalness.models.language.neural.model import NeuralModel, open_network
from naturalness.models.language.shipped import NEURAL, pieces
from naturalness.models.language.store import PIECES as PIECES_FILE
from training.arguments import command_parser
from training.language.corpora import tokens
from training.layer import HEADS
from training.manifest import ASSETS, record
from training.neural_lm.export import write
from training.neural_lm.learning import fit
from training.neural_lm.network import Transformer, pretrained
from training.neural_lm.text import END, START, UNKNOWN, read_registers
from training.neural_lm.weighing import fitted_weight

STEPS = 4_500


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpora", work=True)
    parser.add_argument("--tokens", type=Path, help="working folder of training.language (DIR)")
    args = parser.parse_args()
    encoder = ASSETS / "pieces" / PIECES_FILE
    folder = tokens(args.corpora, args.tokens or args.work)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(encoder))
    names = [processor.IdToPiece(i) for i in range(processor.vocab_size())]
    registers = read_registers(processor.EncodeAsIds, folder)
    counts = sum(np.bincount(rows.ids, minlength=len(names)) for rows in registers.values())
    torch.manual_seed(0)
    model = pretrained(names, counts.tolist())
    fit(model, registers, args.work, steps=STEPS)
    export(model, names, encoder, args.corpora)


def export(model: Transformer, names: list[str], encoder: Path, corpora: Path) -> None:
    """Write the files, fit the network's weight in the mixture with n-grams, and enter the asset in the manifest."""
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    special, checksum, folder = (UNKNOWN, START, END), file_checksum(encoder), ASSETS / NEURAL
    save = partial(write, weights, folder, vocabulary=names, special=special, encoder=checksum, heads=HEADS)
    save()
    weight = fitted_weight(NeuralModel(NEURAL, "new", open_network(folder), pieces(), 0.5), corpora)
    save(weight=weight)
    record(NEURAL, {"weight": weight, "steps": STEPS})


if __name__ == "__main__":
    main()
