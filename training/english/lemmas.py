"""Tables for spaCy's rule lemmatiser, and irregular forms for the damage generator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from spacy.lookups import Lookups

from naturalness.english.inflection import inflect_regular
from training.english.student import QUOTES
from training.tables import read_table
from training.treebanks import Sentence

# Of several results that are known words the last rule's is taken; of none, the first's.
RULES: dict[str, list[list[str]]] = read_table(__file__, "words.toml")["lemma_rules"]
PARADIGM = {"noun": ("NNS",), "verb": ("VBZ", "VBD", "VBG"), "adj": ("JJR", "JJS")}


def lemma_tables(sentences: Iterable[Sentence], known: Mapping[str, int]) -> Lookups:
    """Return rules, exceptions and index, from the treebanks and the word list."""
    seen: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    index: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for word, pos, lemma in zip(sentence.words, sentence.upos, sentence.lemmas, strict=True):
            form = word.translate(QUOTES)
            seen[pos.lower(), form.lower()][lemma] += 1
            if pos.lower() in RULES:
                index[pos.lower()].add(lemma.lower())
    for pos, tags in PARADIGM.items():
        index[pos] |= {word for word in known if _has_paradigm(word, tags, known)}
    exceptions: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for (pos, form), lemmas in sorted(seen.items()):
        lemma, n = lemmas.most_common(1)[0]
        # Names are left as they are written, unless they are plurals seen more than once.
        if pos != "propn" or (n > 1 and lemma.lower() != form):
            exceptions[pos][form] = [lemma]
    lookups = Lookups()
    lookups.add_table("lemma_rules", RULES)
    lookups.add_table("lemma_exc", dict(exceptions))
    lookups.add_table("lemma_index", {pos: sorted(words) for pos, words in sorted(index.items())})
    return lookups


def _has_paradigm(word: str, tags: Sequence[str], known: Mapping[str, int]) -> bool:
    """Return whether all regular forms of a word are known: *change* is a verb, *chang* is not."""
    counts = [known.get(inflect_regular(word, tag), 0) for tag in tags]
    return len(word) > 2 and min(counts) > 5 and known[word] * 50 > max(counts)


def irregular_forms(sentences: Sequence[Sentence]) -> dict[str, dict[str, str]]:
    """Return irregular forms: tag, lemma, most frequent form."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    tags = {"VBZ", "VBP", "VBD", "VBN", "VBG", "NNS", "JJR", "JJS"}
    for sentence in sentences:
        for word, tag, lemma in zip(sentence.words, sentence.xpos, sentence.lemmas, strict=True):
            if tag in tags and word.isalpha() and lemma.isalpha() and len(lemma) > 1:
                counts[tag, lemma.lower()][word.lower()] += 1
    table: dict[str, dict[str, str]] = {tag: {} for tag in sorted(tags)}
    for (tag, lemma), forms in sorted(counts.items()):
        form, n = forms.most_common(1)[0]
        if form != inflect_regular(lemma, tag) and n > 1:
            table[tag][lemma] = form
    return table
