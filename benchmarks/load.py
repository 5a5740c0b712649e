"""`serve` under idle connections, and `annotate` killed or on a full disk while somebody rates.

`python -m benchmarks.load` needs no data: sentences are drawn by the seed. Of `serve`: 200 clients
ask for a score at the same moment, three times over, first alone and then beside 1,000 connections
that say nothing and 1,000 that begin a request and never end it. Of `annotate`: a program rates as
the page does, over HTTP, and sends an answer again until it is told that it is stored; the server
is killed at a moment drawn by the seed and started again, many times, and afterwards the project is
compared with what was said to be stored. Then the project lies on a disk of 2 MB (tmpfs, which only
root may mount) that is filled up while rating, and emptied again.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import os
import random
import re
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.report import context, markdown_table, write
from benchmarks.serve import Line, Server, serving
from naturalness.studio.annotate.project import Project
from naturalness.studio.web.connections import MAX_SILENCE

IDLE = 1000
CLIENTS = 200
ROUNDS = 3
KILLS = 20
FILLINGS = 20
DISK = 2 * 1024 * 1024
NOTE = "so it is " * 200
TOKEN = "token-of-the-benchmark-and-no-secret"
WORDS = (
    ("old", "young", "tired", "happy", "careful", "quiet", "clever", "hungry", "rich", "tall"),
    ("teacher", "doctor", "farmer", "pilot", "singer", "baker", "neighbour", "sailor", "painter"),
    ("opened", "repaired", "sold", "painted", "found", "carried", "forgot", "cleaned", "bought"),
    ("door", "boat", "letter", "garden", "bicycle", "window", "picture", "basket", "lamp", "map"),
    ("before breakfast", "after the storm", "in the morning", "for a friend", "without any help"),
)


def sentences(number: int, seed: int) -> list[str]:
    """Different ones, every second with two words in the wrong order."""
    parts = random.Random(seed).sample(list(itertools.product(*WORDS)), number)
    texts = []
    for row, (how, who, did, what, when) in enumerate(parts):
        tail = f"{what} the" if row % 2 else f"the {what}"
        texts.append(f"The {how} {who} next door {did} {tail} {when} and then went home.")
    return texts


# serve


def burst(port: int, texts: Sequence[str]) -> tuple[list[float], list[str]]:
    """Ask for all texts at the same moment, each over a connection of its own."""
    gate = threading.Barrier(len(texts))
    waits: list[float] = []
    errors: list[str] = []

    def ask(text: str) -> None:
        line = Line(port)
        gate.wait()
        started = time.perf_counter()
        try:
            status, answer = line.ask("/score", {"text": text})
            if status != 200 or answer["scores"][0]["naturalness"] is None:
                raise OSError(f"{status}: {answer}")
            waits.append(time.perf_counter() - started)
        except (OSError, ValueError, http.client.HTTPException) as error:
            errors.append(repr(error))
        line.connection.close()

    threads = [threading.Thread(target=ask, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return waits, errors


def bursts(server: Server, texts: Iterator[str]) -> dict[str, Any]:
    """Rounds of them: how long clients waited, and what the server held."""
    waits: list[float] = []
    errors: list[str] = []
    for _ in range(ROUNDS):
        some, wrong = burst(server.port, list(itertools.islice(texts, CLIENTS)))
        waits += some
        errors += wrong
    waits.sort()
    share = [1000 * waits[min(len(waits) - 1, int(part * len(waits)))] for part in (0.5, 0.99, 1.0)]
    return {
        "answered": len(waits),
        "errors": errors[:20],
        "p50_ms": share[0],
        "p99_ms": share[1],
        "most_ms": share[2],
        "megabytes": server.memory,
    }


@contextmanager
def connections(port: int, number: int, say: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that stay open, and have said so much."""
    lines = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(number)]
    try:
        for line in lines:
            if say:
                line.sendall(say)
            line.setblocking(False)
        yield lines
    finally:
        for line in lines:
            line.close()


def closed(lines: Sequence[socket.socket]) -> int:
    """How many of them the server has closed."""
    number = 0
    for line in lines:
        try:
            number += line.recv(1) == b""
        except BlockingIOError:
            continue
        except OSError:
            number += 1
    return number


