"""Download LanguageTool: ``python -m naturalness.models.checkers.languagetool``."""

from __future__ import annotations

import sys

from naturalness.errors import NaturalnessError
from naturalness.models.checkers.languagetool.server import download

if __name__ == "__main__":
    try:
        sys.stdout.write(f"{download()}\n")
    except NaturalnessError as error:
        sys.exit(f"error: {error}")
