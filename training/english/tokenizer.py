"""The tokeniser of the shipped pipeline: spaCy's English rules, adapted to UD English."""

from __future__ import annotations

import re

from spacy.language import Language
from spacy.symbols import NORM, ORTH
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

from training.tables import read_table

TABLE = read_table(__file__, "words.toml")
NUMBERS = r"^(\d-)?\d{3}-\d{3}-\d{4}$|^\d{3}-\d{4}$"


def configure(nlp: Language) -> None:
    """Replace the tokeniser's rules; they are saved with the pipeline."""
    tokenizer = nlp.tokenizer
    dropped = {*TABLE["not_split"], *TABLE["not_kept"]}
    rules = {form: parts for form, parts in tokenizer.rules.items() if form not in dropped}
    rules |= {form: [{ORTH: form}] for form in TABLE["abbreviations"]}
    rules |= {
        form: [{ORTH: part, NORM: part.lower()} for part in parts] for form, parts in TABLE["split_words"].items()
    }
    tokenizer.rules = rules
    not_after = "".join(rf"(?<!\b{p})(?<!\b{p.capitalize()})" for p in TABLE["prefixes"])
    dash = next(i for i in nlp.Defaults.infixes if "——" in i)
    after, rest = dash.split("(?:-|", 1)
    infixes = [i for i in nlp.Defaults.infixes if i != dash]
    infixes += [
        f"{after}{not_after}(?:-|{rest}",
        r"(?<=[0-9])(?=[AaPp]\.?[Mm]\.?$)",
        r"(?<=[0-9])[–—-](?=[0-9])",
        r"(?<=[A-Za-z])[;\[](?=[A-Za-z])",
    ]
    tokenizer.infix_finditer = compile_infix_regex(infixes).finditer
    prefixes = [*TABLE["runs"], *nlp.Defaults.prefixes]
    tokenizer.prefix_search = compile_prefix_regex(prefixes).search
    suffixes = [*TABLE["runs"], *nlp.Defaults.suffixes]
    tokenizer.suffix_search = compile_suffix_regex(suffixes).search
    tokenizer.token_match = re.compile(NUMBERS).match
