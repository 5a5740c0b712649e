"""A web server calls from many threads at once."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from naturalness.annotate.project import AlreadyAnswered, Answer, Project
from tests.annotate.project.conftest import InOrder, Make


def work(project: Project, rater: str, many: int) -> list[int]:
    """Ask and answer; the numbers of the questions."""
    done = []
    for _ in range(many):
        question = project.next_question(rater, InOrder(project, rater))
        if question is None:
            break
        project.answer(question, Answer(question.number % 6 + 1))
        done.append(question.number)
    return done


def test_raters_at_once(make: Make) -> None:
    """Every text goes to as many raters as were wanted, and every answer is there."""
    project = make([f"This is sentence number {n}." for n in range(40)], overlap=2)
    with ThreadPoolExecutor(6) as pool:
        names = [f"rater {n}" for n in range(6)]
        done = list(pool.map(lambda name: work(project, name, 100), names))
    found = project.ratings()
    assert sorted(r.question.number for r in found) == sorted(n for own in done for n in own)
    assert {rating.answer.value for rating in found} <= {1, 2, 3, 4, 5, 6}
    assert set(Counter(rating.question.texts for rating in found).values()) == {2}
    assert max(Counter((r.question.texts, r.question.rater) for r in found).values()) == 1


def test_two_windows_of_one_rater(make: Make) -> None:
    """They may get the same question; it is answered once, and none is left out."""
    project = make([f"This is sentence number {n}." for n in range(30)])

    def window(value: int) -> int:
        refused = 0
        while question := project.next_question("ann", InOrder(project, "ann")):
            try:
                project.answer(question, Answer(value))
            except AlreadyAnswered:
                refused += 1
        return refused

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(window, (1, 2, 3)))
    texts = [rating.question.texts[0] for rating in project.ratings()]
    assert sorted(texts) == list(range(30))


def test_one_answer_sent_many_times_at_once(make: Make) -> None:
    """Is one rating."""
    project = make()
    question = project.next_question("ann", InOrder(project, "ann"))
    assert question is not None
    with ThreadPoolExecutor(8) as pool:
        sent = list(pool.map(lambda _: project.answer(question, Answer(4)), range(40)))
    assert sent == [sent[0]] * 40
    assert project.ratings() == [sent[0]]


def test_reading_and_exporting_while_others_write(make: Make, tmp_path: Path) -> None:
    """Each reading sees one state of the file."""
    project = make([f"This is sentence number {n}." for n in range(60)], overlap=2)

    def look(number: int) -> None:
        ratings = project.ratings()
        assert project.progress().ratings >= len(ratings)
        project.agreement()
        project.disagreements()
        if ratings:
            project.export(str(tmp_path / f"{number}.jsonl"))

    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(work, project, name, 25) for name in ("ann", "bob")]
        looking = [pool.submit(look, number) for number in range(12)]
        for future in (*writing, *looking):
            future.result()
    assert project.progress().ratings == 50
