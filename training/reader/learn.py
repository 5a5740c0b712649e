"""Train readers from prepared files: `python -m training.reader.learn PREPARED --work DIR [--device cuda]`.

Needs torch and numpy alone. Trains, in the order of ``--jobs``: ``six`` (the mean of two trainings, then in whole
numbers), ``six-folds`` (one for each fold of families, which it never saw), ``twelve``, ``narrow`` (learns from the
twelve), ``twelve-folds``, ``narrow-folds``, ``licensed-folds`` (six layers, sets with a stated licence alone).

Writes weights as `training.reader.packed` has them, ``answers.npz`` (what each reader says of each rated text) and
``learn.log`` into DIR, each as soon as it is there. What is there already is not made again. Stops after
``--seconds``: a training that does not fit any more is shortened to no less than half, or left out; one that turns out
slower is stopped early enough to be measured and written, if it has half of its steps. A job waits until the files of
its layers are there.
"""

from __future__ import annotations

import argparse
import json
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from training.reader import packed
from training.reader.assemble import rebuilt
from training.reader.batches import Data, read_data
from training.reader.learning import SHORTEST, Learner, Run, learn, learn_words, settle
from training.reader.measuring import correlations, marks, read_rows, shown
from training.reader.network import (
    NARROW,
    SIX,
    TWELVE,
    Layer,
    Reader,
    Shape,
    arrays_of,
    attend,
    averaged,
    is_above,
    new_reader,
)

JOBS = ("six", "six-folds", "twelve", "narrow", "twelve-folds", "narrow-folds", "licensed-folds")
MEASURED = (
    "GUG",
    "Lau BNC",
    "style transfer",
    "SFHOTEL",
    "SFREST",
    "Topical-Chat",
    "SummEval",
    "Newsroom",
    "E2E",
    "CoLA",
)
SEEDS = 2
"""Trainings of six layers, of which the mean is taken."""
PIECES_PER_SECOND = 450_000
"""Of six layers, forwards and back, on an H100: a first guess, near what 26 November 2026 gave."""
RESERVE = 45.0
"""Seconds before the end at which every training stops: the layer of kinds, measuring and writing take up to 40."""
WHOLE_COST = 1.8
"""How much longer whole numbers take."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Sizes of all trainings."""

    six: Run = field(default_factory=lambda: Run(180, damage=4, damage_weight=1.5))
    six_fold: Run = field(default_factory=lambda: Run(180))
    twelve: Run = field(default_factory=lambda: Run(180, damage=2, damage_weight=1.2))
    twelve_fold: Run = field(default_factory=lambda: Run(180))
    settle_six: Run = field(
        default_factory=lambda: Run(120, rated=1, damage=2, rate=2e-5, rate_of_heads=1e-4, warm=0.15)
    )
    settle_twelve: Run = field(
        default_factory=lambda: Run(80, rated=1, damage=2, rate=2e-5, rate_of_heads=1e-4, warm=0.15)
    )
    narrow: Run = field(default_factory=lambda: Run(700, rated=1, damage=2, rate=4e-4, warm=0.05, whole_from=0.6))
    narrow_fold: Run = field(default_factory=lambda: Run(250, rated=1, damage=2, rate=4e-4, warm=0.05))
    words: int = 100
    """Steps in which the layer of kinds learns on."""
    layers: tuple[int, int] = (SIX.layers, TWELVE.layers)


def smaller(recipe: Recipe, steps: int, pieces: int, layers: tuple[int, int]) -> Recipe:
    """Return a recipe to try the code with."""
    runs = {
        name: replace(value, steps=steps, pieces=pieces)
        for name in ("six", "six_fold", "twelve", "twelve_fold", "settle_six", "settle_twelve", "narrow", "narrow_fold")
        for value in (getattr(recipe, name),)
    }
    return replace(recipe, **runs, words=steps, layers=layers)


def cost_of(run: Run, shape: Shape, teacher: Shape | None = None, *, whole: bool = False) -> float:
    """Return the cost of a training in pieces that six layers read, forwards and back."""

    def size(one: Shape) -> float:
        return one.layers * one.width * (4 * one.width + 2 * one.feed_forward) / (6 * 768 * (4 * 768 + 2 * 3072))

    share = 1.0 if whole else 1 - run.whole_from if run.whole_from is not None else 0.0
    each = size(shape) * (1 + share * (WHOLE_COST - 1)) + (size(teacher) / 3 if teacher else 0.0)
    return run.n_pieces() * each


class OutOfTime(Exception):
    """A training does not fit into the time that is left."""


