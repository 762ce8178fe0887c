"""A share's picture, and what a page that carries it must allow."""

import base64
import hashlib
import re

from backend.drawing.figures import Figures
from backend.frames.packing import StoredFrame
from backend.shares import transcript
from backend.shares.shown import Share
from backend.shares.viewing import place_in_story

_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


async def picture_of(
    figures: Figures,
    share: Share,
    frame: StoredFrame,
    theme: str,
    lang: str,
    *,
    is_card: bool = False,
) -> str:
    """An SVG document; with `is_card`, in the size of a link's card. Raises UnavailableError where
    it cannot be drawn."""
    place = place_in_story(share, frame)
    options = {
        "theme": theme,
        "lang": lang,
        "title": transcript.in_language(share.title, lang),
        "description": transcript.headline(frame, lang),
        "kafka": share.kafka,
        # People are shown steps: frames of the branch are numbered as they were made.
        "stepsOf": {str(shown["frame"]): shown["step"] for shown in share.entries},
        "steps": place.steps,
        "card": is_card,
    }
    if place.messages > 1:
        options |= {"message": place.message, "messages": place.messages}
    return await figures.draw(frame, options)


def style_sources(picture: str) -> str:
    """The picture's style sheets by their hashes, as a content policy names them."""
    return " ".join(_hash_source(style) for style in _STYLE.findall(picture))


def _hash_source(style: str) -> str:
    found = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"'sha256-{found}'"
