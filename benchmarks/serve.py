"""`serve` under load: 64 concurrent clients compared with one, memory, and agreement of scores with `label`.

`python -m benchmarks.serve CORPUS.txt[.xz]`: sentences of 15 to 25 words, each asked for once, so that nothing is
answered from memory. A client sends a sentence to `POST /score` over a connection that it keeps, waits for the answer
and sends the next. Clients are threads of a separate process on the same machine as the server. Afterwards `label`
scores the same sentences. One client then asks for explanations, with and without changes.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from benchmarks.labelling import labelling, write_table
from benchmarks.report import markdown_table, write
from benchmarks.speed import read_sentences
from benchmarks.times import command
from training.arguments import command_parser

MODELS = ("fast", "default")
CLIENTS = 64
TEXTS = 60_000
EXPLAINED = 20


@dataclass
class Run:
    """Observations of clients."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)
    """Seconds of each request."""
    scores: dict[int, float] = field(default_factory=dict)
    """Naturalness by the number of the sentence."""
    errors: list[str] = field(default_factory=list)

    def share(self, part: float) -> float:
        """Return the milliseconds within which this share of the requests was answered."""
        waits = sorted(self.waits)
        return 1000 * waits[min(len(waits) - 1, int(part * len(waits)))]


class Line:
    """A persistent connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)

    def ask(self, path: str, body: Any = None) -> tuple[int, Any]:
        """Return the status and the answer."""
        headers = {"Content-Type": "application/json"}
        self.connection.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())


def clients(port: int, texts: Sequence[str], first: int, n: int, seconds: float, out: Any) -> None:
    """Request texts from number ``first`` on, ``n`` at a time, in a separate process."""
    run, lock, until = Run(), threading.Lock(), time.perf_counter() + seconds
    numbers = iter(range(first, len(texts)))

    def client() -> None:
        line = Line(port)
        while time.perf_counter() < until:
            with lock:
                number = next(numbers, None)
            if number is None:
                run.errors.append("no sentences are left; give a larger corpus")
                return
            started = time.perf_counter()
            try:
                status, answer = line.ask("/score", {"texts": [texts[number]]})
                wait = time.perf_counter() - started
                if status != 200:
                    raise OSError(f"{status}: {answer}")
                score = answer["scores"][0]["naturalness"]
            except (OSError, http.client.HTTPException, ValueError) as error:
                run.errors.append(repr(error))
                line = Line(port)
                continue
            with lock:
                run.waits.append(wait)
                run.scores[number] = score

    started = time.perf_counter()
    threads = [threading.Thread(target=client) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    run.seconds = time.perf_counter() - started
    out.send(run)


class Server:
    """`naturalness serve` in a separate process."""

    def __init__(self, model: str, messages: IO[str]) -> None:
        self.process = subprocess.Popen(
            command("serve", "--model", model, "--port", "0"), stderr=messages, stdout=subprocess.DEVNULL
        )
        while " is at http://" not in (message := Path(messages.name).read_text(encoding="utf-8")):
            if self.process.poll() is not None:
                raise SystemExit(message)
            time.sleep(0.1)
        self.port = int(message.partition("127.0.0.1:")[2].partition("/")[0])

    @property
    def memory(self) -> float:
        """Return the resident megabytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").split("\n")
        held = next(line for line in lines if line.startswith("VmRSS"))
        return int(held.split()[1]) / 1024

    def load(self, texts: Sequence[str], first: int, n: int, seconds: float) -> tuple[Run, Any]:
        """Run clients; return their observations and the megabytes of every second."""
        inside, outside = multiprocessing.Pipe()
        asking = multiprocessing.Process(target=clients, args=(self.port, texts, first, n, seconds, outside))
        asking.start()
        held = []
        while not inside.poll(1):
            held.append(self.memory)
        run = inside.recv()
        asking.join()
        return run, held


@contextmanager
def serving(model: str, folder: Path) -> Iterator[Server]:
    """Run a server and stop it afterwards."""
    with (folder / f"{model}.err").open("w", encoding="utf-8") as messages:
        server = Server(model, messages)
        try:
            yield server
        finally:
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(30)


