"""`highwater export`: a share as files that work without the service, in every format that its link
offers.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from backend.commands.outcome import CommandError, print_result, settings_of, share_id_of, status_of
from backend.database.database import Database
from backend.drawing.figures import Figures
from backend.drawing.raster import Raster
from backend.html.frontend_build import FrontendBuild
from backend.html.link_card import CARD_WIDTH
from backend.http.errors import LimitError
from backend.limits.lanes import Lanes
from backend.runs.animation import animated, moments
from backend.runs.pictures import picture_of
from backend.runs.player import offline_page
from backend.runs.text_files import TEXTS, TextAsked, itf
from backend.sessions.timelines import Timelines
from backend.settings import Settings
from backend.shares.service import Shares
from backend.shares.share import Share
from sim_engine.languages.library import LANGUAGES

_THEME = "light"


async def exported(
    settings: Settings, sid: str, frames: Sequence[int] | None, lang: str
) -> dict[str, bytes]:
    """Return the files of a share by name: every format, with pictures of `frames`, or of the
    frame at which the share opens.

    Pictures are omitted if the frontend is not built, and the animation if the share has too many
    steps for one.
    """
    database = Database(settings.database_url)
    figures = Figures(settings.figure_script)
    raster = Raster(settings.picture_fonts)
    try:
        share = await Shares(Timelines(database, Lanes())).get(sid)
        files = dict(_written(share, settings.base_url, lang))
        if figures.can_draw:
            files |= await _drawn(
                settings, figures, raster, share, frames or [share.row.at_frame], lang
            )
    finally:
        figures.close()
        # Before the event loop ends: without it, the drawing process cannot be closed.
        await raster.close()
        await database.close()
    return files


def _written(share: Share, base_url: str, lang: str) -> Iterator[tuple[str, bytes]]:
    sid = share.row.sid
    yield f"{sid}.json", share.document()
    yield f"{sid}.itf.json", itf(share, lang)
    asked = TextAsked(share.shown_exactly(), share.entries, lang=lang, base_url=base_url)
    for extension, text in TEXTS.items():
        yield f"{sid}.{extension}", text.write(asked).encode()


async def _drawn(
    settings: Settings,
    figures: Figures,
    raster: Raster,
    share: Share,
    frames: Sequence[int],
    lang: str,
) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    sid = share.row.sid
    for number in frames:
        shown = share.shown_exactly(number)
        picture = await picture_of(figures, shown, _THEME, lang)
        card = await picture_of(figures, shown, _THEME, lang, is_card=True)
        files[f"{sid}-{number}.svg"] = picture.encode()
        files[f"{sid}-{number}.png"] = await raster.png(card, CARD_WIDTH)
    try:
        drawn = await asyncio.to_thread(moments, share, share.entries)
        played = await animated(figures, drawn, _THEME, lang)
        files[f"{sid}-played.svg"] = played.encode()
    except LimitError:
        pass  # a part can be requested with `?range=`
    opening = share.shown_exactly()
    still = await picture_of(figures, opening, "page", lang)
    frontend = FrontendBuild(settings.frontend_folder)
    page = offline_page(frontend, opening, still, lang, settings.base_url)
    files[f"{sid}.html"] = page.encode()
    return files


def export(
    sid: str,
    *,
    output: Path,
    frames: list[int] | None,
    lang: str,
    as_json: bool = False,
    **options: object,
) -> int:
    """Write a share to files of every kind, with pictures of `frames`, or of the frame at which it
    opens. Returns the exit status.

    Prints the names of the files, one on each line, or as JSON: `{"sid", "files"}`.
    """

    def work() -> None:
        settings = settings_of(**options)
        share_id = share_id_of(sid)
        if lang not in LANGUAGES:
            raise CommandError(f"the language is {' or '.join(LANGUAGES)}")
        written = _write(output, asyncio.run(exported(settings, share_id, frames, lang)))
        print_result("\n".join(written), {"sid": share_id, "files": written}, as_json=as_json)

    return status_of(work)


def _write(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    return [str(folder / name) for name in files]
