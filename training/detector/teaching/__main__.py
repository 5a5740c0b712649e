"""Teach both detectors on a GPU: `python -m training.detector.teaching prepare|learn|export`.

`prepare CORPORA DOWNLOADS RATINGS --work DIR`, on any machine: parsed sentences, MPNet's and MiniLM's weights, and
rated texts to watch, in files that are small enough to be sent. `learn --work DIR --out OUT`, on a machine with a
GPU, torch, onnx, safetensors and scipy: a language model, a teacher of twelve layers, then both detectors. `export
WHICH --work DIR --out OUT --folder F`: the files of one, which `benchmarks.detector --detector F` measures.
"""

from __future__ import annotations

import argparse
import gc
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import torch
from torch import nn

from naturalness.models.pieces import Pieces
from training.detector.mixture import Source
from training.detector.network import Body
from training.detector.teaching import packed
from training.detector.teaching.columns import Columns
from training.detector.teaching.guesses import Candidates, Guesser
from training.detector.teaching.learning import (
    RATES_NARROW,
    RATES_TEACHER,
    RATES_WIDE,
    Learner,
    Lessons,
    begin_with,
    learn,
    learn_to_guess,
)
from training.detector.teaching.stream import Stream
from training.detector.teaching.watching import Watched, read_watched, watch, write_watched

SENTENCES = 700_000
TEACHER_LAYERS = 12
GUESSER_LAYERS = 6
LEARNED_FROM = 150_000
"""Sentences that neighbours and forms of words are learned from."""
SECONDS = (35, 220, 290)
"""For the language model, the teacher, and both detectors."""
WATCHED = 600
SENTENCES_FILE, VOCABULARIES, SETS_FILE = "sentences.npz.xz", "vocabularies.json", "watched.npz"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("prepare")
    first.add_argument("corpora", type=Path)
    first.add_argument("downloads", type=Path)
    first.add_argument("ratings", type=Path)
    first.add_argument("--work", type=Path, required=True)
    first.add_argument("--trees", type=Path, nargs="+", help="of `write_trees`, instead of parsing the corpora")
    first.add_argument("--narrow", type=Path, help="begin the narrow detector with this checkpoint, not with MiniLM")
    second = commands.add_parser("learn")
    second.add_argument("--work", type=Path, required=True)
    second.add_argument("--out", type=Path, required=True)
    second.add_argument("--seconds", type=float, nargs=3, default=SECONDS)
    second.add_argument("--processes", type=int, default=8, help="that draw damage (8)")
    second.add_argument("--fused", action="store_true", help="compile the layers")
    second.add_argument("--device", default="cuda")
    third = commands.add_parser("export")
    third.add_argument("--work", type=Path, required=True)
    third.add_argument("--out", type=Path, required=True)
    third.add_argument("which", choices=("teacher", "wide", "narrow"))
    third.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    {"prepare": prepare, "learn": learn_all, "export": export}[args.command](args)


def prepare(args: argparse.Namespace) -> None:
    """Write all that learning reads."""
    from naturalness.models.piece_vectors import piece_vectors
    from naturalness.models.wordlist import load_wordlist
    from training.detector.__main__ import wide
    from training.detector.network import load, narrow
    from training.detector.trees import read_trees, write_trees
    from training.mpnet import assemble

    args.work.mkdir(parents=True, exist_ok=True)
    trees = args.trees or [args.work / "trees.jsonl"]
    if not args.trees and not trees[0].exists():
        write_trees(args.corpora, trees[0], SENTENCES)
    Columns.of(sentence for path in trees for sentence in read_trees(path)).write(args.work / SENTENCES_FILE)
    source = args.work / "all-mpnet-base-v2"
    if not source.exists():
        assemble(args.downloads, args.work)
    teacher = wide(source, TEACHER_LAYERS)
    packed.write(packed.pack(teacher.state_dict()), args.work / "teacher")
    other = load(args.narrow) if args.narrow else narrow(piece_vectors())
    other.forget_steps()
    packed.write(packed.pack(other.state_dict()), args.work / "narrow")
    listed = sorted(set(load_wordlist().counts) & set(teacher.vocabulary))
    names = {"wide": teacher.vocabulary, "narrow": other.vocabulary, "words": listed}
    (args.work / VOCABULARIES).write_text(json.dumps(names), encoding="utf-8")
    write_watched(list(watched(args.ratings)), args.work / SETS_FILE)