@dataclass
class Session:
    """What all jobs share."""

    prepared: Path
    work: Path
    device: torch.device
    data: Data
    recipe: Recipe
    deadline: float
    log: Callable[[str], None]
    half: bool = False
    """Whether products are in floats of sixteen bits."""
    pace: float = float(PIECES_PER_SECOND)
    paced: bool = False
    opened: set[str] = field(default_factory=set)
    begin: dict[str, np.ndarray] = field(default_factory=dict)
    """MPNet's weights, of the files that were opened."""
    first: dict[Shape, dict[str, Tensor]] = field(default_factory=dict)
    """Weights that readers of a shape begin with."""
    states: dict[str, dict[str, Tensor]] = field(default_factory=dict)
    """Weights of readers that later jobs need."""
    answers: dict[str, np.ndarray] = field(default_factory=dict)
    writing: list[Future[None]] = field(default_factory=list)
    writers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(2))
    notary: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))
    """Writes answers, one version after another."""

    @property
    def last_step(self) -> float:
        """Return when trainings stop, so that what they learned is measured and written by the deadline."""
        return self.deadline - RESERVE

    def start(self, layers: int) -> dict[str, np.ndarray]:
        """Return the weights of so many layers of MPNet, in seven bits."""
        names = ["begin", *(f"layer-{i:02}" for i in range(layers))]
        new = [name for name in names if name not in self.opened]
        if new:
            self.begin |= packed.restored(packed.read_all([self.prepared / f"{name}.npz.xz" for name in new]))
            self.opened |= set(new)
        return {name: values for name, values in self.begin.items() if not is_above(name, layers)}

    def reader(self, shape: Shape, state: Mapping[str, Tensor] | None = None) -> Reader:
        """Return a reader that begins with MPNet or MiniLM, or has the weights of a state."""
        if shape not in self.first:
            narrow_file = self.prepared / "narrow.npz.xz"
            is_narrow = shape.width == NARROW.width
            weights = packed.restored(packed.read(narrow_file)) if is_narrow else self.start(shape.layers)
            self.first[shape] = new_reader(weights, len(self.data.kinds), shape).to(self.device).state_dict()
        first = self.first[shape]
        with torch.device(self.device):
            reader = Reader(len(first[packed.TABLE]), len(first["body.positions.weight"]), shape, len(self.data.kinds))
        reader = reader.to(self.device).freeze_tables()
        reader.load_state_dict(dict(state or first))
        return reader

    def train(
        self,
        name: str,
        reader: Reader,
        run: Run,
        *,
        fold: int | None = None,
        teacher: Reader | None = None,
        licensed_only: bool = False,
    ) -> None:
        """Train a reader without the families of a fold, in the time that there is."""
        run = self.fitting(run, reader.shape, teacher.shape if teacher else None)
        without = set(self.data.folds[fold]) if fold is not None else set()
        self.log(f"{name}: {run.steps} steps, {run.n_pieces():,} pieces")
        learner = Learner(reader, run, self.data, teacher, half=self.half)
        seconds = learn(learner, self.log, without=without, licensed_only=licensed_only, until=self.last_step)
        self.learned(run, seconds, reader.shape, teacher.shape if teacher else None)

    def fitting(self, run: Run, shape: Shape, teacher: Shape | None = None, *, whole: bool = False) -> Run:
        """Return a run that fits into the time that is left."""
        left = self.last_step - time.monotonic()
        share = left * self.pace / cost_of(run, shape, teacher, whole=whole)
        if share >= 1:
            return run
        if share < SHORTEST:
            raise OutOfTime(f"{left:.0f} s are left")
        return replace(run, steps=max(1, int(run.steps * share)))

    def learned(
        self, run: Run, seconds: float, shape: Shape, teacher: Shape | None = None, *, whole: bool = False
    ) -> None:
        """Remember how fast a training was."""
        pace = cost_of(run, shape, teacher, whole=whole) / max(1e-6, seconds * run.steps)
        # The first training compiles and allocates; later ones count half.
        self.pace = pace if not self.paced else 0.5 * (self.pace + pace)
        self.paced = True
        self.log(f"  {seconds:.3f} s a step; pace {self.pace:,.0f} pieces of six layers a second")

    def settle(self, name: str, reader: Reader, run: Run) -> Reader:
        """Return the reader in whole numbers."""
        run = self.fitting(run, reader.shape, reader.shape, whole=True)
        self.log(f"{name}: settles in {run.steps} steps, {run.n_pieces():,} pieces")
        started = time.monotonic()
        reader = settle(reader, run, self.data, self.log, self.last_step, half=self.half)
        self.log(f"  {time.monotonic() - started:.1f} s")
        return reader

    def words(self, reader: Reader) -> None:
        """Let the layer of kinds learn on."""
        run = self.recipe.six
        learn_words(reader, self.data, self.log, steps=self.recipe.words, pieces=run.pieces, batches=4, half=self.half)

    def measure(self, name: str, reader: Reader, *, keep: bool = True, fold: int | None = None) -> None:
        """Print what a reader is worth, and remember what it says of each rated text."""
        n = 1 + max(int(one.rows.max()) for one in self.data.sets)
        said = read_rows(reader, self.data.texts, np.arange(n), half=self.half)
        figures = correlations(self.data, said, MEASURED)
        if fold is not None:
            outside = {one.name for one in self.data.sets if one.family in (*self.data.folds[fold], "gug", "cola")}
            figures = {known: three for known, three in figures.items() if known in outside}
        self.log(f"{name}: Spearman, Pearson, Spearman of damage: {shown(figures)}")
        self.log(
            f"{name}: marks " + " ".join(f"{k} {v:.3f}" for k, v in marks(reader, self.data, half=self.half).items())
        )
        if keep:
            self.answers["keys"] = self.data.keys[:n]
            for part in ("rating", "sound", "damage"):
                self.answers[f"{name}|{part}"] = getattr(said, part).astype(np.float16)
            self.writing.append(self.notary.submit(self._write_answers, dict(self.answers)))

    def _write_answers(self, answers: dict[str, np.ndarray]) -> None:
        part = self.work / "answers.part.npz"
        np.savez_compressed(part, **answers)
        part.rename(self.work / "answers.npz")

    def remember(self, name: str, reader: Reader) -> None:
        """Keep the weights for later jobs, and for a later run of this command."""
        self.states[name] = {key: x.detach().clone() for key, x in reader.state_dict().items()}
        folder = self.work / "states"
        folder.mkdir(exist_ok=True)
        torch.save(self.states[name], folder / f"{name}.part")
        (folder / f"{name}.part").rename(folder / f"{name}.pt")

    def known(self, name: str) -> dict[str, Tensor] | None:
        """Return weights that were remembered, or else are stored: those of ``six`` and ``twelve`` are."""
        path = self.work / "states" / f"{name}.pt"
        if name not in self.states and path.exists():
            self.states[name] = torch.load(path, map_location=self.device, weights_only=True)
        elif name not in self.states and self.is_written(name):
            reader = rebuilt(self.prepared, self.work, name, len(self.data.kinds))
            self.states[name] = reader.to(self.device).state_dict()
        return self.states.get(name)

    def write(self, name: str, reader: Reader, *, whole: bool, parts: int) -> None:
        """Write a reader, beside what goes on."""
        state = arrays_of(reader)
        stored = packed.compact(state, None if whole else self.start(reader.shape.layers))
        self.writing.append(self.writers.submit(self._write, name, stored, parts))

    def _write(self, name: str, stored: dict[str, np.ndarray], parts: int) -> None:
        packed.write_parts(self.work, name, stored, parts)
        sizes = [path.stat().st_size / 1e6 for path in packed.parts_of(self.work, name)]
        self.log(f"  wrote {name}: " + " ".join(f"{size:.1f}" for size in sizes) + " MB")

    def is_written(self, name: str) -> bool:
        """Tell whether a reader is there already."""
        return bool(packed.parts_of(self.work, name))


