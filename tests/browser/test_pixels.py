"""The fonts of the built pages and of the PNG pictures: they draw what our texts contain."""

import re
from pathlib import Path

import pytest
import resvg_py
from playwright.sync_api import Page

from sim_engine.languages import LANGUAGES

NOT_DRAWN = "\ue000"
"""A character that no font has: it is drawn as an empty box."""
KEYS = set("⌘⋯✕⇧")
"""Signs of keys and buttons, of which no picture speaks."""


@pytest.fixture(scope="session")
def fonts(repository: Path) -> list[str]:
    return [str(file) for file in sorted((repository / "frontend/dist-server/fonts").glob("*.ttf"))]


def pixels_of(text: str, fonts: list[str]) -> bytes:
    return resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        f'<text x="4" y="30" font-size="24" font-family="Inter">{text}</text></svg>',
        skip_system_fonts=True,
        font_files=fonts,
    )


def test_every_character_of_our_texts_has_a_shape(repository: Path, fonts: list[str]) -> None:
    folder = repository / "sim_engine/languages"
    said = "".join(
        re.sub("^#.*$", "", file.read_text(), flags=re.MULTILINE)
        for lang in LANGUAGES
        for file in folder.glob(f"{lang}/**/*.ftl")
    )
    signs = {sign for sign in said if ord(sign) > 127 and not "\u4e00" <= sign <= "\u9fff"} - KEYS
    box = pixels_of(NOT_DRAWN, fonts)

    # Characters that the font lacks would be boxes; a sample of Chinese represents the rest.
    assert {"。", "→", "≤"} <= signs
    assert sorted(s for s in {*signs, *"复制消息丢失纪元"} if pixels_of(s, fonts) == box) == []


VALUES = "x2/1 x3/1 2x3"
"""Inter's contextual alternates draw these as 2×3."""


@pytest.mark.parametrize("address", ["/new", "/docs/"])
def test_a_page_draws_an_x_in_a_value_as_an_x(address: str, page: Page) -> None:
    page.goto(address)
    plain, alternate, own = page.evaluate(
        """async (values) => {
            await document.fonts.load('14px "Inter Variable"', values);
            const widths = [];
            for (const style of ['"calt" 0', '"calt" 1', '']) {
                const text = document.createElement("span");
                document.body.append(text);
                text.textContent = values;
                text.style.fontFeatureSettings = style;
                widths.push(text.getBoundingClientRect().width);
                text.remove();
            }
            return widths;
        }""",
        VALUES,
    )

    assert plain != alternate  # the page has the font
    assert own == plain


def test_a_picture_draws_an_x_in_a_value_as_an_x(fonts: list[str]) -> None:
    assert pixels_of("2x3", fonts) != pixels_of("2×3", fonts)
