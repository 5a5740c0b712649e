"""spaCy pipelines as packages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language

LOADER = "from spacy.util import load_model_from_init_py\n\n\ndef load(**parts):\n"
LOADER += "    return load_model_from_init_py(__file__, **parts)\n"


def write_package(nlp: Language, folder: Path) -> str:
    """Write a package of a pipeline into a folder of modules, and return its name."""
    about = nlp.meta
    name = f"{about['lang']}_{about['name']}"
    package = folder / name
    package.mkdir()
    nlp.to_disk(package / f"{name}-{about['version']}")
    (package / "__init__.py").write_text(LOADER, encoding="utf-8")
    (package / "meta.json").write_bytes((package / f"{name}-{about['version']}" / "meta.json").read_bytes())
    return name
