"""Code, addresses and file names."""

from __future__ import annotations

import time

import pytest

from naturalness.english.code import is_address, is_code

CODE = r"""
def foo(x): return x + 1
for name, value in table.items():
df.groupby("name").mean()
import numpy as np
from collections import Counter
total += price * 2
x = 5
print("Hello, world!")
SELECT * FROM users WHERE id = 3;
$ pip install polars
<div class="note">Hello</div>
{"name": "Ann", "age": 3}
body { color: red; }
\begin{equation}
for (int i = 0; i < n; i++) {
console.log("hello")
function add(a, b) { return a + b; }
#include <stdio.h>
public static void main(String[] args)
fn main() {
    return this.name === other.name;
"""
PROSE = """
Call foo(x) to get the sum.
Use `os.path.join(a, b)` to join two paths.
See https://example.com for details.
Set the --verbose option to see more output.
Open the file report.pdf in the folder.
The function returns {"a": 1} if the key is missing.
The value of x = 5 is used.
I'd like 2 tickets; thanks!
John (b. 1950); Mary (b. 1955);
Note: "this" is new.
Warning: 'foo' is deprecated.
if you want to go:
for example:
He said (and I agree): "No";
I <3 you :-)
We met in 2019 (p < 0.05, n = 12).
The word(s) that you chose are fine.
two women <unk> in the forest <unk> .
$ _num_ for _num_ adult and _num_ kids !
yes/no
Update the table from time to time.
Great deals on eBay, iTunes, and iPads.
Happiness = good friends + good food.
class action: thousands sue tobacco companies
private equity: firms buy more houses
public transport: cheaper tickets next year
no pain == no gain
AT&T; Verizon
M&Ms; yum
Dear {first_name}, welcome back
ha ha :))
import goods
continue reading;
he/she/they
and/or/not
10/12/2019
/s
~ok
end.now
Hello.
Hello.world
U.S.A.
"""
ADDRESSES = r"""
https://example.com/a?b=c
www.example.com
ann@example.com
(https://example.com), www.example.org
/usr/local/bin
~/notes.txt
./run docs/guide.md
site/index.html
C:\Users\ann
nofile.pdf
README.md
scores.parquet
"""


@pytest.mark.parametrize("text", CODE.strip().splitlines())
def test_code(text: str) -> None:
    """Programs, queries, commands, markup and data are code, on one line or several."""
    assert is_code(text) and not is_address(text)
    assert is_code(f"{text}\n\n{text}\nThis line is prose.")


@pytest.mark.parametrize("text", ["", " ", *PROSE.strip().splitlines()])
def test_prose(text: str) -> None:
    """Sentences that mention code, or contain signs or placeholders, are prose."""
    assert not is_code(text) and not is_address(text)
    assert not is_code(f"{text}\nThis line is prose.\nx = foo(y)")


@pytest.mark.parametrize("text", ADDRESSES.strip().splitlines())
def test_addresses(text: str) -> None:
    """Addresses, paths and names of files are recognised unless a word stands beside them."""
    assert is_address(text)
    assert not is_address(f"See {text}")


UNITS = [
    "a-a",
    "(",
    "if (((",
    "a = ",
    "a, ",
    "<a b=",
    "{a",
    "--a ",
    "a)",
    "a_",
    "aB",
    "aa'",
    "'aa",
    "/a",
    ".a",
    " ",
    ":",
]
FRAMES = ["{}", "if {} a b", "a:{}b!", "a {}= b.", "== aa{}1", "{}!", "/{} /", "except {}", "return {}"]


@pytest.mark.parametrize("unit", UNITS)
def test_long_texts_take_linear_time(unit: str) -> None:
    """The longest text that is scored takes a fraction of a second, for any repeated pattern between other signs."""
    start = time.perf_counter()
    for frame in FRAMES:
        text = frame.format((unit * 50_000)[:50_000])
        is_code(text)
        is_address(text)
    assert time.perf_counter() - start < 3
