"""The pictures of a run, and the hashes that a page with a picture needs in its policy."""

import base64
import hashlib
import re
from dataclasses import asdict, dataclass

from backend.drawing.figures import Figures
from backend.runs import transcript
from backend.runs.run import Shown
from sim_engine.documents.runs import read_frame

_STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Words:
    """The title above a picture and the sentence below it."""

    title: str
    description: str


async def picture_of(
    figures: Figures,
    shown: Shown,
    theme: str,
    lang: str,
    *,
    is_card: bool = False,
    width: int | None = None,
    words: Words | None = None,
) -> str:
    """The picture of what a link shows, as SVG; with `is_card`, in the size of a link card,
    otherwise `width` pixels wide (320 to 2000; 800 without it). Its words are the run's title and
    the moment's sentence, unless others are given. Raises UnavailableError if it cannot be drawn.

    The latest pictures are kept, because what a run shows never changes.
    """
    about, frame = shown.run.about, shown.frame["frame"]
    key = (about.address, frame, theme, lang, shown.is_message, is_card, width, words)
    drawn = figures.recent.get(key)
    if drawn is None:
        scene = await figures.compute(shown.scene)
        options = {**_options(shown, lang), "theme": theme, "card": is_card}
        if width is not None:
            options["width"] = width
        if words is not None:
            options |= asdict(words)
        if scene.previous is not None:
            options["previous"] = scene.previous
        drawn = await figures.draw(scene.frame, options)
        figures.recent.keep(key, drawn)
    return drawn


def _options(shown: Shown, lang: str) -> dict[str, object]:
    run, place = shown.run, shown.place
    options: dict[str, object] = {
        "lang": lang,
        "title": transcript.in_language(run.about.title, lang),
        "description": transcript.told(shown, lang),
        "kafka": run.about.kafka,
        # The picture shows the number of the step, because frames are numbered across branches.
        "stepsOf": {str(entry["frame"]): entry["step"] for entry in run.entries},
        "steps": place.steps,
        "order": {
            name: partition.replicas
            for name, partition in read_frame(run.frame_at(0)).state.partitions.items()
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
