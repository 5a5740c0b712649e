"""`naturalness serve`: serve a model over HTTP, with a page for pasting texts."""

from __future__ import annotations

import argparse
import sys

from naturalness.studio.web.running import check_installed, is_local, listen, names_of
from naturalness.studio.web.running import run as serve
from naturalness.studio.web.tokens import Access, make_token, read_token

PORT = 8000


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    check_installed("naturalness serve")
    token = read_token(args.token_file)
    is_new = not token and not is_local(args.host)
    access = Access(make_token() if is_new else token)
    endpoint = listen(args.host, args.port, usual=PORT)
    with endpoint.socket:
        from naturalness.studio.serve.app import guarded
        from naturalness.studio.serve.worker import Judge

        judge = Judge(args.model, register=args.register or None)
        judge.min_score = judge.model.minimum(args.min_score, args.false_alarms, args.register)
        if not is_local(args.host):
            sys.stderr.write("traffic is not encrypted; put a TLS proxy in front of the server on untrusted networks\n")
        how = " (with your token)" if access.token and not is_new else ""
        return serve(
            guarded(judge, names_of(args.host, tuple(args.allow_host)), access),
            endpoint,
            announce=lambda address: f"model {judge.name!r} is at {address}{how}; press Ctrl-C to stop the server",
            access=access,
            show_token=is_new,
            browser=args.browser,
        )
