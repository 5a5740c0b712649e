"""Files are written completely or not at all."""

from __future__ import annotations

import errno
import os
import struct
from pathlib import Path

import pytest

from naturalness.files import storage
from naturalness.files.storage import seen_from, write_whole


def test_a_file_is_complete_or_absent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error during writing leaves only the old file."""
    path = tmp_path / "x"
    write_whole(path, b"old")

    def full(file: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage, "sync_file", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_of_a_whole_file(tmp_path: Path) -> None:
    """A replaced file keeps its permissions; a new one is private unless the caller decides otherwise."""
    private, public = tmp_path / "private", tmp_path / "public"
    for _ in range(2):
        write_whole(private, b"x")
        write_whole(public, b"x", mode=0o644)
        assert [path.stat().st_mode & 0o777 for path in (private, public)] == [0o600, 0o644]
    public.chmod(0o640)
    write_whole(public, b"y", mode=0o644)
    assert public.stat().st_mode & 0o777 == 0o640


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    """A new file has no permission that the umask withholds, and the umask stays as it was."""
    before = os.umask(0o077)
    try:
        write_whole(tmp_path / "public", b"x", mode=0o644)
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(before)
    assert (tmp_path / "public").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give a file to another user")
def test_owner_of_a_whole_file(tmp_path: Path) -> None:
    """A replaced file keeps its owner."""
    path = tmp_path / "x"
    path.write_bytes(b"x")
    os.chown(path, 12345, 54321)
    write_whole(path, b"y")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


ACL, INHERITED = "system.posix_acl_access", "system.posix_acl_default"
SHARED = struct.pack(
    "<I" + 5 * "HHI",
    *(2, 1, 6, 2**32 - 1, 2, 6, 54321),  # version; the owner and user 54321 may read and write
    *(4, 0, 2**32 - 1, 16, 6, 2**32 - 1, 32, 0, 2**32 - 1),  # the group: nothing; the mask; others: nothing
)
"""An access control list, as the kernel stores it."""


def with_attributes(path: Path, attributes: dict[str, bytes]) -> dict[str, bytes]:
    """Add extended attributes to a file and return all of them; skip the test if the disk does not support any."""
    if not hasattr(os, "setxattr"):
        pytest.skip("no extended attributes on this system")
    try:
        for name, value in attributes.items():
            os.setxattr(path, name, value)
    except OSError as error:
        pytest.skip(f"no extended attributes on this disk ({error})")
    return attributes_of(path)


def attributes_of(path: Path) -> dict[str, bytes]:
    """Return the extended attributes of a file."""
    return {name: os.getxattr(path, name) for name in os.listxattr(path)}


def test_attributes_of_a_whole_file(tmp_path: Path) -> None:
    """A replaced file keeps its access control list and its other extended attributes."""
    path = tmp_path / "x"
    path.write_bytes(b"x")
    path.chmod(0o660)
    before = with_attributes(path, {ACL: SHARED, "user.origin": b"https://example.org", "user.empty": b""})
    write_whole(path, b"y")
    assert path.read_bytes() == b"y"
    assert attributes_of(path) == before
    assert path.stat().st_mode & 0o777 == 0o660


def test_an_inherited_access_list_is_not_added(tmp_path: Path) -> None:
    """A file that was private in a shared folder stays private."""
    path = tmp_path / "x"
    path.write_bytes(b"x")
    path.chmod(0o640)
    with_attributes(tmp_path, {INHERITED: SHARED})
    write_whole(path, b"y")
    assert ACL not in attributes_of(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_paths_seen_from_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path on another drive stays absolute."""
    assert seen_from(Path("/a/b"), "/a/c/d.md").as_posix() == "../c/d.md"

    def other_drive(path: str, start: Path) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr("os.path.relpath", other_drive)
    assert seen_from(Path("/a/b"), "/a/c/d.md").as_posix() == "/a/c/d.md"
