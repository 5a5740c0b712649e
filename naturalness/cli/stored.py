"""Where the command line keeps measured features: the option, the usual place, what it says."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from naturalness.errors import NaturalnessError
from naturalness.files.storage import user_folder

if TYPE_CHECKING:
    from naturalness.features.store.folder import FeatureStore

VARIABLE = "NATURALNESS_STORE"
NONE = "none"


def add_store_option(add: Callable[..., Any]) -> None:
    """Where features are kept."""
    add(
        "--store",
        metavar="FOLDER",
        help="where measured features are kept, so that no text is "
        f"parsed again (${VARIABLE}, or naturalness/features in the user's cache folder; {NONE}: "
        "nowhere)",
    )


def open_store(named: str | None) -> FeatureStore | None:
    """The store that an option names, or that of the usual place, or none.

    A folder that cannot be used is an error where the option names it. The usual place is nobody's
    wish: without it the work takes longer, and a line says so.
    """
    from naturalness.features.store.folder import FeatureStore

    if named is not None:
        return None if named == NONE else FeatureStore(named).check()
    try:
        usual = os.environ.get(VARIABLE) or user_folder("XDG_CACHE_HOME") / "naturalness" / "features"
        return None if usual == NONE else FeatureStore(usual).check()
    except (NaturalnessError, RuntimeError) as error:  # RuntimeError: nobody's home
        sys.stderr.write(f"measured features are not kept: {error}\n")
        return None


def describe_store(store: FeatureStore | None, known: int, total: int, *, quiet: bool = False) -> list[str]:
    """Why it was quick, and why it will not be the next time; a line each."""
    if store is None:
        return []
    lines = [f"{known:,} of {total:,} texts were known to {store.folder}"] if known else []
    return [*([] if quiet else lines), *([store.trouble] if store.trouble else [])]
