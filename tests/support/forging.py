"""Forged copies of the package's files: bytes, values, types, shapes, names and links, drawn with a seed.

Checksums are repaired afterwards, so that the reader gets past them.
"""

from __future__ import annotations

import faulthandler
import gzip
import hashlib
import io
import json
import os
import random
import resource
import shutil
import signal
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from naturalness.errors import NaturalnessError
from naturalness.features.measuring import columns_hash

MOST_MEMORY = 1 << 30
"""Bytes that reading a small forged file may reserve besides what the process has."""
TIMES = int(os.environ.get("FORGERIES", "1"))
"""How many times as many forgeries are tried as usual."""
MOST_SECONDS = 30
"""For reading one of them."""
OUTSIDE = "outside.txt"
"""The file beside the folders that links and names point to."""
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    3.5,
    -0.0,
    1 << 31,
    1 << 63,
    1 << 70,
    10**400,
    1e308,
    -1e308,
    float("nan"),
    float("inf"),
    "",
    "0",
    "nan",
    "a",
    "\0",
    "\ud800",
    "../" + OUTSIDE,
    "/etc/passwd",
    "long " * 2000,
    "1" * 5000,
    [],
    {},
    [[]],
    [None],
    [0, 1],
    ["a", "b"],
    {"a": 1},
    {"": {}},
)
"""What may stand in the place of any value."""
DTYPES = ("<f8", "<f4", "<i8", "<i4", "|i1", "|u1", "<u8", "|b1", "<c16", "|O", "<U4", "<M8[s]")
NUMBERS = (np.nan, np.inf, -np.inf, -1, 0, 1, 2**31, -(2**31), 2**62, 1e300, -1e300, 1e-320)
SHAPES = ((), (0,), (0, 5), (1,), (1, 1), (1 << 40,), (1 << 20, 1 << 20), (-1,), (3, 1 << 62))
Use = Callable[[Path], object]
Mend = Callable[[Path], None]
Forge = Callable[[Path, random.Random], str]
"""A function that changes a file or folder in place, and describes the change."""


def forged_bytes(data: bytes, rng: random.Random) -> bytes:
    """Flip bits; cut, double, blank or swap parts; or replace everything."""
    if not data:
        return rng.randbytes(rng.choice([1, 100]))
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    match rng.randrange(9):
        case 0 | 1 | 2:
            bad = bytearray(data)
            for _ in range(rng.choice([1, 1, 2, 8, 64])):
                bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
            return bytes(bad)
        case 3:
            return data[:a]
        case 4:
            return data + data[a:b] + rng.randbytes(rng.randrange(16))
        case 5:
            return data[:a] + bytes(rng.choice([b"\0", b"\xff"])) * (b - a) + data[b:]
        case 6:
            half = (b - a) // 2
            return data[:a] + data[b - half : b] + data[a : b - half] + data[b:]
        case 7:
            size = rng.choice([1, 2, 4, 8])
            at = rng.randrange(max(1, len(data) - size))
            most = (1 << 8 * size) - 1
            number = rng.choice([0, 1, most, most >> 1, (most >> 1) + 1])
            return data[:at] + number.to_bytes(size, "little") + data[at + size :]
    return rng.choice([b"", b"\0" * 4096, rng.randbytes(2000), b"{}", b"null\n"])


def forged_value(value: Any, rng: random.Random) -> Any:
    """Remove, rename, swap, wrap, multiply or replace one entry of JSON data."""
    if isinstance(value, dict | list) and value and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key, other = rng.choice(keys), rng.choice(keys)
        copy: Any = value.copy()
        match rng.randrange(8):
            case 0:
                del copy[key]
            case 1:
                copy[key], copy[other] = copy[other], copy[key]
            case 2 if isinstance(copy, dict):
                copy[f"{key}x"] = copy.pop(key)
            case 2:
                copy.append(copy[key])
            case _:
                copy[key] = forged_value(copy[key], rng)
        return copy
    if isinstance(value, str) and value and rng.random() < 0.3:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(["", "/", "\0", "é", value[at] * 2]) + value[at + 1 :]
    if isinstance(value, int | float) and rng.random() < 0.3:
        return rng.choice([-value, value + 1, value * 2, [value], {"a": value}, f"{value!r:.40}"])
    return rng.choice([[value], {"a": value}, *VALUES])


