"""`naturalness serve`: serve a model over HTTP, with a page for pasting texts."""

from __future__ import annotations

import argparse
import sys

from naturalness.cli.options import min_score_of
from naturalness.studio.serve.limits import Limits
from naturalness.studio.web.running import check_installed, is_local, listen, names_of, run
from naturalness.studio.web.tokens import Access, make_token, read_token

PORT = 8000


def serve(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    check_installed("naturalness serve")
    token = read_token(args.token_file)
    is_new = not token and not is_local(args.host)
    access = Access(make_token() if is_new else token)
    endpoint = listen(args.host, args.port, usual=PORT)
    with endpoint.socket:
        from naturalness.studio.serve.app import make_app
        from naturalness.studio.serve.service import Service
        from naturalness.studio.serve.worker import Judge
        from naturalness.studio.web.security import Guard

        limits = Limits(
            texts=args.max_texts, characters=args.max_characters, waiting=args.queue, seconds=float(args.seconds)
        )
        judge = Judge(args.model, register=args.register or None)
        judge.min_score = min_score_of(args, judge.model)
        judge.warm()
        guard = Guard(
            make_app(Service(judge, limits), token=bool(access.token)),
            hosts=names_of(args.host, tuple(args.allow_host)),
            access=access,
            max_body=limits.body,
            seconds=limits.seconds + 10,
        )
        if not is_local(args.host):
            sys.stderr.write(
                "traffic is not encrypted; put a TLS proxy in front of the server if the network is not yours\n"
            )
        how = " (with your token)" if access.token and not is_new else ""
        return run(
            guard,
            endpoint,
            announce=lambda address: f"model {judge.name!r} is at {address}{how}; press Ctrl-C to stop the server",
            access=access,
            show_token=is_new,
            browser=args.browser,
        )