def six(session: Session) -> None:
    """Train six layers: the mean of several trainings, then the same in whole numbers."""
    recipe = session.recipe
    shape = replace(SIX, layers=recipe.layers[0])
    if session.known("six") is None:
        for seed in range(SEEDS):
            name = f"six-{seed}"
            if session.known(name) is None:
                reader = session.reader(shape)
                session.train(name, reader, replace(recipe.six, seed=seed))
                session.remember(name, reader)
                session.measure(name, reader, keep=False)
        members = [session.states.pop(f"six-{seed}") for seed in range(SEEDS)]
        reader = session.reader(shape, averaged(members))
        session.measure("six, mean", reader, keep=False)
        session.words(reader)
        session.remember("six", reader)
    reader = session.reader(shape, session.known("six"))
    if not session.is_written("six"):
        session.measure("six", reader)
        session.write("six", reader, whole=False, parts=2)
    if not session.is_written("six_whole"):
        settled(session, "six_whole", reader, recipe.settle_six, parts=2)


def twelve(session: Session) -> None:
    """Train twelve layers, then the same in whole numbers."""
    recipe = session.recipe
    shape = replace(TWELVE, layers=recipe.layers[1])
    if session.known("twelve") is None:
        reader = session.reader(shape)
        session.train("twelve", reader, recipe.twelve)
        session.words(reader)
        session.remember("twelve", reader)
    reader = session.reader(shape, session.known("twelve"))
    if not session.is_written("twelve"):
        session.measure("twelve", reader)
        session.write("twelve", reader, whole=False, parts=4)
    if not session.is_written("twelve_whole"):
        settled(session, "twelve_whole", reader, recipe.settle_twelve, parts=3)