def forged_json(data: bytes, rng: random.Random) -> bytes:
    """Return the text of changed JSON data, possibly with a duplicate key or deep nesting."""
    kind = rng.randrange(12)
    if kind == 0:
        return rng.choice([b"[", b'{"a":']) * 200_000
    if kind <= 2 and data.startswith(b"{"):
        name = json.dumps(rng.choice(list(json.loads(data)) or ["a"]))
        return b"{" + f"{name}: {json.dumps(rng.choice(VALUES))}, ".encode() + data[1:]
    value = json.loads(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        value = forged_value(value, rng)
    return json.dumps(value).encode()


def forged_arrays(data: bytes, rng: random.Random) -> bytes:
    """Return an `.npz` file in which one array has other values, another type, shape or name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        name = rng.choice(list(entries))
        match rng.randrange(8):
            case 0:
                del entries[name]
            case 1:
                other = rng.choice(list(entries))
                entries[name], entries[other] = entries[other], entries[name]
            case 2:
                names = ["../" + OUTSIDE, "/etc/x.npy", f"{name}/..", f"x{name}", "unit9.coef.npy"]
                entries[rng.choice(names)] = entries[name]
            case 3:
                entries[name] = _header(rng.choice(SHAPES), rng.choice(DTYPES)) + b"\0" * 8
            case _:
                entries[name] = _forged_array(entries[name], rng)
        if not entries:
            break
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in entries.items():
            archive.writestr(name, entry)
    return out.getvalue()


def _header(shape: tuple[int, ...], kind: str) -> bytes:
    """Return a numpy header with arbitrary claims."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def _forged_array(data: bytes, rng: random.Random) -> bytes:
    """Return an array with another type, shape, length or number; any bytes if it was forged before."""
    try:
        array = np.load(io.BytesIO(data), allow_pickle=False).copy()
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            match rng.randrange(5):
                case 0:
                    array = array.astype(rng.choice([d for d in DTYPES if d not in ("|O", "<M8[s]")]))
                case 1:
                    array = array.reshape(rng.choice([(-1,), (1, -1), (-1, 1), (1, 1, -1)]))
                case 2:
                    array = flat[: rng.randrange(array.size + 1)]
                case _:
                    flat[rng.randrange(array.size) if rng.random() < 0.8 else slice(None)] = rng.choice(NUMBERS)
    except Exception:  # forged before, empty, or of a type that cannot hold the number
        return forged_bytes(data, rng)
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=(1, 0), allow_pickle=False)
    return out.getvalue()


def forged_lines(data: bytes, rng: random.Random) -> bytes:
    """Return gzipped lines of which one is replaced, repeated or damaged, or endless blanks."""
    lines = gzip.decompress(data).split(b"\n")
    at, other = (rng.randrange(len(lines)) for _ in range(2))
    match rng.randrange(5):
        case 0:
            lines.insert(at, lines[other])
        case 1:
            odd = [b"", b"\t", b"a\tb\tc", b"\xff", b"-1\ta", b"a\t0", b"1e9\ta", b"\0", b"9" * 5000]
            lines[at] = rng.choice(odd)
        case 2:
            lines[at] = forged_bytes(lines[at], rng)
        case 3:
            return _many_bytes()
        case _:
            lines = lines[:at]
    return gzip.compress(b"\n".join(lines), mtime=0)


@cache
def _many_bytes() -> bytes:
    """Return a gzip file of a few megabytes that unpacks to gigabytes of blanks."""
    part = gzip.compress(b" " * (1 << 26), mtime=0)
    return part * (2 * MOST_MEMORY >> 26)


FORGERS: Sequence[tuple[str, Callable[[bytes, random.Random], bytes]]] = (
    (".json", forged_json),
    (".npz", forged_arrays),
    (".gz", forged_lines),
)
"""What knows the inside of files, by their ending."""


def forge_file(path: Path, rng: random.Random) -> str:
    """Change a file in place; return a description of the change."""
    data = path.read_bytes()
    inner = next((forge for ending, forge in FORGERS if path.name.endswith(ending)), None)
    kind = rng.randrange(24)
    if kind == 0:
        path.unlink()
        path.mkdir()
        return f"{path.name}: a folder"
    if kind == 1:
        path.unlink()
        return f"{path.name}: gone"
    if kind == 2:
        path.unlink()
        path.symlink_to(path.parent.parent / OUTSIDE)
        return f"{path.name}: a link"
    if inner is not None and kind < 18:
        path.write_bytes(inner(data, rng))
        return f"{path.name}: {inner.__name__}"
    path.write_bytes(forged_bytes(data, rng))
    return f"{path.name}: bytes"


