"""Results as small JSON files and Markdown tables, with the machine and versions of the measurement."""

from __future__ import annotations

import datetime
import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from naturalness import __version__
from naturalness.files.resources import load_manifest
from training.manifest import processor

RESULTS = Path(__file__).parent / "results"


def context(**settings: Any) -> dict[str, Any]:
    """Return the setting that is needed to judge or repeat a measurement."""
    return {
        "date": datetime.date.today().isoformat(),
        "naturalness": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": processor(),
        "assets": {name: asset.checksum for name, asset in load_manifest().items()},
        **settings,
    }


def last_results(name: str) -> Any:
    """Return the data of results/NAME.json."""
    return json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a Markdown table with right-aligned numbers."""
    right = [bool(rows) and not isinstance(rows[0][i], str) for i in range(len(header))]
    lines = ["| " + " | ".join(header) + " |"]
    lines.append("| " + " | ".join("---:" if r else "---" for r in right) + " |")
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def by_name(head: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table with a row for each name and a column for each figure."""
    return markdown_table([head, *next(iter(rows.values()))], [[name, *row.values()] for name, row in rows.items()])


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def write(
    name: str, title: str, table: str, data: Mapping[str, Any], /, folder: Path = RESULTS, **settings: Any
) -> None:
    """Write results/NAME.json, with the setting, and NAME.md; print the table."""
    folder.mkdir(exist_ok=True)
    data = {"context": context(**settings), **data}
    (folder / f"{name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    setting = data["context"]
    note = f"Measured on {setting.get('date')} by `{setting.get('command')}`"
    note += f" on {setting['processor']}." if setting.get("processor") else "."
    text = f"# {title}\n\n{note}\n\n{table}"
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)
