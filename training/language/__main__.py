"""Rebuild the shipped language models.

`python -m training.language CORPORA --work DIR [--only words|pieces|tags]
[--unpruned]`

Text is tokenised (10 minutes on two cores) and tagged (20 minutes) once and kept in the work
folder. It needs KenLM's `build_binary` on the PATH, to store probabilities in a byte; see
training/README.md.
"""

from __future__ import annotations

from training.arguments import command_parser
from training.language import pieces, tags, words
from training.language.corpora import tokens

MODELS = ("words", "pieces", "tags")


def main() -> None:
    """Command line."""
    parser = command_parser(__doc__, "corpora", work=True)
    parser.add_argument("--only", choices=MODELS, help="one model (all)")
    parser.add_argument("--unpruned", action="store_true", help="also leave the unpruned model of words in DIR")
    args = parser.parse_args()
    wanted = MODELS if args.only is None else (args.only,)
    if "words" in wanted:
        words.build(tokens(args.corpora, args.work), args.work, unpruned=args.unpruned)
    if "pieces" in wanted:
        pieces.build(tokens(args.corpora, args.work), args.work)
    if "tags" in wanted:
        tags.build(args.corpora, args.work)


if __name__ == "__main__":
    main()
