"""Docs made by hand, so that no value depends on a trained parser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spacy.tokens import Doc
from spacy.vocab import Vocab

Build = Callable[[str], Doc]


def build_doc(vocab: Vocab, table: str) -> Doc:
    """Build a Doc from lines ``text lemma POS TAG head relation``; no space follows ``text_``.

    Heads are line numbers from 0; an empty line starts a new sentence.
    """
    rows: list[list[str]] = []
    starts: list[bool] = []
    fresh = True
    for line in table.strip().split("\n"):
        if line.strip():
            rows.append(line.split())
            starts.append(fresh)
        fresh = not line.strip()
    columns: dict[str, Any] = {
        "words": [r[0].rstrip("_") for r in rows],
        "spaces": [not r[0].endswith("_") for r in rows],
        "lemmas": [r[1] for r in rows],
        "pos": [r[2] for r in rows],
        "tags": [r[3] for r in rows],
        "heads": [int(r[4]) for r in rows],
        "deps": ["ROOT" if int(r[4]) == i else r[5] for i, r in enumerate(rows)],
        "sent_starts": starts,
    }
    columns["spaces"][-1] = False
    return Doc(vocab, **columns)


DOCUMENTS = {
    "dog": """
        The    the  DET   DT  2 det
        old    old  ADJ   JJ  2 amod
        dog    dog  NOUN  NN  5 nsubj
        that   that PRON  WDT 4 nsubj
        barked bark VERB  VBD 2 acl:relcl
        saw    see  VERB  VBD 5 root
        the    the  DET   DT  7 det
        cats_  cat  NOUN  NNS 5 obj
        .      .    PUNCT .   5 punct
    """,
    "dogs": """
        Big    big   ADJ   JJ   1 amod
        dogs   dog   NOUN  NNS  2 nsubj
        chase  chase VERB  VBP  2 root
        big    big   ADJ   JJ   4 amod
        dogs_  dog   NOUN  NNS  2 obj
        .      .     PUNCT .    2 punct

        It     it    PRON  PRP  7 nsubj
        rained rain  VERB  VBD  7 root
        and    and   CCONJ CC   13 cc
        2      2     NUM   CD   13 nsubj
        of     of    ADP   IN   12 case
        her    her   PRON  PRP$ 12 nmod:poss
        dogs   dog   NOUN  NNS  9 nmod
        slept  sleep VERB  VBD  7 conj
        in     in    ADP   IN   15 case
        mud_   mud   NOUN  NN   13 obl
        .      .     PUNCT .    7 punct
    """,
    "hearing": """
        A         a        DET  DT  1 det
        hearing   hearing  NOUN NN  3 nsubj:pass
        is        be       AUX  VBZ 3 aux:pass
        scheduled schedule VERB VBN 3 root
        on        on       ADP  IN  6 case
        the       the      DET  DT  6 det
        issue     issue    NOUN NN  1 nmod
        today     today    NOUN NN  3 obl
    """,
    "because": """
        She     she     PRON  PRP 1 nsubj
        said    say     VERB  VBD 1 root
        he      he      PRON  PRP 3 nsubj
        left    leave   VERB  VBD 1 ccomp
        because because SCONJ IN  6 mark
        it      it      PRON  PRP 6 nsubj
        rained  rain    VERB  VBD 3 advcl
    """,
    "stutter": """
        no no INTJ  UH  5 discourse
        no no INTJ  UH  5 discourse
        it it PRON  PRP 5 nsubj
        it it PRON  PRP 5 nsubj
        is be AUX   VBZ 5 cop
        no no INTJ  UH  5 root
        no no INTJ  UH  5 discourse
        it it PRON  PRP 5 nsubj
    """,
    "spelling": """
        The      the     DET   DT  1 det
        cat      cat     NOUN  NN  2 nsubj
        recieved receive VERB  VBD 2 root
        bananas_ banana  NOUN  NNS 2 obj
        .        .       PUNCT .   2 punct
    """,
    "nothing": """
        . . PUNCT . 0 root
    """,
}
TEXTS = {"careless": "i love it ,really !! DO  n't go", "quoted": "“Héllo,” she said.", "bare": "ok", "blank": "  "}
