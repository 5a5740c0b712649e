"""`naturalness groups`: describe every feature with its formula, range, direction and source."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from naturalness.cli.inputs import show_json
from naturalness.cli.terminal import page_width
from naturalness.data.batch import Batch
from naturalness.data.formats import STANDARD, location
from naturalness.data.writing import open_writer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from naturalness.features import FeatureGroup


def run(args: argparse.Namespace) -> int:
    """Print the descriptions of the features."""
    from naturalness.features import EVERY, resolve

    _show(resolve([name for named in args.groups for name in named] or list(EVERY)), args.format)
    return 0


def _show(groups: Sequence[FeatureGroup], style: str) -> None:
    from naturalness.features.describe import as_rows, as_text

    if style == "text":
        sys.stdout.write(as_text(groups, page_width()))
    elif style == "json":
        show_json(as_rows(groups))
    else:
        rows = as_rows(groups)
        batch = Batch(list(rows[0]), [dict(row) for row in rows], [""] * len(rows), [])
        with open_writer(location(STANDARD, style)) as writer:
            writer.write(batch, {})
