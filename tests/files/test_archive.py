"""Array files from untrusted sources lead to an error message at worst, and never run code."""

from __future__ import annotations

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from naturalness.errors import ModelError
from naturalness.files.archive import pack, unpack


class Burglar:
    """An object that creates a file when it is unpickled."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (Path.touch, (Path("burgled"),))


def zipped(name: str, data: bytes) -> bytes:
    """Return a zip file with one entry."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, data)
    return out.getvalue()


def header(shape: str, kind: str = "<f8") -> bytes:
    """Return a numpy header that claims a shape, without any data."""
    out = io.BytesIO()
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}}}"
    out.write(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode())
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (b"nothing at all", "not a file of arrays"),
        (zipped("unit0.coef.npy", b"no header"), "damaged header"),
        (zipped("unit0.coef.npy", header("(1000000000000,)")), "claims shape"),
        (zipped("unit0.coef.npy", header("(-1,)")), "type|claims shape"),
        (zipped("unit0.coef.npy", header("(1,)", "|O")), "has type object"),
        (zipped("unit0.coef.npy", header("(0,)", "<f4")), "has type float32"),
        (zipped("x.y.npy", b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535), "damaged header"),
    ],
    ids=["no zip", "no header", "absurd size", "negative size", "objects", "type", "deep"],
)
def test_forged_files_are_refused(data: bytes, match: str) -> None:
    """Forged files raise a `ModelError` that says what is wrong."""
    with pytest.raises(ModelError, match=match):
        unpack(data)


def test_names_of_other_places_are_refused() -> None:
    """Paths outside the file and duplicate names are refused."""
    good = zipped("unit0.coef.npy", header("(0,)"))
    assert list(unpack(good)) == ["unit0.coef"]
    with pytest.raises(ModelError, match="has a name or a compression"):
        unpack(zipped("../../unit0.npy", header("(0,)")))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.b.npy", header("(0,)"))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.b.npy", header("(0,)"))
    with pytest.raises(ModelError, match="has a name or a compression"):
        unpack(out.getvalue())


def test_a_zip_bomb_is_not_unpacked() -> None:
    """The total size in the table of contents is checked before anything is unpacked."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(3):
            archive.writestr(f"a{i}.b.npy", bytes(100 << 20))
    with pytest.raises(ModelError, match="at most"):
        unpack(out.getvalue())


def test_nothing_is_unpickled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An array of objects is refused without running the code that it would run when unpickled."""
    monkeypatch.chdir(tmp_path)
    data = zipped("unit0.coef.npy", header("(1,)", "|O") + pickle.dumps([Burglar()]))
    with pytest.raises(ModelError):
        unpack(data)
    assert not Path("burgled").exists()


def test_arrays_are_read_back() -> None:
    """Arrays keep their types and shapes, and the same arrays give the same bytes."""
    arrays = {
        "a.a": np.arange(6.0).reshape(2, 3),
        "a.b": np.array([1, 2], dtype=np.int32),
        "a.c": np.empty(0, dtype=np.uint64),
    }
    copies = unpack(pack(arrays))
    assert pack(arrays) == pack(dict(reversed(arrays.items())))
    for name, array in arrays.items():
        np.testing.assert_array_equal(copies[name], array)
        assert copies[name].dtype == array.dtype
    with pytest.raises(TypeError, match="expected one of"):
        pack({"a": np.array(["text"])})
