"""The pictures of a share, and the hashes that a page with a picture needs in its policy.

Several steps are one animated SVG, for READMEs and other places that show images: the steps'
pictures are stacked, and a style sheet shows one after another. There is no script, because a page
that shows the file as an image would not run it. With reduced motion, or without animation support,
the last step is shown.
"""

import base64
import hashlib
import re
from collections.abc import Sequence
from itertools import groupby

from backend.drawing.figures import Figures
from backend.frames.packing import unpacked
from backend.http.errors import LimitError
from backend.limit_table import ANIMATED_PICTURES
from backend.shares import transcript
from backend.shares.share import Share, Shown
from sim_engine.documents.runs import StoredFrame, read_frame

_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


async def picture_of(
    figures: Figures, shown: Shown, theme: str, lang: str, *, is_card: bool = False
) -> str:
    """The picture of what a link shows, as SVG; with `is_card`, in the size of a link card. Raises
    UnavailableError if it cannot be drawn.

    The latest pictures are kept, because what a share shows never changes.
    """
    frame = shown.frame["frame"]
    key = (shown.share.row.sid, frame, theme, lang, shown.is_message, is_card)
    drawn = figures.recent.get(key)
    if drawn is None:
        scene = await figures.compute(shown.scene)
        options = {**_options(shown, lang), "theme": theme, "card": is_card}
        if scene.previous is not None:
            options["previous"] = scene.previous
        drawn = await figures.draw(scene.frame, options)
        figures.recent.keep(key, drawn)
    return drawn


def _options(shown: Shown, lang: str) -> dict[str, object]:
    share, place = shown.share, shown.place
    options: dict[str, object] = {
        "lang": lang,
        "title": transcript.in_language(share.row.title, lang),
        "description": transcript.told(shown, lang),
        "kafka": share.row.kafka,
        # The picture shows the number of the step, because frames are numbered across branches.
        "stepsOf": {str(entry["frame"]): entry["step"] for entry in share.entries},
        "steps": place.steps,
        "order": {
            name: partition.replicas
            for name, partition in read_frame(share.frame_at(0)).state.partitions.items()
        },
    }
    if place.messages > 1:
        options |= {"message": place.message, "messages": place.messages}
    return options


def style_sources(picture: str) -> str:
    """The hashes of the picture's style sheets, as in a content security policy."""
    return " ".join(hash_source(style) for style in _STYLE.findall(picture))


def hash_source(element: str) -> str:
    """The content of a style or script element as a source in a content security policy."""
    found = base64.b64encode(hashlib.sha256(element.encode()).digest()).decode()
    return f"'sha256-{found}'"


_SHOWN_S = 2.6
_OUTER = re.compile(r"^<svg\b[^>]*>|</svg>\s*$")
_SIZE = re.compile(r'\bwidth="([\d.]+)"\s+height="([\d.]+)"')
_NAMES = re.compile(r"<(title|desc)\b[^>]*>(.*?)</\1>", re.DOTALL)


def moments(share: Share, asked: Sequence[StoredFrame]) -> list[StoredFrame]:
    """The frames to draw: the last of each step, or every message if all belong to one step.

    Raises LimitError if they are too many for an animation.
    """
    last = [list(made)[-1] for _, made in groupby(asked, key=lambda frame: frame["step"])]
    shown = {frame["frame"] for frame in (last if len(last) > 1 else asked)}
    if len(shown) > ANIMATED_PICTURES.number:
        raise LimitError(ANIMATED_PICTURES, where="/range")
    return [frame for frame in unpacked(share.entries) if frame["frame"] in shown]


async def animated(
    figures: Figures, share: Share, frames: Sequence[StoredFrame], theme: str, lang: str
) -> str:
    """The pictures of the frames as one SVG document that shows them one after another."""
    drawn = [await picture_of(figures, Shown(share, frame), theme, lang) for frame in frames]
    sizes = [_SIZE.search(picture) for picture in drawn]
    width = max(float(size[1]) for size in sizes if size is not None)
    height = max(float(size[2]) for size in sizes if size is not None)
    style = _STYLE.search(drawn[-1])
    names = dict(_NAMES.findall(drawn[-1]))
    layers = [
        f'<g class="hw-moment" style="animation-delay:{(number - len(drawn)) * _SHOWN_S:g}s">'
        f"{_NAMES.sub('', _STYLE.sub('', _OUTER.sub('', picture)))}</g>"
        for number, picture in enumerate(drawn)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">'
        f"<title>{names.get('title', '')}</title><desc>{names.get('desc', '')}</desc>"
        f"<style>{style[1] if style is not None else ''}{_sheet(len(drawn))}</style>"
        f'<rect class="hw-paper" width="{width:g}" height="{height:g}" rx="12"/>{"".join(layers)}'
        "</svg>"
    )


def _sheet(count: int) -> str:
    shown = 100 / count
    return (
        f"@keyframes hw-turn{{0%{{visibility:visible}}{shown:.4g}%{{visibility:hidden}}"
        "100%{visibility:hidden}}"
        ".hw-moment{visibility:hidden;"
        f"animation:hw-turn {count * _SHOWN_S:g}s step-end infinite}}"
        ".hw-moment:last-child{visibility:visible}.hw-moment>.hw-paper{display:none}"
        "@media (prefers-reduced-motion:reduce){.hw-moment{animation:none}}"
    )