def measure_serve(model: str, folder: Path, seed: int) -> dict[str, Any]:
    """Bursts of requests alone and beside connections that only stay open."""
    ways = {"none": (0, b""), "silent": (IDLE, b""), "half a request": (IDLE, b"POST /score HT")}
    texts = iter(sentences(len(ways) * CLIENTS * ROUNDS, seed))
    measured: dict[str, Any] = {"model": model}
    with serving(model, folder) as server:
        burst(server.port, ["A sentence to begin with, which is no part of the others."] * 8)
        for way, (number, say) in ways.items():
            with connections(server.port, number, say) as lines:
                started = time.monotonic()
                figures = bursts(server, texts)
                if number:
                    time.sleep(max(0.0, MAX_SILENCE + 5 - (time.monotonic() - started)))
                    figures["closed"] = closed(lines)
            measured[way] = figures
    return measured


# annotate


class Annotating:
    """`naturalness annotate` in a process of its own, which can be killed and started again."""

    def __init__(self, project: Path, home: Path) -> None:
        self.project, self.home = project, home
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.process: subprocess.Popen[str]

    def start(self, *arguments: str) -> None:
        """Start, and wait until it says where it is."""
        main = "from naturalness.cli import main; main()"
        command = [
            sys.executable,
            "-c",
            main,
            "annotate",
            *(arguments or ["open", str(self.project)]),
            "--port",
            str(self.port),
            "--model",
            "fast",
            "--no-browser",
            "--store",
            str(self.home / "features"),
        ]
        environment = {"NATURALNESS_TOKEN": TOKEN, "HOME": str(self.home)}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        assert self.process.stderr is not None
        said = ""
        for line in self.process.stderr:
            said += line
            if "rate at " in line:
                threading.Thread(target=self.process.stderr.read, daemon=True).start()
                return
        raise SystemExit(said)

    def end(self, how: signal.Signals) -> None:
        """End it."""
        self.process.send_signal(how)
        self.process.wait()

    def ask(self, path: str, body: Any = None) -> tuple[int, str]:
        """Status and answer; 0 where nobody answers."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
        try:
            line.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            return 0, repr(error)
        finally:
            line.close()


class Rater:
    """Somebody who rates as the page does: an answer is sent until it is said to be stored."""

    def __init__(self, server: Annotating, seed: int) -> None:
        self.server = server
        self.random = random.Random(seed)
        self.stored: dict[int, float] = {}
        """Value by question, as the server said that it is stored."""
        self.sent_again = 0
        self.coming: int | None = None
        """The next question; None where none could be asked."""
        self.refusals: list[str] = []
        """What was said where an answer was not stored."""
        self.waits: list[float] = []
        match = re.search(r'data-project="(\w+)"', server.ask("/learned")[1])
        assert match is not None
        self.who = {"project": match.group(1), "rater": "Ann"}

    def question(self) -> int:
        """The number of what is to be rated now, however long it takes."""
        while True:
            query = "&".join(f"{name}={value}" for name, value in self.who.items())
            status, answer = self.server.ask(f"/api/turn?{query}")
            if status == 200:
                return int(json.loads(answer)["turn"]["question"]["number"])
            time.sleep(0.05)

    def send(self, number: int, value: float, note: str = "") -> int:
        """Send an answer once; the status."""
        started = time.perf_counter()
        body = {**self.who, "question": number, "value": value, "note": note}
        status, answer = self.server.ask("/api/answer", body)
        if status == 200:
            self.stored[number] = value
            after = json.loads(answer)["turn"]
            self.coming = after["question"]["number"] if after else None
            self.waits.append(time.perf_counter() - started)
        elif status:
            self.refusals.append(json.loads(answer)["error"])
        return status

    def rate(self, until: threading.Event) -> None:
        """Rate one after the other until told to stop, and never leave one half sent."""
        while not until.is_set():
            number, value = self.question(), float(self.random.randrange(3))
            while self.send(number, value) != 200:
                self.sent_again += 1
                time.sleep(0.05)


def compared(project: Path, rater: Rater) -> dict[str, int]:
    """What the project holds beside what was said to be stored."""
    with Project.open(project) as opened:
        ratings = opened.ratings(skipped=True)
    held = {rating.question.number: rating.answer.value for rating in ratings}
    return {
        "stored": len(rater.stored),
        "lost": sum(number not in held for number in rater.stored),
        "changed": sum(held.get(n, value) != value for n, value in rater.stored.items()),
        "twice": len(ratings) - len(held),
        "never_told": sum(number not in rater.stored for number in held),
    }


def measure_kills(folder: Path, seed: int) -> dict[str, Any]:
    """A rater before a server that is killed again and again."""
    table = folder / "texts.txt"
    table.write_text("\n".join(sentences(20_000, seed)) + "\n", encoding="utf-8")
    server = Annotating(folder / "killed.project", folder)
    server.start("new", str(table), "-o", str(server.project))
    rater, chance, over = Rater(server, seed), random.Random(seed), threading.Event()
    rating = threading.Thread(target=rater.rate, args=(over,))
    rating.start()
    for _ in range(KILLS):
        time.sleep(0.2 + 1.5 * chance.random())
        server.end(signal.SIGKILL)
        server.start()
    time.sleep(1)
    over.set()
    rating.join()
    server.end(signal.SIGINT)
    return {
        "kills": KILLS,
        **compared(server.project, rater),
        "sent_again": rater.sent_again,
        "median_ms": 1000 * statistics.median(rater.waits),
    }


def fill(path: Path, spare: int) -> None:
    """Take what is left of a disk, but for so many bytes."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 4096)
    os.truncate(path, max(0, path.stat().st_size - spare))


