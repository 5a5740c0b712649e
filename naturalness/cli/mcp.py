"""`naturalness mcp`: answer agents over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import argparse

from naturalness.files.resources import require_package


def run(args: argparse.Namespace) -> int:
    """Serve until standard input ends."""
    require_package("mcp_types", user="naturalness mcp", extra="mcp")  # a module of mcp 2.0, which 1.x lacks
    from naturalness.integrations.mcp import Tools, serve
    from naturalness.pipelines.scorer import load_model

    model = load_model(args.model)
    model.check_register(args.register)
    serve(Tools(model, args.register or None))
    return 0
