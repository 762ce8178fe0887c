"""`highwater export`: a share as files that work without the service."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from backend.commands.outcome import CommandError, print_result, settings_of, share_id_of, status_of
from backend.commands.share_files import exported
from sim_engine import LANGUAGES


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
