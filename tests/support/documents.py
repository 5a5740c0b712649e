"""The documents whose feature values were worked out by hand, in the notation of tests/conftest."""

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
