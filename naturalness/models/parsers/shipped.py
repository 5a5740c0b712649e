"""The parser that comes with the package, opened once per process."""

from __future__ import annotations

from functools import cache
from threading import Lock

from naturalness.files.resources import assets_folder, load_manifest, locate
from naturalness.models.parsers.chart.opening import open_network
from naturalness.models.parsers.chart.parser import ChartParser

ASSET = "chart"
OPENING = Lock()
"""A thread may have begun: others wait for what it opens."""


def chart() -> ChartParser:
    """The neural chart parser."""
    with OPENING:
        return _open(str(assets_folder()))


@cache
def _open(folder: str) -> ChartParser:
    network = open_network(locate(ASSET))
    return ChartParser(ASSET, f"{ASSET}:{load_manifest()[ASSET].checksum}", network)