def settled(session: Session, name: str, reader: Reader, run: Run, parts: int) -> None:
    """Write a reader in whole numbers."""
    reader = session.settle(name, reader, run)
    session.words(reader)
    session.measure(name, reader)
    session.write(name, reader, whole=True, parts=parts)


def narrow(session: Session) -> None:
    """Train the narrow reader, which learns from the twelve layers, or from the six where there are none."""
    if session.is_written("narrow_whole"):
        return
    reader = session.reader(NARROW)
    session.train("narrow", reader, session.recipe.narrow, teacher=teacher_of(session, ""))
    session.words(reader)
    session.measure("narrow", reader)
    session.write("narrow_whole", reader, whole=True, parts=1)


def teacher_of(session: Session, fold: str) -> Reader:
    """Return the reader that the narrow one learns from."""
    for name, layers in (("twelve", session.recipe.layers[1]), ("six", session.recipe.layers[0])):
        state = session.known(name + fold)
        if state is not None:
            session.log(f"  the teacher is {name}{fold}")
            return session.reader(replace(SIX, layers=layers), state).eval()
    raise OutOfTime("there is no teacher")


def fold_of(which: str, session: Session, fold: int) -> None:
    """Train a reader without the families of a fold."""
    name = f"{which}-fold-{fold}"
    if f"{name}|rating" in session.answers:
        return
    recipe = session.recipe
    if which == "narrow":
        reader = session.reader(NARROW)
        session.train(name, reader, recipe.narrow_fold, fold=fold, teacher=teacher_of(session, f"-fold-{fold}"))
    elif which == "twelve":
        reader = session.reader(replace(TWELVE, layers=recipe.layers[1]))
        session.train(name, reader, recipe.twelve_fold, fold=fold)
    else:
        reader = session.reader(replace(SIX, layers=recipe.layers[0]))
        session.train(name, reader, recipe.six_fold, fold=fold, licensed_only=which == "licensed")
    session.measure(name, reader, fold=fold)
    if which in ("six", "twelve"):
        session.remember(name, reader)


@dataclass(frozen=True, slots=True)
class Job:
    """A training, with its kind of reader."""

    name: str
    which: str
    work: Callable[[Session], None]

    def is_ready(self, session: Session) -> bool:
        """Tell whether the files that it begins with have come."""
        layers = 1 if self.which == "check" else session.recipe.layers[self.which in ("twelve", "narrow")]
        names = ["begin", *(f"layer-{i:02}" for i in range(layers))]
        names += ["narrow"] * (self.which in ("check", "narrow"))
        return all((session.prepared / f"{name}.npz.xz").exists() for name in names)


def jobs_of(names: Sequence[str], folds: int) -> list[Job]:
    """Return the jobs of these names, one for each fold."""
    jobs: list[Job] = []
    for name in names:
        which = name.removesuffix("-folds")
        if which == name:
            jobs.append(Job(name, which, {"six": six, "twelve": twelve, "narrow": narrow}[name]))
        for k in range(folds if which != name else 0):
            jobs.append(Job(f"{which}-fold-{k}", which, partial(fold_of, which, fold=k)))
    return jobs


def check_attention(device: torch.device, log: Callable[[str], None]) -> None:
    """Use plain attention where the fused kernel fails or gives other numbers."""
    generator = torch.Generator().manual_seed(0)
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    try:
        q, k, v = (torch.randn(4, 12, 24, 64, generator=generator).to(device, dtype).requires_grad_() for _ in range(3))
        bias = torch.randn(4, 12, 24, 24, generator=generator).to(device, dtype).requires_grad_()
        results = []
        for plain in (False, True):
            out = attend(q, k, v, bias, plain=plain)
            gradients = torch.autograd.grad(out.float().square().sum(), (q, bias))
            results.append([out.float(), *(x.float() for x in gradients)])
        off = max(float((a - b).abs().max().detach() / b.abs().max().detach()) for a, b in zip(*results, strict=True))
        if not off < 0.05:
            raise RuntimeError(f"fused attention is off by {off:.3f}")
        log(f"fused attention agrees with plain attention within {off:.4f}")
    except Exception as error:
        Layer.plain_attention = True
        log(f"plain attention: {error!s:.200}")


