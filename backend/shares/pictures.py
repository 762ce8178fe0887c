"""A share's picture, and the hashes that a page with the picture needs in its policy."""

import base64
import hashlib
import re

from backend.drawing.figures import Figures
from backend.shares import transcript
from backend.shares.linked_frame import place_in_story, scene_of
from backend.shares.share import Share
from sim_engine import StoredFrame, read_frame

_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


async def picture_of(
    figures: Figures,
    share: Share,
    frame: StoredFrame,
    theme: str,
    lang: str,
    *,
    is_message: bool = False,
    is_card: bool = False,
) -> str:
    """The picture of a frame as SVG; without `is_message`, of the whole step that it ends; with
    `is_card`, in the size of a link card. Raises UnavailableError if it cannot be drawn.

    The latest pictures are kept, because what a share shows never changes.
    """
    key = (share.sid, frame["frame"], theme, lang, is_message, is_card)
    drawn = figures.recent.get(key)
    if drawn is None:
        drawn = await _draw(
            figures, share, frame, theme, lang, is_message=is_message, is_card=is_card
        )
        figures.recent.keep(key, drawn)
    return drawn


async def _draw(
    figures: Figures,
    share: Share,
    frame: StoredFrame,
    theme: str,
    lang: str,
    *,
    is_message: bool,
    is_card: bool,
) -> str:
    scene = await figures.compute(scene_of, share, frame, is_message=is_message)
    place = place_in_story(share, frame, is_message=is_message)
    options = {
        "theme": theme,
        "lang": lang,
        "title": transcript.in_language(share.title, lang),
        "description": transcript.told(share, frame, lang, is_message=is_message),
        "kafka": share.kafka,
        # The picture shows the number of the step, because frames are numbered across branches.
        "stepsOf": {str(shown["frame"]): shown["step"] for shown in share.entries},
        "steps": place.steps,
        "order": {
            name: partition.replicas
            for name, partition in read_frame(share.frame_at(0)).state.partitions.items()
        },
        "card": is_card,
    }
    if scene.previous is not None:
        options["previous"] = scene.previous
    if place.messages > 1:
        options |= {"message": place.message, "messages": place.messages}
    return await figures.draw(scene.frame, options)


def style_sources(picture: str) -> str:
    """The hashes of the picture's style sheets, as in a content security policy."""
    return " ".join(_hash_source(style) for style in _STYLE.findall(picture))


def _hash_source(style: str) -> str:
    found = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"'sha256-{found}'"
