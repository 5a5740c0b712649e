"""The fixtures of the core's tests."""

from tests.conftest import build, no_store, one_core

__all__ = ["build", "no_store", "one_core"]
