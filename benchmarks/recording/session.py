"""Run commands in a separate folder, and return their output and files as trees of JSON."""

from __future__ import annotations

import hashlib
import http.client
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.recording.material import write_material

ROOT = Path(__file__).parents[2]
"""The clone whose package is recorded, whatever else is installed."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")
START_SECONDS = 120
Reader = Callable[[bytes], Any]


class Session:
    """A folder with the material, and entries by name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: dict[str, Any] = {}
        folder.mkdir(parents=True)
        write_material(folder)
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
        self.environment = {
            **os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "COLUMNS": "120", "NO_COLOR": "1",
            "NATURALNESS_STORE": str(folder / "store"),
        }  # fmt: skip

    def run(self, name: str, command: str, read: Reader | None = None, *, module: str = "naturalness") -> None:
        """Record exit code, messages and, if there is a reader, the output of a command."""
        done = subprocess.run(
            [sys.executable, "-m", module, *shlex.split(command)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        entry = {"command": command, "status": done.returncode, "messages": prose(done.stderr)}
        if read is not None:
            entry["output"] = _read(read, done.stdout)
        self.entries[name] = entry

    def file(self, name: str, path: str, read: Reader) -> None:
        """Record a file that a command wrote."""
        file = self.folder / path
        self.entries[name] = _read(read, file.read_bytes()) if file.is_file() else "no such file"

    @contextmanager
    def server(self, *arguments: str) -> Iterator[Callable[..., Any]]:
        """Start a server; yield a function that requests a path, with or without a body."""
        process = subprocess.Popen(
            [sys.executable, "-m", "naturalness", *arguments, "--port", "0"],
            cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        limit = threading.Timer(START_SECONDS, process.kill)
        limit.start()
        try:
            assert process.stderr is not None
            match = next(filter(None, map(ADDRESS.search, process.stderr)), None)
            limit.cancel()
            if match is None:
                raise SystemExit(f"the server did not start: naturalness {' '.join(arguments)}")
            port = int(match[1])
            yield lambda path, body=None: ask(port, path, body)
        finally:
            limit.cancel()
            process.send_signal(signal.SIGTERM)
            process.communicate()


def ask(port: int, path: str, body: Any = None) -> dict[str, Any]:
    """Return status and answer of a server of this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    sent = None if body is None else json.dumps(body)
    connection.request("GET" if sent is None else "POST", path, sent, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return {"status": answer.status, "output": _read(parsed, answer.read())}


def parsed(content: bytes) -> Any:
    """Read JSON."""
    return plain(json.loads(content))


def table(content: bytes) -> Any:
    """Read lines of JSON as columns if all have the same keys, otherwise as rows."""
    rows = [json.loads(line) for line in content.decode().splitlines()]
    return columns(rows)


def columns(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Turn rows of the same keys into columns: a tenth of the size."""
    if not rows or any(list(row) != list(rows[0]) for row in rows):
        return plain(rows)
    return {key: plain([row[key] for row in rows]) for key in rows[0]}


def prose(content: bytes) -> str:
    """Read prose output, ignoring line breaks."""
    return " ".join(content.decode().split())


def sha256(content: bytes) -> dict[str, Any]:
    """Return the checksum of bytes, which counts as a number."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def page(content: bytes) -> dict[str, bool]:
    """Record that a page exists; its figures are recorded from JSON."""
    return {"written": len(content) > 1000}


def parquet(content: bytes) -> Any:
    """Read a Parquet table as columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return plain(pq.read_table(pa.BufferReader(content)).to_pydict())


def plain(tree: Any) -> Any:
    """Return a tree that JSON can represent; NaN and infinities become their names."""
    if isinstance(tree, Mapping):
        return {str(key): plain(branch) for key, branch in tree.items()}
    if isinstance(tree, list | tuple):
        return [plain(branch) for branch in tree]
    if isinstance(tree, float) and not math.isfinite(tree):
        return {"not finite": str(tree)}
    return tree


def _read(read: Reader, content: bytes) -> Any:
    try:
        return read(content)
    except ValueError:
        return {"unreadable": content[:200].decode(errors="replace")}
