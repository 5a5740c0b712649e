"""`naturalness lsp`: a language server, for editors."""

from __future__ import annotations

import argparse
import signal


def run(args: argparse.Namespace) -> int:
    """Serve until the editor ends the session."""
    from naturalness.integrations.lsp import serve

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # a thread that reads standard input would outlive an exception
    serve(args.model)
    return 0
