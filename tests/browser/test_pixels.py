"""The PNG pictures of the built frontend: its fonts draw what our texts contain."""

import re
from pathlib import Path

import pytest
import resvg_py

from sim_engine import LANGUAGES

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