def watched(ratings: Path) -> list[Watched]:
    """Some texts of the rated sets on which `benchmarks.detector` measures."""
    import numpy as np

    from benchmarks.untrained import GOAL, OTHERS
    from naturalness.text.parsing import parse
    from naturalness.text.view import view
    from training.default_model.sets import SETS, read_set

    out = []
    for name in (*GOAL, *OTHERS):
        rated = read_set(ratings / SETS[name].file)
        step = max(1, len(rated.texts) // WATCHED)
        sentences, texts = [], []
        for i, doc in enumerate(parse(rated.texts[::step])):
            words = view(doc).lower
            for sentence in doc.sents:
                chosen = [w for w in words[sentence.start : sentence.end] if w.strip() and " " not in w]
                if chosen:
                    sentences.append(chosen)
                    texts.append(i)
        out.append(Watched(name, sentences, np.array(texts), np.asarray(rated.ratings[::step])))
    return out


def learn_all(args: argparse.Namespace) -> None:
    """Language model, teacher, detectors."""
    say = partial(print, flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    names = json.loads((args.work / VOCABULARIES).read_text(encoding="utf-8"))
    sentences = Columns.read(args.work / SENTENCES_FILE)
    source = Source.of(sentences[:LEARNED_FROM])
    source = Source(sentences, source.near, source.forms)
    say(f"{len(sentences)} sentences")
    gc.freeze()
    vocabularies = [Pieces.of(names[name]) for name in ("wide", "narrow")]
    stream = iter(Stream(source, *vocabularies, seed=0, processes=args.processes))
    device = torch.device(args.device)
    start = packed.unpack(packed.read(args.work / "teacher"))
    teacher = packed.body(start, names["wide"]).to(device)
    teacher.positions.weight.requires_grad_(False)
    lower = {name: x for name, x in start.items() if not is_above(name, GUESSER_LAYERS)}
    guesser = Guesser(packed.body(lower, names["wide"])).to(device)
    candidates = Candidates(names["wide"], names["narrow"], dict.fromkeys(names["words"], 1), source.forms.lemmas)
    lessons = Lessons.of(stream, candidates.to(device), guesser, names["narrow"])
    sets = read_watched(args.work / SETS_FILE)

    def look(name: str, model: nn.Module) -> None:
        pieces = vocabularies[1 if name == "narrow" else 0]
        say(f"{name}: {watch(model, sets, pieces, device)}")

    say("learning")
    for_guesser, for_teacher, for_students = args.seconds
    learn_to_guess(guesser, lessons, for_guesser, fused=args.fused, after=say)
    learners = {"teacher": Learner(teacher, RATES_TEACHER, encoder=teacher, fused=args.fused)}
    learn(learners, lessons, for_teacher, after=say, watch=look)
    pool = ThreadPoolExecutor(1)
    saved = pool.submit(save, teacher, args.out / "teacher", say)
    wide = begin_with(teacher).to(device)
    narrow = packed.body(packed.unpack(packed.read(args.work / "narrow")), names["narrow"]).to(device)
    learners = {
        "wide": Learner(wide, RATES_WIDE, encoder=wide, fused=args.fused),
        "narrow": Learner(narrow, RATES_NARROW, encoder=narrow, fused=args.fused),
    }
    learn(learners, lessons, for_students, teacher=teacher, after=say, watch=look)
    for name, learner in learners.items():
        save(learner.encoder, args.out / name, say)
    saved.result()
    say("done")


def is_above(name: str, layers: int) -> bool:
    """Whether the weight belongs to a layer above the lowest ones."""
    return name.startswith("layers.") and int(name.split(".")[1]) >= layers


def save(model: Body, stem: Path, say: partial[None]) -> None:
    """Write the weights without the table of pieces, which did not change."""
    paths = packed.write(packed.pack(model.state_dict(), table=False), stem, packed.TRAINED_FILE_SIZE)
    say(f"{stem.name}: {sum(path.stat().st_size for path in paths) / 1e6:.1f} MB in {len(paths)} files")


def export(args: argparse.Namespace) -> None:
    """Write the files of a detector."""
    from training.detector.export import write

    names = json.loads((args.work / VOCABULARIES).read_text(encoding="utf-8"))
    begin = "narrow" if args.which == "narrow" else "teacher"
    table = packed.unpack(packed.read(args.work / begin))[packed.TABLE]
    state = {**packed.unpack(packed.read(args.out / args.which)), packed.TABLE: table}
    model = packed.body(state, names["narrow" if begin == "narrow" else "wide"]).round()
    weights = {name: values.numpy() for name, values in model.state_dict().items()}
    write(weights, args.folder, vocabulary=None if begin == "narrow" else model.vocabulary)


if __name__ == "__main__":
    main()
