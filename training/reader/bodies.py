"""Make the shipped detector: `python -m training.reader.bodies DETECTOR RATINGS CORPORA MPNET --work DIR`.

DETECTOR has the files of a wide detector trained on damage alone (`python -m training.detector`), and ``DIR/six.npz``
the reader of all sets (`python -m training.reader`). Both began with MPNet, so their weights can be averaged. The mean
is rounded to integers, with the detector's heads; then the layer of kinds is refitted, the rate of alarms calibrated,
and the directions are written. Its rating head is the reader's, in standard deviations over texts that trained no
reader.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from naturalness.models.detector import ASSET, Detector, detector, open_network, rate
from naturalness.text.parsing import tokenise
from training.arguments import command_parser
from training.detector.alarms import WORDS_AN_ALARM, calibrate
from training.detector.directions import write_directions
from training.detector.distillation import teacher_on
from training.detector.export import write
from training.detector.learning import HEADS
from training.detector.naming import name_anew
from training.detector.network import Body, averaged, pretrained
from training.detector.quantisation import quantise
from training.detector.trees import source_of
from training.manifest import ASSETS, record
from training.reader.learning import Reader
from training.reader.rated import OF_EDITS, WHOLE, sources_of, texts_never_taught

SENTENCES = 140_000


def read_reader(path: Path, mpnet: Path) -> Reader:
    """Return a reader that `training.reader` wrote."""
    reader = Reader(pretrained(mpnet, list(detector().network.pieces.rows)))
    with np.load(path, allow_pickle=False) as stored:
        weights = {name: torch.from_numpy(stored[name]) for name in stored.files}
    reader.load_state_dict({**reader.state_dict(), **weights})
    return reader.eval()


def average(reader: Reader, body: Body, heads: Body | None = None) -> Reader:
    """Return a reader with the mean of both bodies, and the heads for words and soundness of ``heads`` or ``body``."""
    mean = copy.deepcopy(reader)
    mean.body = averaged([body, reader.body])
    known = {name: x for name, x in (heads or body).state_dict().items() if name.startswith(HEADS)}
    mean.body.load_state_dict({**mean.body.state_dict(), **known})
    return mean.eval()


def scale_of(judge: Detector, texts: Sequence[str]) -> tuple[float, float]:
    """Return the mean and the standard deviation of a detector's ratings of texts."""
    ratings = np.array(rate(list(tokenise(texts)), judge))
    return float(np.nanmean(ratings)), float(np.nanstd(ratings))


@torch.no_grad()
def standardise(reader: Reader, mean: float, spread: float) -> None:
    """Make the rating head give deviations from a mean."""
    reader.r.weight.div_(spread)
    reader.r.bias.sub_(mean).div_(spread)


def export(reader: Reader, folder: Path) -> None:
    """Write the files of a detector with the reader's rating head."""
    head = {name: x for name, x in reader.state_dict().items() if name.startswith(("p.", "r."))}
    weights = {name: x.detach().cpu().numpy() for name, x in {**reader.body.state_dict(), **head}.items()}
    write(weights, folder, vocabulary=reader.body.vocabulary)


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "detector", "ratings", "corpora", "mpnet", work=True)
    parser.add_argument("--device", default="cpu", help="cpu or cuda (cpu)")
    args = parser.parse_args()
    source, folder = source_of(args.corpora, args.work, SENTENCES), ASSETS / ASSET
    whole = read_reader(args.work / f"{WHOLE}.npz", args.mpnet)
    reader = average(whole, teacher_on(whole.body.vocabulary, args.mpnet, args.detector))
    quantise(reader.to(args.device).body, source)
    name_anew(reader.body, source)
    export(reader, folder)
    standardise(reader, *scale_of(Detector("new", open_network(folder)), texts_never_taught(args.ratings)))
    calibrate(reader.body, open_network(folder), random.Random(0).sample(source.sentences, len(source.sentences)))
    export(reader, folder)
    write_directions(folder, source)
    record(ASSET, {"words an alarm": WORDS_AN_ALARM}, sources=sources_of(ASSET, OF_EDITS))


if __name__ == "__main__":
    main()
