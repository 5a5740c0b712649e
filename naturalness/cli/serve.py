"""`naturalness serve`: a model behind an interface of HTTP, with a page to paste a text."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from naturalness.cli.options import add_changed_assets, positive
from naturalness.serve.limits import Limits
from naturalness.web.running import LOOPBACK, Endpoint, check_installed, is_local, listen, names_of, run
from naturalness.web.tokens import VARIABLE, Access, make_token, read_token

PORT = 8000
USUAL = Limits()


def add_command(commands: Any) -> None:
    """Describe the command to the parser."""
    parser = commands.add_parser(
        "serve",
        help="answer programs and a page in the browser",
        description="Answer POST /score, /explain and /compare, GET /health and /openapi.json, and "
        "show a page to paste a text. Only this machine is listened to, unless --host says "
        f"otherwise; then a token is asked for: that of --token-file or of {VARIABLE}, or a new "
        "one, which is printed. Ctrl-C or SIGTERM end the server, with exit code 0. Needs the "
        "extra web.",
    )
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", default="default", help="folder of a model, default or fast (default)"
    )
    add_changed_assets(parser.add_argument)
    add = parser.add_argument
    add(
        "--host",
        default=LOOPBACK,
        metavar="NAME",
        help=f"address or name to listen at ({LOOPBACK}); 0.0.0.0 for all networks",
    )
    add("--port", type=int, metavar="N", help=f"port to listen at ({PORT}, or a free one where that is taken)")
    add("--token-file", metavar="FILE", help="a file that you alone can read, with the token that is asked for")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name by which the server is asked for, such as that of a proxy; can be repeated",
    )
    add("--browser", action="store_true", help="open the page in the browser")
    add(
        "--max-texts",
        type=positive,
        default=USUAL.texts,
        metavar="N",
        help=f"texts in a request for scores or a comparison ({USUAL.texts})",
    )
    add(
        "--max-characters",
        type=positive,
        default=USUAL.characters,
        metavar="N",
        help=f"characters of a text that is scored ({USUAL.characters})",
    )
    add(
        "--queue",
        type=positive,
        default=USUAL.waiting,
        metavar="N",
        help=f"texts that may wait for the model ({USUAL.waiting})",
    )
    add(
        "--seconds",
        type=positive,
        default=int(USUAL.seconds),
        metavar="N",
        help=f"in which a request is answered ({USUAL.seconds:.0f})",
    )
    parser.set_defaults(run=serve)


def serve(args: argparse.Namespace) -> int:
    """Serve until told to stop."""
    check_installed("naturalness serve")
    token, is_new = _token(args)
    endpoint = listen(args.host, args.port, usual=PORT)
    with endpoint.socket:
        return _serve(args, endpoint, Access(token), is_new=is_new)


def _serve(args: argparse.Namespace, endpoint: Endpoint, access: Access, *, is_new: bool) -> int:
    from naturalness.serve.app import make_app
    from naturalness.serve.service import Service
    from naturalness.serve.worker import Judge
    from naturalness.web.security import Guard

    limits = Limits(
        texts=args.max_texts, characters=args.max_characters, waiting=args.queue, seconds=float(args.seconds)
    )
    judge = Judge(args.model, changed_assets=args.changed_assets)
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
            "what is sent is not encrypted; put a proxy with TLS before the server where the network is not yours\n"
        )

    def announcement(address: str) -> str:
        how = " (with your token)" if access.token and not is_new else ""
        return f"model {judge.name!r} is at {address}{how}; Ctrl-C ends the server"

    return run(guard, endpoint, announce=announcement, access=access, show_token=is_new, browser=args.browser)


def _token(args: argparse.Namespace) -> tuple[str, bool]:
    """The token that is asked for, and whether it was made here."""
    token = read_token(args.token_file)
    if token or is_local(args.host):
        return token, False
    return make_token(), True
