"""LanguageTool as a checker: a Java server for a whole tree of processes, one text per request.

The package language-tool-python finds and downloads LanguageTool here and knows its versions. Its
own server and requests are not used, since

- its Java outlives a Python process that is killed, and waits for minutes where a server hangs;
- each of its objects, in each process, starts a server of its own;
- its server sets all rules up anew for every text, which takes longer than to check a sentence.
"""

from __future__ import annotations

from naturalness.models.checkers.languagetool.checker import LanguageToolChecker, open_checker
from naturalness.models.checkers.languagetool.server import download
from naturalness.models.checkers.languagetool.sharing import VARIABLE, address, available, close, version

__all__ = ["VARIABLE", "LanguageToolChecker", "address", "available", "close", "download", "open_checker", "version"]
