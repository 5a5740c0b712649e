"""The parser that comes with the package, opened once per process."""

from __future__ import annotations

from functools import cache

from naturalness.models.parsers.chart.opening import open_network
from naturalness.models.parsers.chart.parser import ChartParser
from naturalness.resources import assets_folder, load_manifest, locate

ASSET = "chart"


def chart() -> ChartParser:
    """The neural chart parser."""
    return _open(str(assets_folder()))


@cache
def _open(folder: str) -> ChartParser:
    network = open_network(locate(ASSET))
    return ChartParser(ASSET, f"{ASSET}:{load_manifest()[ASSET].checksum}", network)
