"""The card of an adapted model: its training texts, as counts and hashes, and how well it recognises them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TITLES: Mapping[str, str] = {"sound": "sound", "fit": "fit", "naturalness": "both: the score"}


def make_card(figures: Mapping[str, Any]) -> str:
    """Return the page, in Markdown."""
    against = figures["against"]
    rows = [f"| {title} | {figures['auc'][name]:.3f} |" for name, title in TITLES.items()]
    others = (
        [f"- to be told from: {against['texts']:,} other texts (fingerprint `{against['fingerprint']}`)"]
        if against
        else []
    )
    return "\n".join(
        [
            "# A model for texts of one kind",
            "",
            f"Adapted from model `{figures['origin']['name']}` without ratings. A score adds two axes: **sound**, the "
            "score of that model, and **fit**, how near a text is to what is usual in the kind.",
            "",
            "## Learned from",
            "",
            f"- {figures['texts']:,} different texts by people (fingerprint `{figures['fingerprint']}`); none of "
            "them is in the folder",
            f"- {figures['taught_tags']:,} of them taught a model of their parts of speech, {figures['measured']:,} "
            "others the norms",
            *others,
            "",
            "## How well it tells them from the same under one to three damages",
            "",
            "Area under the curve, 0.5 by chance, 1 at best, on the texts of the norms, each half judged by norms of "
            "the other:",
            "",
            "| axis | AUC |",
            "| --- | ---: |",
            *rows,
            "",
            "## Limits",
            "",
            "- A score of 0.5 means: as likely a text by people as a damaged one. It is no rating.",
            "- Whatever is rare in your texts counts against a text, also where it is good.",
            "- Ratings of your own make a better model: `naturalness train RATED --from THIS -o MODEL` starts from its "
            "soundness.",
            "",
        ]
    )
