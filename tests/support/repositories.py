"""Git with a fixed committer."""

from __future__ import annotations

import shutil
import subprocess

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is absent")


def git(*arguments: str) -> None:
    """Run git with a fixed committer."""
    name = ("-c", "user.name=ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *name, *arguments], check=True, capture_output=True)