def explained(server: Server, texts: Sequence[str], edits: int) -> float:
    """Return the median milliseconds of an explanation."""
    line, waits = Line(server.port), []
    for text in texts:
        started = time.perf_counter()
        status, answer = line.ask("/explain", {"texts": [text], "edits": edits})
        if status != 200:
            raise SystemExit(f"{status}: {answer}")
        waits.append(time.perf_counter() - started)
    return 1000 * statistics.median(waits)


def labelled(model: str, texts: Sequence[str], folder: Path) -> list[float]:
    """Return the scores that `label` gives the same sentences."""
    source, target = folder / "asked.jsonl", folder / "labelled.jsonl"
    write_table(source, texts)
    options = ["--model", model, "--fields", "naturalness", "--force"]
    done = subprocess.run(labelling(source, target, options), stderr=subprocess.PIPE, text=True)
    if done.returncode > 1:  # 1 says that a text has no score
        raise SystemExit(done.stderr)
    lines = target.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["naturalness"] for line in lines]


def measure(model: str, texts: Sequence[str], seconds: float, folder: Path) -> dict[str, Any]:
    """Return all figures of one model."""
    with serving(model, folder) as server:
        warm, _ = server.load(texts, 0, 4, min(seconds, 5))
        alone, _ = server.load(texts, len(warm.waits) + 8, 1, seconds / 2)
        start = server.memory
        first = len(warm.waits) + len(alone.waits) + 16
        crowd, held = server.load(texts, first, CLIENTS, seconds)
        end = server.memory
        plain, changed = (explained(server, texts[-EXPLAINED:], edits) for edits in (0, 3))
    scores = alone.scores | crowd.scores
    known = labelled(model, [texts[number] for number in scores], folder)
    different = sum(a != b for a, b in zip(scores.values(), known, strict=True))
    said = (folder / f"{model}.err").read_text(encoding="utf-8").splitlines()[1:]
    return {
        "model": model,
        "alone": figures(alone),
        "crowd": figures(crowd),
        "errors": [*warm.errors, *alone.errors, *crowd.errors][:20],
        "messages": [line for line in said if line != "stopped"][:20],
        "compared": len(scores),
        "different": different,
        "megabytes": {
            "start": start,
            "end": end,
            "most": max([start, end, *held]),
            "every_second": [round(value, 1) for value in held],
        },
        "explained_ms": plain,
        "explained_with_changes_ms": changed,
    }


def figures(run: Run) -> dict[str, float]:
    """Return the figures of a run."""
    return {
        "requests": len(run.waits),
        "per_second": len(run.waits) / run.seconds,
        "p50_ms": run.share(0.5),
        "p99_ms": run.share(0.99),
        "most_ms": run.share(1.0),
    }


def rows(measured: dict[str, Any]) -> list[list[Any]]:
    """Return two rows of the table."""
    return [
        [
            measured["model"],
            str(n),
            *(measured[run][figure] for figure in ("requests", "per_second", "p50_ms", "p99_ms")),
            errors,
            measured["megabytes"][when],
        ]
        for run, n, errors, when in (("alone", 1, 0, "start"), ("crowd", CLIENTS, len(measured["errors"]), "end"))
    ]


def main() -> None:
    """Run the command."""
    parser = command_parser(__doc__, "corpus")
    parser.add_argument("--seconds", type=float, default=60, help="under load, each model")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    options = parser.parse_args()
    texts = read_sentences(options.corpus, TEXTS)
    with tempfile.TemporaryDirectory() as folder:
        models = [measure(model, texts, options.seconds, Path(folder)) for model in options.models]
    header = ["model", "clients", "requests", "per second", "p50 ms", "p99 ms", "errors", "MB"]
    table = markdown_table(header, [row for measured in models for row in rows(measured)])
    for measured in models:
        most = measured["megabytes"]["most"]
        table += (
            f"\n{measured['model']}: {measured['compared']:,} scores compared with those of `label`, "
            f"{measured['different']} differ. Peak memory: {most:.0f} MB. One explanation for one client takes "
            f"{measured['explained_ms']:.0f} ms, with suggested edits {measured['explained_with_changes_ms']:.0f} ms "
            f"(medians of {EXPLAINED}).\n"
        )
    write(
        "serve",
        "`serve` under load",
        table,
        {"models": models},
        command="python -m benchmarks.serve CORPUS",
        cores=len(os.sched_getaffinity(0)),
        seconds=options.seconds,
        clients=CLIENTS,
        corpus=options.corpus.name,
    )


if __name__ == "__main__":
    main()
