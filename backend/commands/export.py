"""`highwater export`: a share as files that work without the service, in every format that its link
offers.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from backend.commands.outcome import (
    CommandError,
    print_result,
    settings_with_database,
    share_id_of,
    status_of,
)
from backend.database.database import Database
from backend.http.errors import LimitError
from backend.limits.lanes import Lanes
from backend.runs.files import OwnMakers, own_makers
from backend.runs.forms import FORMS, Asked
from backend.sessions.timelines import Timelines
from backend.settings import Settings
from backend.shares.service import Shares
from backend.shares.share import Share
from sim_engine.languages import LANGUAGES

_TEXTS = ("itf.json", "md", "yaml", "mmd")


async def exported(
    settings: Settings, sid: str, frames: Sequence[int] | None, lang: str
) -> dict[str, bytes]:
    """Return the files of a share by name: every format, with pictures of `frames`, or of the
    frame at which the share opens.

    Pictures are omitted if the frontend is not built, and the animation if the share has too many
    steps for one.
    """
    database = Database(settings.database_url)
    try:
        share = await Shares(Timelines(database, Lanes())).get(sid)
        async with own_makers(settings, settings.base_url) as makers:
            files = {f"{sid}.json": share.document()}
            opening = Asked(shown=share.shown_exactly(), lang=lang)
            for ending in _TEXTS:
                files[f"{sid}.{ending}"] = await FORMS[ending].make(makers, opening)
            if makers.figures.can_draw:
                drawn = frames or [share.row.at_frame]
                files |= {name: file async for name, file in _drawn(makers, share, drawn, lang)}
                files[f"{sid}.html"] = await FORMS["html"].make(makers, opening)
    finally:
        await database.close()
    return files


async def _drawn(
    makers: OwnMakers, share: Share, frames: Sequence[int], lang: str
) -> AsyncIterator[tuple[str, bytes]]:
    """The pictures."""
    sid = share.row.sid
    for number in frames:
        asked = Asked(shown=share.shown_exactly(number), lang=lang)
        for ending in ("svg", "png"):
            yield f"{sid}-{number}.{ending}", await FORMS[ending].make(makers, asked)
    played = Asked(shown=share.shown_exactly(), lang=lang, frames=share.entries)
    with suppress(LimitError):  # a part can be requested with `?range=`
        yield f"{sid}-played.svg", await FORMS["svg"].make(makers, played)


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
        share_id = share_id_of(sid)
        settings = settings_with_database(**options)
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
