"""The card of a shipped model: its training, accuracy and known weaknesses.

Figures that training does not measure come from `benchmarks/results/leave_out.json`; the card shows them only if
they describe this very model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from naturalness.files.folder import MANIFEST
from naturalness.files.resources import load_manifest
from naturalness.pipelines.card import LIMITS, short
from training.default_model.measure import FIGURES, Figures, means
from training.default_model.products import Product
from training.default_model.recipe import DAMAGE_WEIGHT, FAMILY_POWER, PENALTY
from training.default_model.sets import MAIN
from training.manifest import ASSETS, record, update

MEASURED = Path(__file__).parents[2] / "benchmarks" / "results" / "leave_out.json"
POOR = 0.25
"""Rank correlation below which a set is listed among the weaknesses."""
Measured = Mapping[str, Any]


def measured_of(figures: Figures) -> Measured | None:
    """Return the results of `benchmarks.leave_out` if they describe the same model."""
    if not MEASURED.exists():
        return None
    measured: Measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    return measured if measured["sets"] == figures else None


def card_template(folder: Path) -> Template:
    """Return the template of a card in a folder."""
    pages = Environment(
        loader=FileSystemLoader(folder), trim_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
    )
    pages.filters["short"] = short
    return pages.get_template("card.md.jinja")


def card(product: Product, names: Sequence[str], sources: Sequence[Mapping[str, Any]], figures: Figures) -> str:
    """Return the model card; ``names`` are the training sets."""
    measured = measured_of(figures)
    rows = [
        [name, f"{row['n']:,}", *(short(row[f], 2) for f in FIGURES), "yes" if name in names else "no"]
        for name, row in figures.items()
    ]
    return card_template(Path(__file__).parent).render(
        product=product,
        damage_weight=DAMAGE_WEIGHT,
        penalty=PENALTY,
        power=FAMILY_POWER,
        main=MAIN,
        titles=FIGURES,
        mean=means(figures),
        set_rows=rows,
        poor=POOR,
        figures=figures,
        sources=sources,
        limits=LIMITS,
        measured=measured,
        **(_rivals(measured) if measured else {}),
    )


def _rivals(measured: Measured) -> dict[str, Any]:
    """Return the compared judges in order, and those that the card names."""
    beside, pairs = measured["beside"], measured["pairs"]
    share = pairs["ordered rightly"]
    ours = next(name for name in share if name not in pairs["best of family"])
    rivals = [name for name in share if name not in (ours, *pairs["learned from them"])]
    far, family, far_set = beside["bar"]["furthest behind"]
    return {
        "judges": sorted(beside["spearman"].items(), key=lambda pair: -pair[1]["mean"][0]),
        "taught": sorted({name for sets in beside["learned from"].values() for name in sets}),
        "ours": ours,
        "rival": max(rivals, key=lambda name: share[name][0]),
        "far": far,
        "family": family,
        "far_set": far_set,
    }


def rewrite(product: Product) -> None:
    """Rewrite only the shipped model's card and checksums."""
    manifest = json.loads((product.folder / MANIFEST).read_text(encoding="utf-8"))
    sources = manifest["training"]["sources"]
    names = [source["name"] for source in sources if "texts" in source]
    figures = dict(load_manifest()[product.asset].figures["sets"])
    page = card(product, names, sources, figures).encode()
    (product.folder / "card.md").write_bytes(page)
    manifest["files"]["card.md"] = {"bytes": len(page), "sha256": hashlib.sha256(page).hexdigest()}
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (product.folder / MANIFEST).write_text(text, encoding="utf-8")
    update(product.asset, ASSETS, {})


def note(product: Product, sources: Sequence[Mapping[str, Any]], figures: Mapping[str, Any]) -> None:
    """Write the shipped model's entry in the manifest of assets."""
    texts_apart = [{k: str(v) for k, v in s.items() if k != "texts"} for s in sources]
    record(product.asset, figures, sources=texts_apart)
