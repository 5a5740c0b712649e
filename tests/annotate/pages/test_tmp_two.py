from __future__ import annotations

import random

import pytest

from tests.annotate.pages.conftest import Rater, eventually
from tests.annotate.pages.test_lost_connection import WAYS, fail


@pytest.mark.parametrize("n", range(12))
def test_two(rate_here, n):
    rng = random.Random(n)
    ann = rate_here()

    def slow(page):
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": rng.choice([1, 8, 25])})

    slow(ann.page)
    fail(ann, "/api/*", WAYS["refused"][0], times=99)
    ann.page.keyboard.press("1")
    eventually(lambda: ann.is_told_of_it)
    two = Rater(ann.page.context.new_page(), ann.server, "Ann")
    slow(two.page)
    two.desk = ann.desk
    two.page.goto(f"{ann.server.base}/")
    two.wait_for_sentence()
    two.wait_until_free()
    assert ann.values == [0.0]
    two.press("u")
    ann.page.unroute_all()
    ann.wait_until_free()
    assert (two.text, ann.values) == (ann.text, [])
    two.press("3")
    eventually(lambda: ann.text == two.text)
    ann.press("2")
    assert ann.values == [2.0, 1.0]
