"""Pages allow one script by its hash, and have legible colours."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from naturalness.pages.templating import read_script, render


def test_the_script_is_allowed_by_its_hash() -> None:
    """The policy has the hash of the script, which loads nothing."""
    script, allowed = read_script()
    digest = hashlib.sha256(script.encode()).digest()
    assert allowed == "sha256-" + base64.b64encode(digest).decode()
    assert "</script" not in script
    assert not re.search(r"https?:|fetch|localStorage|innerHTML|eval", script)


def colours(scheme: str) -> dict[str, str]:
    """Return the colours of a scheme by name; the dark scheme replaces some colours of the light one."""
    style = render("style.css.j2")
    light, dark = (
        re.search(rf"{start}.*?:root \{{(.*?)\}}", style, re.DOTALL) for start in ("^", "prefers-color-scheme: dark")
    )
    assert light is not None
    assert dark is not None
    rules = light[1] + (dark[1] if scheme == "dark" else "")
    return dict(re.findall(r"--(\w+): (#\w+)", rules))


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0..1, as defined by WCAG 2.2."""
    digits = colour.removeprefix("#")
    pairs = [d * 2 for d in digits] if len(digits) == 3 else re.findall("..", digits)
    parts = [int(pair, 16) / 255 for pair in pairs]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground", "least"),
    [
        ("ink", "page", 7),
        ("ink", "panel", 7),
        ("soft", "page", 4.5),
        ("soft", "panel", 4.5),
        ("blue", "page", 4.5),
        ("warm", "page", 4.5),
        ("grey", "page", 3),
        ("s2", "page", 3),
    ],
)
def test_contrast(scheme: str, text: str, ground: str, least: float) -> None:
    """Contrasts meet WCAG 2.2: 7 for running text, 4.5 for other text, and 3 for lines and dots."""
    palette = colours(scheme)
    dark, light = sorted((luminance(palette[text]), luminance(palette[ground])))
    assert (light + 0.05) / (dark + 0.05) >= least
