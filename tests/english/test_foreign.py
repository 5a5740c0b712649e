"""Detection of texts that are not English prose."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path

import pytest

from naturalness.english.foreign import ADDRESS, CODE, FREQUENT, NOT_ENGLISH, REPEATED, UNKNOWN_WORDS, doubt, is_foreign
from naturalness.judging.judgement import judge_docs
from naturalness.pipelines.scorer import load_model
from naturalness.text.parsing import parse
from tests.support.lines import rows

SENTENCES = Path(__file__).parents[1] / "assets" / "other_languages.tsv"
"""Language, tab, sentence: ten of each, short and plain."""
FRENCH = "La petite fille lit un livre."
ENGLISH = """\
No.
The cat sat on the mat.
Jill met Hans in Den Haag.
Simone de Beauvoir and Juan de la Cruz met Ludwig van Beethoven.
Rio de Janeiro, Los Angeles, San Juan del Sur, Las Vegas
i dont no wat u meen by dat
u no dat im not da one who did dem tings ya
he 's n't a man of la mancha , is he ?
They'd've said it's José's résumé, wouldn't they?
A naïve façade over a crème brûlée.
Me die? No war, no!
Add to cart
To be or not to be
As I was on my way, a man had a hat in his hand.
She wore a coat of arms, et cetera.
The vis viva of a body is what Leibniz called its force vive.
my son will come in the war or so he was told
Kowalski, Nowak, Wójcik, Kamiński
the the of of a a
Colorless green ideas sleep furiously.
He go store yesterday buy milk.
"""


def test_most_short_sentences_of_other_languages_are_found() -> None:
    """Nine in ten of all sentences, and most of each language, are foreign."""
    with SENTENCES.open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    every, hits = Counter(name for name, _ in rows), Counter[str]()
    for language, sentence in rows:
        assert is_foreign(sentence) == is_foreign(f" {sentence}\n")
        hits[language] += is_foreign(sentence)
    assert set(every) <= set(FREQUENT) and set(every.values()) == {10}
    assert hits.total() >= 0.9 * every.total()
    assert min(hits.values()) >= 7


@pytest.mark.parametrize("text", ENGLISH.splitlines())
def test_english_is_english(text: str) -> None:
    """English with names, foreign phrases, slips and contractions is not foreign."""
    assert not is_foreign(text)


FOREIGN = """\
Маленькая девочка читает книгу.
Το κορίτσι διαβάζει.
小女孩在看书。
الفتاة تقرأ كتابا
la petite fille dort
LA PETITE FILLE LIT UN LIVRE ET DORT.
"""
TOO_SHORT = """\
Она said hello to me there.
π
123 !?
π, ρ
𝐀 𝐛𝐢𝐠 𝐝𝐨𝐠
la petite
"""


@pytest.mark.parametrize("text", FOREIGN.splitlines())
def test_other_scripts_are_foreign(text: str) -> None:
    """Most letters belong to another script, or the words to another language, with or without capitals."""
    assert is_foreign(text)


@pytest.mark.parametrize("text", ["", *TOO_SHORT.splitlines()])
def test_short_texts_are_not_foreign(text: str) -> None:
    """A text of two words or letters is too short to be judged foreign."""
    assert not is_foreign(text)


SOUND = """\
Ok, thanks!
brrrr
strenght
Wqpfj Zxmvn
wqpfj cat
wqpfj7
pytest matplotlib
haha thx
No, no, no.
It was really, really, really good.
very very very good
Nguyen Thi Minh Khai
kowalski met nowak in krakow .
Ah dinnae ken whit ye 're oan aboot .
Bro, kal ka scene kya hai, are you coming or not?
omg im sooooo tired lmaooo
twas brillig , and the slithy toves did gyre
Take 400 mg b.i.d. and 100 mg q.d.
"""
MUSEUM = "The visitors left early because the museum closed. " * 3


@pytest.mark.parametrize("text", ["", MUSEUM, *SOUND.splitlines()])
def test_english_is_not_doubted(text: str) -> None:
    """Names, dialect, slang, code-mixing, tokenised text, short replies and emphasis are English."""
    assert doubt(text) == ""


DOUBTED = f"""
{FRENCH} | {NOT_ENGLISH}
Je ne sais pas encore | {NOT_ENGLISH}
我喜欢吃苹果。 | {NOT_ENGLISH}
def foo(x): return x + 1 | {CODE}
https://example.com/a?b=c | {ADDRESS}
nofile.pdf | {ADDRESS}
wqpfj zxmvn qwoeir | {UNKNOWN_WORDS}
wqpfj qwoeiu | {UNKNOWN_WORDS}
wqpfj. | {UNKNOWN_WORDS}
Wqpfj zxmvn qwoeir the. |
Mpango wetu unahitaji wafanyakazi wapya. | {UNKNOWN_WORDS}
{"b" * 4000} | {UNKNOWN_WORDS}
the the the | {REPEATED}
Dog dog dog dog. | {REPEATED}
{"b. " * 4000} | {REPEATED}
{"cat dog " * 2000} | {REPEATED}
{"She left at noon. " * 60} | {REPEATED}
"""


@pytest.mark.parametrize(("text", "expected"), rows(DOUBTED), ids=lambda cell: cell[:20])
def test_what_is_not_english_prose_is_doubted(text: str, expected: str) -> None:
    """Other languages, code, addresses, strings of letters and repeated words are doubted."""
    assert doubt(text) == expected


def test_what_is_not_english_prose_has_no_number() -> None:
    """A text that is not English prose has a reason instead of a score in any batch, register or explanation."""
    model = load_model("fast")
    texts = ["The little girl reads a book.", FRENCH, "x = foo(y)", "nofile.pdf", "the the the the", ""]
    reasons = ["", NOT_ENGLISH, CODE, ADDRESS, REPEATED, "empty text"]
    for scores in (model.score(texts), model.score(texts, register="learners")):
        assert [value == value for value in scores.naturalness] == [True] + [False] * 5
        assert scores.labels == ["natural"] + [None] * 5 and list(scores.reasons) == reasons
    assert math.isnan(model.score([FRENCH]).naturalness[0])
    long = " ".join(f"la fille numéro {i} dort dans la maison et" for i in range(400))
    assert model.score([long]).reasons == [NOT_ENGLISH]  # that the detector cannot read it does not matter
    (one,) = model.explain([FRENCH])
    assert math.isnan(one.naturalness) and one.reason == NOT_ENGLISH and not one.contributions


def test_doubted_texts_are_scored_on_request() -> None:
    """With `score_anyway`, a text that is not English prose has a score, a reason and the worst label."""
    model = load_model("fast", score_anyway=True)
    texts = ["wqpfj zxmvn qwoeir", "the the the the", "The little girl reads a book."]
    scores = model.score(texts)
    assert scores.reasons == [UNKNOWN_WORDS, REPEATED, ""]
    assert scores.naturalness[0] >= model.threshold > scores.naturalness[1]
    assert scores.labels == [None, "unnatural", "natural"]
    assert model.score(texts, register="learners").labels[:1] == [None]
    alone = model.score(texts[:1])
    assert alone.naturalness == scores.naturalness[0] and f"no label: {UNKNOWN_WORDS}" in repr(alone)
    (one,) = model.explain(texts[:1])
    assert (one.label, one.reason, one.unlike[0], one.verdict) == (None, UNKNOWN_WORDS, UNKNOWN_WORDS, "no label")
    assert not one.good and one.naturalness == scores.naturalness[0]


def test_composed_and_decomposed_accents() -> None:
    """Composed and decomposed accents are equivalent."""
    assert is_foreign("Kız kardes\u0327im ku\u0308c\u0327u\u0308k.")


@pytest.mark.slow
def test_other_pipelines_skip_the_test() -> None:
    """A pipeline of another language skips the test."""
    import spacy

    model = load_model("fast")
    assert judge_docs(model, parse([FRENCH])).scores.reasons == [NOT_ENGLISH]
    doc = spacy.blank("fr")(FRENCH)
    assert NOT_ENGLISH not in judge_docs(model, [doc]).scores.reasons[0]
