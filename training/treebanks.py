"""Read CoNLL-U treebanks: sentences as words, spacing and annotation, grouped by paragraph."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Sentence:
    """One annotated sentence; all lists have one entry per syntactic word."""

    words: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    lemmas: list[str] = field(default_factory=list)
    upos: list[str] = field(default_factory=list)
    xpos: list[str] = field(default_factory=list)
    feats: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    """0-based index of the head; the root points at itself."""
    deps: list[str] = field(default_factory=list)
    document: str = ""
    starts_paragraph: bool = False

    def text(self) -> str:
        """The sentence as it was written, without a space at its end."""
        return "".join(w + " " * s for w, s in zip(self.words, self.spaces, strict=True)).rstrip()


def split_surface(surface: str, forms: list[str]) -> list[str]:
    """Divide the surface of a contraction (``don't``) among its syntactic words.

    Where the forms do not spell the surface, the last word takes what remains; a word for which
    no letter is left gets an empty string and is dropped by the caller.
    """
    if "".join(forms) == surface:
        return forms
    parts, rest = [], surface
    for form in forms[:-1]:
        cut = min(len(form), max(len(rest) - 1, 0))
        parts.append(rest[:cut])
        rest = rest[cut:]
    return [*parts, rest]


def read_conllu(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, gzipped or plain; empty nodes are left out."""
    opener = gzip.open if path.suffix == ".gz" else open
    document, paragraph, sentence = "", False, Sentence()
    pending: list[str] = []  # surfaces of the words of the contraction being read
    contraction_spaces: list[bool] = []
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = [*(line.rstrip("\n") for line in lines), ""]
    index = 0
    while index < len(rows):
        line = rows[index]
        index += 1
        if line.startswith("# newdoc id"):
            document, paragraph = line.split("=", 1)[1].strip(), True
        elif line.startswith("# newpar"):
            paragraph = True
        elif not line:
            if sentence.words:
                sentence.document, sentence.starts_paragraph = document, paragraph
                paragraph = False
                yield sentence
            sentence = Sentence()
        elif not line.startswith("#"):
            columns = line.split("\t")
            if "." in columns[0]:
                continue
            spaced = "SpaceAfter=No" not in columns[9]
            if "-" in columns[0]:
                first, last = map(int, columns[0].split("-"))
                forms = []
                look = index
                while len(forms) < last - first + 1:
                    following = rows[look].split("\t")
                    look += 1
                    if following[0].isdigit():
                        forms.append(following[1])
                pending = split_surface(columns[1], forms)
                contraction_spaces = [False] * (len(forms) - 1) + [spaced]
                continue
            word = pending.pop(0) if pending else columns[1]
            sentence.words.append(word)
            sentence.spaces.append(contraction_spaces.pop(0) if contraction_spaces else spaced)
            sentence.lemmas.append(columns[2])
            sentence.upos.append(columns[3])
            sentence.xpos.append(columns[4])
            sentence.feats.append("" if columns[5] == "_" else columns[5])
            head = int(columns[6])
            sentence.heads.append(head - 1 if head else int(columns[0]) - 1)
            sentence.deps.append("ROOT" if head == 0 else columns[7])


def free_documents(table: Path) -> set[str]:
    """Names of the GUM documents whose source licence has no non-commercial term."""
    with table.open(encoding="utf-8", newline="") as file:
        return {row["doc"] for row in csv.DictReader(file, delimiter="\t") if row["nc"] == "no"}


def load_split(folder: Path, split: str, *, free_only: bool) -> dict[str, list[Sentence]]:
    """The EWT and GUM sentences of a split (``train``, ``dev``, ``test``), by treebank."""
    ewt = list(read_conllu(folder / f"en_ewt-ud-{split}.conllu.gz"))
    gum = list(read_conllu(folder / f"en_gum-ud-{split}.conllu.gz"))
    if free_only:
        free = free_documents(folder / "gum-docs.tsv")
        gum = [sentence for sentence in gum if sentence.document in free]
    return {"ewt": ewt, "gum": gum}


def paragraphs(sentences: list[Sentence]) -> list[list[Sentence]]:
    """Group consecutive sentences as the paragraphs of their documents."""
    groups: list[list[Sentence]] = []
    for sentence in sentences:
        if sentence.starts_paragraph or not groups:
            groups.append([])
        groups[-1].append(sentence)
    return groups
