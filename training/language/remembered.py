"""New checksums where old ones are remembered, after a change that leaves all numbers as they are.

`python -m training.language.remembered`: when the files of the shipped language models are packed
in another way, their entries in the manifest of the assets, the shipped models of naturalness and
the norms of ROUGE-LM name them anew. After any other change, these are to be made again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from naturalness.files.resources import Asset, load_manifest
from naturalness.metrics.rouge_lm import NORMS
from naturalness.models.language import shipped
from training.default_model.products import PRODUCTS
from training.manifest import ASSETS, record


def renew(asset: Asset, folder: Path = ASSETS) -> None:
    """The entry of an asset, with the files as they are now."""
    record(
        asset.name,
        kind=asset.kind,
        description=asset.description,
        licence=asset.licence,
        sources=[dict(source) for source in asset.sources],
        command=asset.command,
        path=asset.name,
        figures=asset.figures,
        folder=folder,
    )


def change(path: Path, key: str, value: Any) -> None:
    """One entry of a JSON file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    data[key] = value
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main() -> None:
    """Language models first, then those who remember them."""
    assets = load_manifest(ASSETS)
    for name in shipped.ASSETS:
        renew(assets[name])
    now = load_manifest(ASSETS)
    for product in PRODUCTS.values():
        described = product.folder / "manifest.json"
        remembered = json.loads(described.read_text(encoding="utf-8"))["assets"]
        fresh = {name: now[name].checksum for name in shipped.ASSETS if name in remembered}
        change(described, "assets", {**remembered, **fresh})
        renew(load_manifest(product.assets)[product.asset], product.assets)
    change(NORMS, "lm", shipped.pieces().signature)


if __name__ == "__main__":
    main()