def measure_disk(folder: Path, seed: int) -> dict[str, Any]:
    """A rater on a disk that is full now and then."""
    table, disk = folder / "few.txt", folder / "disk"
    table.write_text("\n".join(sentences(2000, seed + 1)) + "\n", encoding="utf-8")
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", disk], check=True)
    try:
        server = Annotating(disk / "full.project", folder)
        server.start("new", str(table), "-o", str(server.project))
        rater, chance, refused = Rater(server, seed), random.Random(seed), 0
        for number in range(FILLINGS):
            question = rater.question()
            fill(disk / "filling", chance.choice([0, 0, 4096, 16384]))
            while (status := rater.send(question, 1.0, NOTE)) == 200 and rater.coming is not None:
                question = rater.coming
            refused += status != 200
            if number % 4 == 3:
                server.end(signal.SIGKILL)
            (disk / "filling").unlink()
            if server.process.poll() is not None:
                server.start()
            if rater.send(question, 1.0, NOTE) != 200:
                raise SystemExit(f"not stored although there is room: {rater.refusals[-1]}")
        server.end(signal.SIGINT)
        words = sorted({words.replace(str(disk), "DISK") for words in rater.refusals})
        return {"fillings": FILLINGS, "refused": refused, "words": words, **compared(server.project, rater)}
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def serve_rows(measured: dict[str, Any]) -> list[list[Any]]:
    """A line for each way in which connections were open."""
    return [
        [
            measured["model"],
            way,
            figures["answered"],
            len(figures["errors"]),
            figures["p50_ms"],
            figures["p99_ms"],
            figures["most_ms"],
            figures["megabytes"],
            figures.get("closed", ""),
        ]
        for way, figures in measured.items()
        if way != "model"
    ]


def annotate_words(killed: dict[str, Any], disk: dict[str, Any] | None) -> str:
    """What became of ratings, in sentences."""
    text = (
        f"\n`annotate`, killed {killed['kills']} times while one rates as fast as the server "
        f"answers: {killed['stored']:,} answers were said to be stored, {killed['lost']} of them "
        f"are lost, {killed['changed']} are not as they were given, {killed['twice']} questions "
        f"have two answers. {killed['sent_again']} times an answer was sent again. Median from "
        f"sending to the next sentence: {killed['median_ms']:.0f} ms.\n"
    )
    if disk is None:
        return text + "\nThe full disk was left out: only root may mount one.\n"
    return text + (
        f"\n`annotate` on a disk that was filled {disk['fillings']} times, and the server killed "
        f"every fourth time while it was full: {disk['refused']} answers were refused and sent "
        f"again once there was room, {disk['stored']} were said to be stored, {disk['lost']} are "
        f"lost, {disk['changed']} are not as they were given, {disk['twice']} questions have two "
        f"answers. What the rater is told: {'; '.join(disk['words'])}.\n"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--models", nargs="+", default=["fast"])
    options = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * IDLE), hard))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = [measure_serve(model, folder, options.seed) for model in options.models]
        killed = measure_kills(folder, options.seed)
        disk = measure_disk(folder, options.seed) if os.geteuid() == 0 else None
    header = [
        "model",
        "1,000 connections that are",
        "answered",
        "errors",
        "p50 ms",
        "p99 ms",
        "most ms",
        "MB",
        "closed after 25 s",
    ]
    table = markdown_table(header, [row for measured in models for row in serve_rows(measured)])
    about = context(
        command="python -m benchmarks.load",
        cores=len(os.sched_getaffinity(0)),
        seed=options.seed,
        clients=CLIENTS,
        rounds=ROUNDS,
    )
    data = {"context": about, "serve": models, "killed": killed, "disk": disk}
    write("load", "`serve` and `annotate` under load", table + annotate_words(killed, disk), data)


if __name__ == "__main__":
    main()
