"""The card of a shipped model: how it learned, how good it is, and where it is known to be weak.

What training does not measure itself stands in `benchmarks/results/leave_out.json`; it is told
only while it is about this very model.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness.files.folder import MANIFEST
from naturalness.files.resources import load_manifest
from naturalness.pipelines.card import LIMITS, short
from naturalness.pipelines.warm_start import OF_RATINGS
from training.default_model.measure import FIGURES, Figures, means
from training.default_model.products import Product
from training.default_model.recipe import DAMAGE_WEIGHT, PENALTY
from training.default_model.sets import MAIN
from training.manifest import record

MEASURED = Path(__file__).parents[2] / "benchmarks" / "results" / "leave_out.json"
OF_HEADS = " A rated text's expected rating is that of a head that never saw its family (`training.reader.heads`)."
POOR = 0.25
"""Rank correlation below which a set is listed among the weaknesses."""
Measured = Mapping[str, Any]


def reads_ratings(product: Product) -> bool:
    """Return whether a model reads a rating head."""
    return not OF_RATINGS.isdisjoint(product.groups)


def measured_of(figures: Figures) -> Measured | None:
    """Return the results of `benchmarks.leave_out` if they are of the same model."""
    if not MEASURED.exists():
        return None
    measured: Measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    return measured if measured["sets"] == figures else None


def card(product: Product, names: Sequence[str], sources: Sequence[Mapping[str, Any]], figures: Figures) -> str:
    """Return the model card; ``names`` are the training sets."""
    measured = measured_of(figures)
    mean = means(figures)
    listed = ", ".join(f"{title} {short(mean[key])}" for key, title in FIGURES.items() if key in mean)
    head = ["left out", "texts", *FIGURES.values(), "teaches"]
    rows = [
        [name, f"{row['n']:,}", *(short(row[f], 2) for f in FIGURES), "yes" if name in names else "no"]
        for name, row in figures.items()
    ]
    return "\n".join(
        [
            f"# {product.title}",
            "",
            "For English sentences and short texts of any kind, without ratings of your own. Its "
            "score is the probability that people rate a text in the better half of texts like it; "
            "ratings of your own domain make a better model: `naturalness train`.",
            "",
            f"A linear function of {product.reads}, learned from "
            "differences within rated sets (ratings as log-odds of the share of their set that is worse; a family "
            "of sets weighs by the fourth root of its texts) and between corpus sentences and the same with one to "
            f"three damages (the weight of {DAMAGE_WEIGHT:g} families). Ridge penalty {PENALTY:g}. Columns that "
            "count damage, errors, repetition and unknown words can only lower a score. The sigmoid "
            f"was learned on families that were left out.{OF_HEADS if reads_ratings(product) else ''}",
            "",
            "## How good",
            "",
            "Each set judged by a model that learned from none of its family; rank correlation with "
            "the ratings, also given length in words and given length and mean word frequency. Mean "
            f"of eight sets ({', '.join(MAIN)}): {listed}.",
            "",
            *_table(head, rows, left=1),
            "",
            *(_beside(measured) + _damage(measured) + _weak(measured, figures) if measured else []),
            "## Learned from",
            "",
            "No text of these is in the model; sets without a stated licence lend weights alone.",
            "",
            *(f"- {source['name']}: {source['licence']}" for source in sources),
            "",
            "## Limits",
            "",
            *(f"- {limit}" for limit in LIMITS),
            "",
        ]
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Return the lines of a table; columns after the first ``left`` are right-aligned."""
    rule = ["---" if i < left else "---:" for i in range(len(head))]
    return ["| " + " | ".join(row) + " |" for row in (head, rule, *rows)]


def _interval(cell: Sequence[float]) -> str:
    return f"{short(cell[0])} ({short(cell[1])} to {short(cell[2])})"


def _beside(measured: Measured) -> list[str]:
    beside, pairs = measured["beside"], measured["pairs"]
    six, best = measured["context"]["six"], beside["best of family"]
    judges = sorted(beside["spearman"].items(), key=lambda pair: -pair[1]["mean"][0])
    rows = [
        [
            f"{name}: {best[name]}" + (" †" if name in beside["learned from"] else "")
            if name in best
            else f"**{name}**",
            _interval(row["mean"]),
        ]
        for name, row in judges
    ]
    taught = {name for sets in beside["learned from"].values() for name in sets}
    share = pairs["ordered rightly"]
    ours = next(name for name in share if name not in pairs["best of family"])
    rivals = [name for name in share if name not in (ours, *pairs["learned from them"])]
    rival = max(rivals, key=lambda name: share[name][0])
    far, family, name = beside["bar"]["furthest behind"]
    return [
        f"Beside the best single metric of each family, mean of six sets ({', '.join(six)}), with "
        "95 % intervals; the metrics were chosen with hindsight († on the others alone: ratings of "
        f"{' and '.join(sorted(taught))} taught it):",
        "",
        *_table(["", "Spearman"], rows, left=1),
        "",
        "On no single set that did not teach it is the best of a family further ahead than "
        f"{short(max(-far, 0.0))} ({family}, {name}). Of {pairs['pairs']:,} pairs of E2E texts it "
        f"orders {share[ours][0]:.1%} rightly, the best family ({rival}) {share[rival][0]:.1%}.",
        "",
    ]