def forge_folder(folder: Path, rng: random.Random, mend: Mend = lambda folder: None) -> str:
    """Change a file or two of a folder and repair the checksums; return a description."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = rng.sample(files, min(len(files), rng.choice([1, 1, 1, 2])))
    changed = [forge_file(path, rng) for path in chosen]
    mend(folder)
    return ", ".join(changed)


def mend_manifest(folder: Path, mend: Callable[[dict[str, Any], Path], None]) -> None:
    """Make a manifest's sizes and checksums match the files beside it."""
    path = folder / "manifest.json"
    try:
        manifest = json.loads(path.read_bytes())
        mend(manifest, folder)
        text = json.dumps(manifest, indent=1)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return
    path.write_text(text)


def mend_model(folder: Path) -> None:
    """Correct the sizes, checksums and the hash of the columns."""

    def mend(manifest: dict[str, Any], folder: Path) -> None:
        for name in [*manifest["files"]]:
            data = (folder / str(name)).read_bytes()
            manifest["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        manifest["columns_hash"] = columns_hash(manifest["columns"])

    mend_manifest(folder, mend)


def mend_language(folder: Path) -> None:
    """Correct the checksums of a language model, of either format version."""

    def mend(manifest: dict[str, Any], folder: Path) -> None:
        for name in [*manifest.get("files", {})]:
            data = (folder / str(name)).read_bytes()
            old = manifest.get("format_version") == 1
            digest = hashlib.sha256(data) if old else hashlib.blake2b(data, digest_size=32)
            manifest["files"][name] = digest.hexdigest()

    mend_manifest(folder, mend)


@contextmanager
def bounds() -> Iterator[None]:
    """Limit memory and time, with errors that our code cannot mistake for damage."""

    def late(number: int, frame: object) -> None:
        raise BaseException(f"not done after {MOST_SECONDS} seconds")

    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(MOST_SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (size + MOST_MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attempt(use: Use, path: Path) -> str:
    """Use a forged copy; return a description of what went wrong, or an empty string."""
    try:
        with bounds():
            use(path)
    except NaturalnessError as error:
        lines = str(error).split("\n")
        return "" if lines[0].strip() else f"an error without words: {error!r}"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    return ""


def failures(
    source: Path, home: Path, use: Use, *, forge: Forge = forge_folder, n: int, apart: bool = False
) -> list[str]:
    """Forge copies of a folder or file and use each; return what went wrong with which.

    Nothing may appear or change in ``home`` beside the copy. ``apart`` runs readers written in C++ in another
    process, so that a crash is reported too. `TIMES` multiplies the number of forgeries.
    """
    home.mkdir(exist_ok=True)
    (home / OUTSIDE).write_text("not ours")
    problems: list[str] = []
    numbers = list(range(n * TIMES))
    while numbers:
        for number, problem in (_apart if apart else _attempts)(source, home, use, forge, numbers):
            numbers.remove(number)
            if problem:
                problems.append(f"{number} ({problem}")
    return problems


def _attempts(source: Path, home: Path, use: Use, forge: Forge, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the number of each forgery and what went wrong with it."""
    before = listing(home)
    for number in list(numbers):
        rng = random.Random(f"0:{number}")
        copy = home / "forged"
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy)
        how = forge(copy, rng)
        problem = attempt(use, copy)
        clear(home)
        if not problem and listing(home) != before:
            problem = f"wrote {sorted(listing(home) ^ before)}"
        yield number, f"{how}): {problem}" if problem else ""


def _apart(source: Path, home: Path, use: Use, forge: Forge, numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the results of `_attempts` from a separate process, up to a forgery that crashes it."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        faulthandler.disable()
        os.close(reader)
        try:
            for number, problem in _attempts(source, home, use, forge, numbers):
                line = f"{number} {' '.join(problem.split())}"[:1000]
                os.write(writer, f"{line}\n".encode("utf-8", "replace"))
        finally:
            os._exit(0)
    os.close(writer)
    left = list(numbers)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        for line in pipe:
            yield left.pop(0), line.rstrip().partition(" ")[2]
    status = os.waitpid(child, 0)[1]
    if left:
        clear(home)
        yield left[0], f"): the process ended with {status}"


def clear(home: Path) -> None:
    """Remove the forged copy, and files that a reader may leave beside it."""
    for path in home.glob("forged*"):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def listing(folder: Path) -> set[tuple[str, int, bytes]]:
    """Return every file below a folder with its contents."""
    return {
        (path.relative_to(folder).as_posix(), path.stat().st_mtime_ns, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }
