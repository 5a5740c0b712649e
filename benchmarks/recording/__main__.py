"""Find changed numbers: `python -m benchmarks.recording` runs the command line and compares it with a recording.

All commands are run on sentences of our own (`sentences.txt`) with invented ratings: features, scores, explanations,
checks, labelled tables, comparisons, trained models, reports, language models and the server's answers. What they print
and write is compared with `recording.json.gz`, leaf by leaf. If a number, a label or a checksum differs, is missing or
is new, the exit code is 1; changed words are only listed. Only the command line is used, so the package's internals may
change.

    python -m benchmarks.recording --quick           # features, scores, explanations of 64 sentences
    python -m benchmarks.recording -j 2              # all
    python -m benchmarks.recording --only scores,checks
    python -m benchmarks.recording --write           # renew the recording, where a change is meant

A recording holds for the versions of the packages and, in the last digits, for the kind of processor it was made on.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from benchmarks.recording.comparison import Difference, differences
from benchmarks.recording.parts import PARTS
from benchmarks.recording.session import Session

RECORDING = Path(__file__).with_name("recording.json.gz")
FILE = RECORDING.name
MAX_SHOWN = 20
Recording = dict[str, Any]


def record(names: Sequence[str], jobs: int) -> Recording:
    """Record parts, each in its own folder; return the entries of each."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(_record_part, name, Path(folder) / name): name for name in names}
        recording = {pending[part]: part.result() for part in as_completed(pending)}
    return {name: recording[name] for name in names}


def _record_part(name: str, folder: Path) -> dict[str, Any]:
    started = time.perf_counter()
    session = Session(folder)
    PARTS[name](session)
    failed = [key for key, entry in session.entries.items() if entry == "no such file"]
    note = f"; no file: {', '.join(failed)}" if failed else ""
    print(f"{name}: {len(session.entries)} entries, {time.perf_counter() - started:.0f} s{note}", flush=True)
    return session.entries


def write(path: Path, recording: Mapping[str, Any]) -> None:
    """Write a recording; the same one gives the same bytes."""
    content = json.dumps(recording, ensure_ascii=False, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, mtime=0))
    print(f"written: {path}, {path.stat().st_size / 1e6:.2f} MB")


def read(path: Path) -> Recording:
    """Read a recording, or that in a folder."""
    file = path / FILE if path.is_dir() else path
    if not file.is_file():
        raise SystemExit(f"no recording at {file}; make one with --out FOLDER, or --write")
    return json.loads(gzip.decompress(file.read_bytes()))


def compare(old: Recording, new: Recording, shown: int = MAX_SHOWN) -> int:
    """Print the differences in the parts that both recordings have; return how many numbers differ."""
    absent = [name for name in new if name not in old]
    if absent:
        print(f"not in the older recording, so not compared: {', '.join(absent)}")
    common = [name for name in new if name in old]
    changes = list(differences({name: old[name] for name in common}, {name: new[name] for name in common}))
    numbers = [change for change in changes if change.numeric]
    words = [change for change in changes if not change.numeric]
    for title, kind in (("numbers", numbers), ("words", words)):
        print(f"changed {title}: {len(kind)}")
        _show(kind, shown)
    return len(numbers)


def _show(changes: Sequence[Difference], shown: int) -> None:
    for change in changes[:shown]:
        print(f"  {change}")
    if len(changes) > shown:
        print(f"  and {len(changes) - shown} more")


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="keep the new recording there")
    parser.add_argument("--against", type=Path, default=RECORDING, metavar="FILE",
                        help="recording, or folder of one, to compare with (the committed one)")  # fmt: skip
    parser.add_argument("--only", metavar="A,B", help=f"parts: {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="the same as --only quick")
    parser.add_argument("--write", action="store_true", help="renew the committed recording, after the comparison")
    parser.add_argument("--shown", type=int, default=MAX_SHOWN, metavar="N", help=f"differences shown ({MAX_SHOWN})")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="parts at once (1)")
    options = parser.parse_args()
    names = "quick" if options.quick else options.only
    chosen = names.split(",") if names else list(PARTS)
    if unknown := [name for name in chosen if name not in PARTS]:
        parser.error(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    new = record(chosen, options.jobs)
    if options.out:
        write(options.out / FILE, new)
    exists = options.against.exists()
    changed = compare(read(options.against), new, options.shown) if exists or not (options.out or options.write) else 0
    if options.write:
        write(RECORDING, {**(read(RECORDING) if RECORDING.exists() else {}), **new})
    return 1 if changed and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
