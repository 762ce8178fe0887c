"""The contrast of the words in the diagram of messages over time, in both themes."""

from collections.abc import Callable
from typing import Literal

from playwright.sync_api import Page

from tests.browser.run_page import LESSON

CONTRASTS = """() => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    // The colour of one over the other, as light of 0 to 1.
    const light = (below, above, opacity) => {
        context.globalAlpha = 1;
        context.fillStyle = below;
        context.fillRect(0, 0, 1, 1);
        context.globalAlpha = opacity;
        context.fillStyle = above;
        context.fillRect(0, 0, 1, 1);
        const parts = [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
            const value = part / 255;
            return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    };
    return [...document.querySelectorAll(".item.ahead text")].map((text) => {
        // Each has an outline in the colour of its background.
        const { fill, fillOpacity, stroke } = getComputedStyle(text);
        const [a, b] = [light(stroke, fill, Number(fillOpacity)), light(stroke, stroke, 1)];
        return [text.textContent, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
}"""


def test_words_after_the_playhead_have_enough_contrast(open_page: Callable[..., Page]) -> None:
    page = open_page(f"{LESSON}?lang=en")
    page.locator(".item.ahead text").first.wait_for()
    schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    inks = set()
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        inks.add(page.evaluate("getComputedStyle(document.body).color"))

        contrasts: list[tuple[str, float]] = page.evaluate(CONTRASTS)

        assert contrasts != []
        assert [(words, contrast) for words, contrast in contrasts if contrast < 4.5] == []
    assert len(inks) == len(schemes)
