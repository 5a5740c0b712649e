"""`naturalness serve`: a model behind an HTTP interface, with a page for pasting texts."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from naturalness.cli.options import add_browser, add_model_choice, add_threshold_options, min_score_of, positive
from naturalness.studio.serve.limits import Limits
from naturalness.studio.web.running import LOOPBACK, Endpoint, check_installed, is_local, listen, names_of, run
from naturalness.studio.web.tokens import VARIABLE, Access, make_token, read_token

PORT = 8000
USUAL = Limits()


def add_command(commands: Any) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "serve",
        help="serve a model to programs and browsers",
        description="Serve POST /score, /explain and /compare, GET /health and /openapi.json, and "
        "a page for pasting texts. Only this machine can connect, unless --host says "
        f"otherwise; a token is then required: that of --token-file or of {VARIABLE}, or a new "
        "one, which is printed. Ctrl-C or SIGTERM stop the server, with exit code 0. Needs the "
        "extra web.",
        examples=(
            "naturalness serve",
            "naturalness serve --model my-model --port 8080 --token-file token.txt",
            "naturalness serve --register auto --false-alarms 0.01",
        ),
    )
    add_model_choice(parser)
    add_threshold_options(parser, "report for each text whether it scores below X")
    add = parser.add_argument
    add(
        "--host",
        default=LOOPBACK,
        metavar="NAME",
        help=f"address or name to listen on; 0.0.0.0 for all networks (default: {LOOPBACK})",
    )
    add("--port", type=int, metavar="N", help=f"port to listen on (default: {PORT}, or any free one if that is taken)")
    add("--token-file", metavar="FILE", help="a file that only you can read, with the required token")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name of the server, such as that of a proxy; repeatable",
    )
    add_browser(add, default=False)
    add(
        "--max-texts",
        type=positive,
        default=USUAL.texts,
        metavar="N",
        help=f"maximum number of texts in a request for scores or a comparison (default: {USUAL.texts})",
    )
    add(
        "--max-characters",
        type=positive,
        default=USUAL.characters,
        metavar="N",
        help=f"maximum number of characters in a text (default: {USUAL.characters})",
    )
    add(
        "--queue",
        type=positive,
        default=USUAL.waiting,
        metavar="N",
        help=f"maximum number of texts that wait for the model (default: {USUAL.waiting})",
    )
    add(
        "--seconds",
        type=positive,
        default=int(USUAL.seconds),
        metavar="N",
        help=f"maximum number of seconds to answer a request (default: {USUAL.seconds:.0f})",
    )
    parser.set_defaults(run=serve)


def serve(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    check_installed("naturalness serve")
    token, is_new = _token(args)
    endpoint = listen(args.host, args.port, usual=PORT)
    with endpoint.socket:
        return _serve(args, endpoint, Access(token), is_new=is_new)


def _serve(args: argparse.Namespace, endpoint: Endpoint, access: Access, *, is_new: bool) -> int:
    from naturalness.studio.serve.app import make_app
    from naturalness.studio.serve.service import Service
    from naturalness.studio.serve.worker import Judge
    from naturalness.studio.web.security import Guard

    limits = Limits(
        texts=args.max_texts, characters=args.max_characters, waiting=args.queue, seconds=float(args.seconds)
    )
    judge = Judge(args.model, changed_assets=args.changed_assets, register=args.register or None)
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

    def announcement(address: str) -> str:
        how = " (with your token)" if access.token and not is_new else ""
        return f"model {judge.name!r} is at {address}{how}; press Ctrl-C to stop the server"

    return run(guard, endpoint, announce=announcement, access=access, show_token=is_new, browser=args.browser)


def _token(args: argparse.Namespace) -> tuple[str, bool]:
    """Return the required token, and whether it is new."""
    token = read_token(args.token_file)
    if token or is_local(args.host):
        return token, False
    return make_token(), True
