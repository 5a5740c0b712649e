"""English inflection: the form of a lemma for a Penn tag, by spelling rules and tables of exceptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from naturalness.files.resources import locate

VOWELS = "aeiou"
BE = {"VBZ": "is", "VBP": "are", "VBD": "was", "VBN": "been", "VBG": "being", "VB": "be"}
# Verbs of two syllables and more double their last consonant only when it is stressed.
STRESSED = (
    "begin",
    "admit",
    "commit",
    "submit",
    "permit",
    "refer",
    "prefer",
    "occur",
    "control",
    "regret",
    "forget",
    "transfer",
    "equip",
    "compel",
    "expel",
    "rebel",
    "incur",
    "defer",
    "infer",
    "confer",
    "patrol",
    "upset",
    "omit",
    "transmit",
    "propel",
)

INVARIANT = frozenset(
    {
        "series",
        "species",
        "aircraft",
        "deer",
        "fish",
        "sheep",
        "offspring",
        "means",
        "people",
        "headquarters",
        "police",
        "spacecraft",
        "crossroads",
    }
)
PLURALS = {
    "potato": "potatoes",
    "tomato": "tomatoes",
    "hero": "heroes",
    "echo": "echoes",
    "leaf": "leaves",
    "veto": "vetoes",
    "half": "halves",
    "shelf": "shelves",
    "wolf": "wolves",
    "knife": "knives",
    "life": "lives",
    "wife": "wives",
    "thief": "thieves",
    "self": "selves",
    "loaf": "loaves",
    "calf": "calves",
    "goose": "geese",
    "tooth": "teeth",
    "foot": "feet",
    "mouse": "mice",
    "ox": "oxen",
    "person": "people",
    "phenomenon": "phenomena",
}

# Base, past, participle where it is not the past. Only forms that no other word has: "saw", "rose", "ground" are below.
_DISTINCT = """
become became become| begin began begun| blow blew blown| choose chose chosen| come came come|
do did done| draw drew drawn| drink drank drunk| drive drove driven| eat ate eaten|
fly flew flown| forget forgot forgotten| forgive forgave forgiven| freeze froze frozen|
give gave given| go went gone| grow grew grown| know knew known| mistake mistook mistaken|
overcome overcame overcome| ride rode ridden| ring rang rung| run ran run| shake shook shaken|
sing sang sung| sink sank sunk| speak spoke spoken| steal stole stolen| swear swore sworn|
swim swam swum| take took taken| tear tore torn| throw threw thrown|
undergo underwent undergone| undertake undertook undertaken| wake woke woken| wear wore worn|
withdraw withdrew withdrawn| write wrote written| rewrite rewrote rewritten| arise arose arisen|
bring brought| build built| buy bought| catch caught| creep crept| deal dealt| dig dug|
feed fed| feel felt| fight fought| find found| flee fled| get got| have had| hear heard|
hold held| keep kept| lead led| lend lent| lose lost| make made| mean meant| meet met|
misunderstand misunderstood| pay paid| say said| seek sought| sell sold| send sent| sleep slept|
spend spent| stand stood| sweep swept| swing swung| teach taught| tell told| think thought|
understand understood| weep wept| win won
"""
_AMBIGUOUS = """
bear bore borne| beat beat beaten| bend bent| bet bet| bind bound| bite bit bitten| bleed bled| breed bred| burst
burst| cast cast| cling clung| cost cost| fall fell fallen| foresee foresaw foreseen| forbid forbade forbidden| grind
ground| hide hid hidden| kneel knelt| lay laid| leap leapt| lie lay lain| light lit| oversee oversaw overseen| quit
quit| rid rid| rise rose risen| shed shed| shine shone| shoot shot| shrink shrank shrunk| shut shut| slide slid| spin
spun| spit spat| spring sprang sprung| stick stuck| sting stung| strike struck| string strung| strive strove striven|
swell swelled swollen| thrust thrust| uphold upheld| upset upset| wind wound| withhold withheld| withstand withstood|
see saw seen| break broke broken| show showed shown
"""


def _verbs(table: str) -> dict[str, tuple[str, str]]:
    rows = [row.split() for row in table.split("|")]
    return {row[0]: (row[1], row[-1]) for row in rows}


DISTINCT_VERBS = _verbs(_DISTINCT)
"""Past and participle of irregular verbs whose forms are not forms of other words."""
IRREGULAR_VERBS = DISTINCT_VERBS | _verbs(_AMBIGUOUS)
"""Past and participle of all irregular verbs, those with ambiguous forms included."""


@lru_cache(maxsize=1)
def load_forms() -> Mapping[str, Mapping[str, str]]:
    """Return irregular forms by tag and lemma."""
    table: Mapping[str, Mapping[str, str]] = json.loads(locate("forms").read_text(encoding="utf-8"))
    return table


def inflect(lemma: str, tag: str) -> str:
    """Return the form of a lemma, in lower case: ``inflect("go", "VBD")`` is ``went``."""
    lemma = lemma.lower()
    if lemma == "be" and tag in BE:
        return BE[tag]
    return load_forms().get(tag, {}).get(lemma) or inflect_regular(lemma, tag)


def inflect_regular(lemma: str, tag: str) -> str:
    """Return the form by the spelling rules."""
    match tag:
        case "NNS":
            return lemma if lemma in INVARIANT else PLURALS.get(lemma) or _with_s(lemma)
        case "VBZ":
            return _with_s(lemma)
        case "VBD" | "VBN":
            return _with_vowel(lemma, "ed")
        case "VBG":
            stem = lemma[:-2] + "y" if lemma.endswith("ie") else lemma
            return stem + "ing" if stem.endswith(("ee", "oe", "ye")) else _with_vowel(stem, "ing")
        case "JJR" | "RBR":
            return _with_vowel(lemma, "er")
        case "JJS" | "RBS":
            return _with_vowel(lemma, "est")
        case _:
            return lemma


def _with_s(lemma: str) -> str:
    if lemma.endswith(("s", "x", "z", "ch", "sh")):
        return lemma + "es"
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma[:-1] + "ies"
    return lemma + "s"


def _with_vowel(lemma: str, ending: str) -> str:
    if lemma.endswith("e"):
        return lemma[:-1] + ending
    if lemma.endswith("y") and lemma[-2:-1] not in VOWELS:
        return lemma + ending if ending == "ing" else lemma[:-1] + "i" + ending
    if lemma.endswith("ic") and not ending.endswith("st") and ending != "er":
        return lemma + "k" + ending
    if _doubles(lemma):
        return lemma + lemma[-1] + ending
    return lemma + ending


def _doubles(lemma: str) -> bool:
    """Return whether the last consonant doubles, as in stop, plan, begin; not in visit, play, look."""
    if len(lemma) < 3 or lemma[-1] in VOWELS + "wxyh":
        return False
    if lemma[-2] not in VOWELS or (lemma[-3] in VOWELS and lemma[-3:-1] != "ui"):
        return False
    vowel_groups = sum(c in VOWELS and (i == 0 or lemma[i - 1] not in VOWELS) for i, c in enumerate(lemma))
    return vowel_groups == 1 or lemma.endswith(STRESSED)
