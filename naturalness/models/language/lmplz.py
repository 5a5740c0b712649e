"""Run KenLM's `lmplz`, if it is on the PATH: it gives the same results as `kneser_ney`, for texts of any size."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO

from naturalness.errors import CorpusError, NaturalnessError
from naturalness.models.language.counting import reported, units

MEMORY = "1G"
"""Memory that the tool may use for sorting; its own default is 80 % of the machine's memory."""
LAST_LINES = 5
Report = Callable[[str], object]


def run_lmplz(
    lines: Iterable[str], arpa: Path, *, order: int, folder: Path, advance: Callable[[int], object], report: Report
) -> None:
    """Estimate a model as `kneser_ney.estimate` does, and write it as an ARPA file.

    ``lines`` are streamed to the tool; reserved words and lines without other units are left out. ``folder`` is for
    temporary files. ``advance`` is called with the number of lines sent since the previous call, and ``report`` with
    each line that the tool prints.
    """
    tool = find_lmplz()
    with tempfile.TemporaryDirectory(dir=folder, prefix="lmplz-") as scratch:
        command = [
            tool,
            "--order",
            str(order),
            "--memory",
            MEMORY,
            "--discount_fallback",
            "--temp_prefix",
            f"{scratch}/",
            "--arpa",
            str(arpa),
        ]
        try:
            _run(command, report, lambda pipe: _send(reported(lines, advance), pipe))
        except BaseException:
            arpa.unlink(missing_ok=True)  # the output is incomplete
            raise


def find_lmplz() -> str:
    """Return the path of `lmplz`; raise `NaturalnessError` if it is not on the PATH."""
    if (path := shutil.which("lmplz")) is None:
        raise NaturalnessError(
            "lmplz is not on the PATH; build it from the source of the kenlm package (its "
            "README says how), or estimate without it: naturalness.models.language.kneser_ney"
        )
    return path


def _send(lines: Iterable[str], pipe: IO[bytes]) -> int:
    """Send sentences to the tool, and return how many were sent."""
    n_sent = 0
    for line in lines:
        if words := units(line):
            pipe.write(b" ".join(words) + b"\n")
            n_sent += 1
    return n_sent


def _run(command: Sequence[str], report: Report, send: Callable[[IO[bytes]], int]) -> None:
    """Run a tool, send its input and report its output; raise an error if it fails."""
    last: deque[str] = deque(maxlen=LAST_LINES)

    def listen(pipe: IO[bytes]) -> None:
        for raw in pipe:
            if line := raw.decode(errors="replace").rstrip():
                last.append(line)
                report(line)

    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stdin and process.stderr
        # Messages are read while sentences are sent; if both pipes were full, both sides would block.
        listener = Thread(target=listen, args=(process.stderr,), daemon=True)
        listener.start()
        try:
            n_sent = send(process.stdin)
        except BrokenPipeError:
            n_sent = 1  # the tool stopped before it had read everything; its output says why
        except BaseException:
            process.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                process.stdin.close()
            listener.join()
        status = process.wait()
    name = Path(command[0]).name
    if not n_sent:
        raise CorpusError("the text has no words; expected lines of units with spaces between them")
    if status:
        said = "\n".join(last) or "nothing"
        raise NaturalnessError(f"{name} failed with status {status}; it printed last:\n{said}")