def compile_layers() -> None:
    """Compile the layers of all readers; a layer that cannot be compiled runs as it is."""
    torch._dynamo.config.suppress_errors = True
    torch._dynamo.config.recompile_limit = 64
    Layer.forward = torch.compile(Layer.forward, dynamic=True)  # type: ignore[method-assign]


def check_steps(session: Session) -> None:
    """Take two steps of each kind with readers of one layer, so that what fails, fails at once."""
    run = Run(2, rated=2, damage=2, pieces=2_000, whole_from=0.5)
    teacher = session.reader(replace(SIX, layers=1)).eval()
    for shape in (replace(SIX, layers=1), NARROW):
        reader = session.reader(shape)
        learn(Learner(reader, run, session.data, teacher, half=session.half), session.log)
        learn_words(reader, session.data, session.log, steps=2, pieces=2_000, batches=2, half=session.half)
        said = read_rows(reader, session.data.texts, np.arange(64), half=session.half)
        marks(reader, session.data, half=session.half, pairs=50)
        if not np.isfinite(said.rating).all():
            raise RuntimeError("ratings that are no numbers")
    session.log("all kinds of steps work")


def run_jobs(session: Session, names: Sequence[str]) -> None:
    """Do jobs, the first first, but none that lacks its files while another can go on."""
    pending = [Job("check", "check", check_steps), *jobs_of(names, len(session.data.folds))]
    waiting = False
    while pending and time.monotonic() < session.last_step:
        ready = [job for job in pending if job.is_ready(session)]
        if not ready:
            if not waiting:
                session.log("waits for layers")
            waiting = True
            time.sleep(0.5)
            continue
        waiting = False
        job = ready[0]
        pending.remove(job)
        try:
            job.work(session)
        except (OutOfTime, TimeoutError) as error:
            session.log(f"{job.name}: left out, {error}")
        except Exception as error:  # the jobs after it do not need it
            session.log(f"{job.name}: failed, {type(error).__name__}: {error!s:.500}")
            traceback.print_exc()
            if session.device.type == "cuda":
                torch.cuda.empty_cache()
    for future in session.writing:
        future.result()
    session.log("done" if not pending else f"stopped; {len(pending)} jobs are left")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prepared", type=Path)
    add_options(parser)
    args = parser.parse_args()
    learn_all(args.prepared, args)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of learning."""
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many (never)")
    parser.add_argument(
        "--jobs", nargs="+", choices=JOBS, default=JOBS, metavar="JOB", help=f"of {', '.join(JOBS)} (all)"
    )
    parser.add_argument("--half", action="store_true", help="products in sixteen bits on a CPU too, as on a GPU")
    parser.add_argument("--fused", action="store_true", help="compile the layers")
    parser.add_argument("--steps", type=int, help="of each training, to try the code")
    parser.add_argument(
        "--pieces", type=int, default=24_000, help="of a batch (24,000; on a CPU 1,600 over more steps)"
    )
    parser.add_argument("--layers", type=int, nargs=2, help="of the smaller and the larger reader, to try the code")


def learn_all(prepared: Path, args: argparse.Namespace) -> None:
    """Train all readers."""
    deadline = time.monotonic() + args.seconds
    args.work.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with (args.work / "learn.log").open("a", encoding="utf-8") as file:

        def log(line: str) -> None:
            text = f"{time.monotonic() - started:7.1f} {line}"
            print(text, flush=True)
            file.write(text + "\n")
            file.flush()

        device = torch.device(args.device)
        log(f"torch {torch.__version__}, {torch.cuda.get_device_name() if device.type == 'cuda' else 'CPU'}")
        while not all((prepared / name).exists() for name in ("about.json", "damage.npz.xz", "texts.npz.xz")):
            time.sleep(0.5)
        about: dict[str, Any] = json.loads((prepared / "about.json").read_text(encoding="utf-8"))
        data = read_data(prepared, about, device)
        log(f"{len(data.damage.mixture):,} pairs under damage, {len(data.keys):,} texts")
        check_attention(device, log)
        if args.fused:
            compile_layers()
        recipe = Recipe()
        if args.steps or args.layers or args.pieces != 24_000:
            recipe = smaller(recipe, args.steps or recipe.six.steps, args.pieces, tuple(args.layers or recipe.layers))
        session = Session(prepared, args.work, device, data, recipe, deadline, log, args.half or device.type == "cuda")
        if (args.work / "answers.npz").exists():
            with np.load(args.work / "answers.npz") as answers:
                session.answers = {name: answers[name] for name in answers.files}
        run_jobs(session, args.jobs)


if __name__ == "__main__":
    main()
