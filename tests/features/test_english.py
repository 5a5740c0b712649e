"""English-only groups and foreign models are refused for other languages."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from naturalness.errors import ModelError, NaturalnessError
from naturalness.features import EVERY, check_requirements, resolve
from naturalness.features.requirements import knows_english_alone
from naturalness.models.language import training
from naturalness.models.language.spec import open_single
from naturalness.models.language.training import read_docs, sentences
from naturalness.text import parsing
from tests.support.documents import build_doc
from tests.support.language_models import train

FIT = ["surface", "typing", "lexical", "repetition", "pos", "dependency"]
SENTENCE = """
Le le DET DET 2 det
le le DET DET 2 det
chat chat NOUN NOUN 3 nsubj
dort dormir VERB VERB 3 root
"""


def test_groups_that_fit_every_language() -> None:
    """Counts, tags, arcs and a user's models fit; shipped models do not, even under a user's name."""
    assert [name for name, group in EVERY.items() if not knows_english_alone(group)] == FIT
    for name in ("embedding:shipped", "lm:words", "lm:tags:3"):
        assert knows_english_alone(resolve([name])[0]), name


def test_english_groups_are_refused_for_other_languages() -> None:
    """English groups are refused for French, but not for English or an unnamed language."""
    check_requirements(resolve(FIT), language="fr")
    check_requirements(resolve(["readability"]), language="en")
    check_requirements(resolve(["readability"]), language="")
    with pytest.raises(NaturalnessError, match=f"'fr', and the groups rules .*{','.join(FIT)}"):
        check_requirements(resolve(["surface", "rules"]), language="fr")


@pytest.mark.slow
def test_a_language_model_refuses_texts_of_another_language(tmp_path: Path) -> None:
    """A language model refuses texts that were tokenised as another language."""
    model = open_single(str(train(tmp_path / "own")))
    french = build_doc(spacy.blank("fr").vocab, SENTENCE)
    english = build_doc(spacy.blank("en").vocab, SENTENCE)
    assert model.language == "en"
    assert model.token_logprobs([english])
    with pytest.raises(ModelError, match="on text tokenised as 'en', but this text is tokenised as 'fr'"):
        model.token_logprobs([french])


def test_tags_can_come_from_a_pipeline_without_a_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags can come from the morphologizer, as in most of spaCy's pipelines."""

    @spacy.language.Language.component("parts_of_speech_for_a_test")
    def parts_of_speech(doc: Doc) -> Doc:
        for token in doc:
            token.tag_ = "NOUN"
        return doc

    nlp = spacy.blank("fr")
    nlp.add_pipe("parts_of_speech_for_a_test", name="morphologizer")
    for module in (training, parsing):
        monkeypatch.setattr(module, "load_pipeline", lambda spec: nlp)
    (doc,) = read_docs(["Le chat dort."], "tags", nlp="french")
    assert sentences(doc, "tags") == [["NOUN"] * 4]
