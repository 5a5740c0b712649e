"""Write and read arrays in a compressed file format that cannot execute code when it is read.

The file is a numpy ``.npz``; the same arrays give the same bytes. Before an array is created, the size in its header is
compared with the number of bytes in the file, so a forged size costs no memory. The unpacked size of gzipped text is
bounded too.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from naturalness.errors import ModelError

MAX_BYTES = 256 << 20
"""Maximum unpacked size in bytes of all arrays, or of a text; `MAX_GROWTH` times the packed size if that is more."""
MAX_GROWTH = 100
TYPES = ("<f8", "<i8", "<i4", "<u8")
SMALL = ("<f4", "|i1")
"""Data types of the arrays in networks."""
NAME = re.compile(r"[a-z]+[0-9]*(\.part[0-9]+)?\.[a-z_]+")
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
STAMP = (1980, 1, 1, 0, 0, 0)


def pack(arrays: Mapping[str, NDArray[Any]], types: Sequence[str] = TYPES, *, deflated: bool = True) -> bytes:
    """Return the bytes of a file with these arrays; the same arrays give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in sorted(arrays.items()):
            plain = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
            if plain.dtype.str not in types:
                raise TypeError(f"array {name!r} is {array.dtype}; expected one of {types}")
            entry = io.BytesIO()
            np.lib.format.write_array(entry, plain, version=(1, 0), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
            archive.writestr(info, entry.getvalue(), compresslevel=9)
    return out.getvalue()


def unpack(data: bytes, types: Sequence[str] = TYPES) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file, keyed by name; raise `ModelError` if `pack` cannot have written it."""
    arrays: dict[str, NDArray[Any]] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            total = sum(map(attrgetter("file_size"), entries))
            if total > max(MAX_BYTES, MAX_GROWTH * len(data)):
                raise ModelError(f"arrays of {total:,} bytes; at most {MAX_BYTES:,} are read")
            for entry in entries:
                name = entry.filename.removesuffix(".npy")
                if name in arrays or not NAME.fullmatch(name) or entry.compress_type not in PACKED:
                    raise ModelError(f"array {entry.filename!r} has a name or a compression that models do not have")
                arrays[name] = _array(archive, entry, types)
    except ModelError:
        raise
    except Exception as error:  # zipfile and numpy fail in a dozen ways on damaged bytes
        raise ModelError(f"not a file of arrays ({type(error).__name__}: {error})") from error
    return arrays


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, types: Sequence[str]) -> NDArray[Any]:
    with archive.open(entry) as file:
        # Read at most one byte more than the archive's table states, however much the stream contains.
        raw = file.read(entry.file_size + 1)
    stream = io.BytesIO(raw)
    try:
        version = np.lib.format.read_magic(stream)
        if version != (1, 0):
            raise ValueError(f"version {version}")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    except Exception as error:  # numpy parses a header as Python source
        raise ModelError(f"array {entry.filename!r} has a damaged header ({error})") from error
    count = 1
    for size in shape:
        count *= size
    body = raw[stream.tell() :]
    if dtype.str not in types or fortran or min(shape, default=0) < 0:
        raise ModelError(f"array {entry.filename!r} has type {dtype}; expected one of {types}")
    if count * dtype.itemsize != len(body):
        raise ModelError(f"array {entry.filename!r} claims shape {shape}, but holds {len(body)} bytes")
    return np.frombuffer(body, dtype=dtype).reshape(shape)


def unzipped(data: bytes) -> bytes:
    """Return gunzipped bytes; raise ValueError if there are more than the packed size allows (see `MAX_BYTES`)."""
    most = max(MAX_BYTES, MAX_GROWTH * len(data))
    parts: list[bytes] = []
    while data:
        stream = zlib.decompressobj(wbits=31)
        parts.append(stream.decompress(data, most + 1))
        most -= len(parts[-1])
        if most < 0:
            raise ValueError("it unpacks to more bytes than expected")
        if not stream.eof:
            raise ValueError("it is truncated")
        data = stream.unused_data
    return b"".join(parts)