def _damage(measured: Measured) -> list[str]:
    damage = measured["growing damage"]
    keys = ("original above its damaged version", "a further damage raises the score")
    columns = [[short(v) for v in damage["mean score by damages"]]]
    columns += [["", *map(short, damage[key])] for key in keys]
    rows = [[str(k), *row] for k, row in enumerate(zip(*columns, strict=True))]
    return [
        "## More damage",
        "",
        f"{damage['sentences']} held-out sentences with none to three damages: on the mean each "
        "one lowers the score; of single sentences not every one.",
        "",
        *_table(["damages", "mean score", *keys], rows, left=0),
        "",
    ]


def _weak(measured: Measured, figures: Figures) -> list[str]:
    poor = [f"{name} {short(row['spearman'], 2)}" for name, row in figures.items() if row["spearman"] < POOR]
    length = [f"{band} {short(row['spearman'], 2)}" for band, row in measured["by length"].items()]
    natural = measured["natural sentences"]
    typed = measured["typed otherwise"]
    kinds, faults = measured["own sentences"]["kinds"], measured["own sentences"]["faults"]
    kinds_of_damage = measured["growing damage"]["by kind"]
    seen = [f"{kind.replace('_', ' ')} {row['lowers the score']:.0%}" for kind, row in kinds_of_damage.items()]
    pairs = [f"{name}: {row['sound one higher']} of {row['pairs']}" for name, row in faults.items()]
    return [
        "## Known weaknesses",
        "",
        f"- **Where it says little** (rank correlation under {short(POOR, 2)}): {', '.join(poor)}.",
        f"- **Length.** Rank correlation within bands of length, six sets: {', '.join(length)}.",
        f"- **Register and length.** Mean score of untouched held-out sentences: {_means(natural)}."
        " Scores of texts of different kinds are not comparable.",
        f"- **Case, stops, spaces.** Mean score of the same sentences {_means(typed)}.",
        f"- **Fragments, titles, notes, dialect.** Mean score of own natural texts: {_means(kinds)}.",
        "- **Single faults.** Of own pairs that differ in one fault, the sound one is higher in: "
        f"{', '.join(pairs)}. Of damages to held-out sentences, these shares lower the score: "
        f"{', '.join(seen)}.",
        "",
    ]


def _means(rows: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(f"{name} {short(row['mean score'], 2)}" for name, row in rows.items())


def rewrite(product: Product) -> None:
    """Rewrite the shipped model's card and checksums, and nothing else."""
    figures = load_manifest(product.assets)[product.asset].figures
    sources = sources_of(product)
    page = card(product, names_of(sources), sources, dict(figures["sets"])).encode()
    replace_file(product, "card.md", page)


def sources_of(product: Product) -> list[dict[str, Any]]:
    """Return the sets and corpora that trained the shipped model."""
    manifest = json.loads((product.folder / MANIFEST).read_text(encoding="utf-8"))
    listed: list[dict[str, Any]] = manifest["training"]["sources"]
    return listed


def names_of(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the names of the rated sets among sources."""
    return [source["name"] for source in sources if "texts" in source]


def replace_file(product: Product, name: str, data: bytes, **entries: Any) -> None:
    """Rewrite a file of the shipped model, its checksums, and entries of its manifest."""
    folder, figures = product.folder, load_manifest(product.assets)[product.asset].figures
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8")) | entries
    (folder / name).write_bytes(data)
    manifest["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    note(product, manifest["training"]["sources"], figures)


def note(product: Product, sources: Sequence[Mapping[str, Any]], figures: Mapping[str, Any]) -> None:
    """Write the shipped model's entry in the manifest of assets."""
    record(
        product.asset,
        kind="model",
        description=product.description,
        sources=[{k: str(v) for k, v in s.items() if k != "texts"} for s in sources],
        command=product.command,
        path=product.asset,
        figures=figures,
        folder=product.assets,
    )
