"""Several moments of a run as one picture that plays: SVG for READMEs and other places that show
images, and GIF for places that do not show SVG.

The SVG document has the moments' pictures one above the other, and a style sheet shows one after
another. There is no script, because a page that shows the file as an image would not run it. With
reduced motion, or without animation support, the last one is shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from backend.drawing.figures import Figures
from backend.drawing.raster import Raster
from backend.frames.packing import unpacked
from backend.http.errors import LimitError
from backend.limit_table import ANIMATED_PICTURES
from backend.runs.pictures import picture_of
from backend.runs.run import Run, Shown
from sim_engine.documents.runs import StoredFrame

_SHOWN_S = 2.6
_LOOP_S = 6.0
_BEFORE_S = 1.2
_MESSAGE_S = 0.8
_MOST_MESSAGES = 3
_OUTER = re.compile(r"^<svg\b[^>]*>|</svg>\s*$")
_SIZE = re.compile(r'\bwidth="([\d.]+)"\s+height="([\d.]+)"')
_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_NAMES = re.compile(r"<(title|desc)\b[^>]*>(.*?)</\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Moment:
    """One picture of an animation, and how long it is shown."""

    shown: Shown
    seconds: float = _SHOWN_S


def moments(run: Run, asked: Sequence[StoredFrame]) -> list[Moment]:
    """The last frame of each step, or every message if all frames belong to one step.

    Raises LimitError if they are too many for an animation.
    """
    last = [list(made)[-1] for _, made in groupby(asked, key=lambda frame: frame["step"])]
    drawn = {frame["frame"] for frame in (last if len(last) > 1 else asked)}
    if len(drawn) > ANIMATED_PICTURES.number:
        raise LimitError(ANIMATED_PICTURES, where="/range")
    wholes = (frame for frame in unpacked(run.entries) if frame["frame"] in drawn)
    return [Moment(Shown(run, frame)) for frame in wholes]


def loop(shown: Shown) -> list[Moment]:
    """About six seconds that lead to a moment: the end of the step before, some messages of its own
    step, and the moment itself, which stays the longest. The start of a run leads to nothing, so it
    is followed by the first step.
    """
    run, number, step = shown.run, shown.frame["frame"], shown.frame["step"]
    entries = list(enumerate(run.entries))
    at = next(position for position, entry in entries if entry["frame"] == number)
    of_step = [position for position, entry in entries if entry["step"] == step]
    following = [position for position, entry in entries if entry["step"] == step + 1]
    if of_step[0] == 0 and following:
        return [
            Moment(shown, _LOOP_S / 2),
            Moment(Shown(run, run.frame_at(following[-1])), _LOOP_S / 2),
        ]
    told = [position for position in of_step if position < at and run.entries[position]["events"]]
    before = [Moment(Shown(run, run.frame_at(of_step[0] - 1)), _BEFORE_S)] if of_step[0] else []
    messages = [
        Moment(Shown(run, run.frame_at(position), is_message=True), _MESSAGE_S)
        for position in _spread(told, _MOST_MESSAGES)
    ]
    leading = [*before, *messages]
    return [*leading, Moment(shown, _LOOP_S - sum(moment.seconds for moment in leading))]


def _spread(positions: Sequence[int], most: int) -> list[int]:
    """At most so many of the positions, evenly spread over them, the first one included."""
    if len(positions) <= most:
        return list(positions)
    return [positions[place * len(positions) // most] for place in range(most)]


async def animated(figures: Figures, played: Sequence[Moment], theme: str, lang: str) -> str:
    """The moments as one SVG document that shows them one after another."""
    drawn = [await picture_of(figures, moment.shown, theme, lang) for moment in played]
    width, height = _size_of_all(drawn)
    style = _STYLE.search(drawn[-1])
    names = dict(_NAMES.findall(drawn[-1]))
    whole = sum(moment.seconds for moment in played)
    starts = accumulate((moment.seconds for moment in played), initial=0.0)
    layers = [
        f'<g class="hw-moment" style="animation-name:{_turn(moment.seconds)};'
        f'animation-delay:{start - whole:g}s">{_inside(picture)}</g>'
        for picture, moment, start in zip(drawn, played, starts, strict=False)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img">'
        f"<title>{names.get('title', '')}</title><desc>{names.get('desc', '')}</desc>"
        f"<style>{style[1] if style is not None else ''}{_sheet(played, whole)}</style>"
        f'<rect class="hw-paper" width="{width:g}" height="{height:g}" rx="12"/>{"".join(layers)}'
        "</svg>"
    )


async def gif(
    figures: Figures, raster: Raster, played: Sequence[Moment], theme: str, lang: str, width: int
) -> bytes:
    """The moments as an animated GIF, `width` pixels wide."""
    drawn = [await picture_of(figures, moment.shown, theme, lang) for moment in played]
    own_width, height = _size_of_all(drawn)
    # GIF has no half-transparent pixels, so the paper has no round corners.
    pages = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{own_width:g}" height="{height:g}" '
        f'viewBox="0 0 {own_width:g} {height:g}">{"".join(_STYLE_ELEMENT.findall(picture)[:1])}'
        f'<rect class="hw-paper" width="{own_width:g}" height="{height:g}"/>'
        f"{_inside(picture)}</svg>"
        for picture in drawn
    ]
    return await raster.gif(pages, [moment.seconds for moment in played], width)


_STYLE_ELEMENT = re.compile(r"<style[^>]*>.*?</style>", re.DOTALL)


def _size_of_all(drawn: Sequence[str]) -> tuple[float, float]:
    sizes = [size for size in map(_SIZE.search, drawn) if size is not None]
    return max(float(size[1]) for size in sizes), max(float(size[2]) for size in sizes)


def _inside(picture: str) -> str:
    """A picture's shapes, without its size, its style sheet and its names."""
    return _NAMES.sub("", _STYLE.sub("", _OUTER.sub("", picture)))


def _sheet(played: Sequence[Moment], whole: float) -> str:
    turns = "".join(
        f"@keyframes {_turn(seconds)}{{0%{{visibility:visible}}"
        f"{100 * seconds / whole:.4g}%{{visibility:hidden}}100%{{visibility:hidden}}}}"
        for seconds in sorted({moment.seconds for moment in played})
    )
    return (
        f"{turns}.hw-moment{{visibility:hidden;animation-duration:{whole:g}s;"
        "animation-timing-function:step-end;animation-iteration-count:infinite}"
        ".hw-moment:last-child{visibility:visible}.hw-moment>.hw-paper{display:none}"
        "@media (prefers-reduced-motion:reduce){.hw-moment{animation-name:none!important}}"
    )


def _turn(seconds: float) -> str:
    """The name of the rule that shows a picture for so long."""
    return f"hw-turn-{seconds * 1000:.0f}"
