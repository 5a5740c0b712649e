"""Rebuild the shipped language models: `python -m training.language CORPORA --work DIR`.

Text is tokenised (10 minutes on two cores) and tagged (20 minutes) once and kept in the work
folder. It needs KenLM's `build_binary` on the PATH, to store probabilities in a byte; see
training/README.md.
"""

from __future__ import annotations

from training.arguments import command_parser
from training.language.corpora import tokens
from training.language.pieces import build_pieces
from training.language.tags import build_tags
from training.language.words import build_words


def main() -> None:
    """Run the command."""
    args = command_parser(__doc__, "corpora", work=True).parse_args()
    folder = tokens(args.corpora, args.work)
    build_words(folder, args.work)
    build_pieces(folder, args.work)
    build_tags(args.corpora, args.work)


if __name__ == "__main__":
    main()
