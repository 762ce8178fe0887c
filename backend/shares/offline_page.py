"""A share as a single file that plays offline: the embed's page with everything included.

The file is opened from a disk, without a service. It therefore contains its script, its style and
all frames, and its content security policy forbids loading anything.
"""

import base64
import hashlib
import re
from pathlib import PurePosixPath

import msgspec

from backend.html.frontend_build import (
    FrontendBuild,
    json_island,
    text,
    with_content,
    with_head,
    with_language,
)
from backend.http.errors import UNTIL_MENDED_S, UnavailableError
from backend.shares import transcript
from backend.shares.player_parts import part_of, run_for_page
from backend.shares.share import Share
from backend.shares.title_and_note import paragraphs
from sim_engine import StoredFrame

_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="/assets/([^"]+)"[^>]*></script>')
_SHEET = re.compile(r'<link rel="stylesheet"[^>]*\bhref="/assets/([^"]+)"[^>]*>')
# Text that would close the script element early, or hide its end.
_ENDS = re.compile(r"<(?=/script|!--)", re.IGNORECASE)


def offline_page(
    frontend: FrontendBuild,
    share: Share,
    frame: StoredFrame,
    picture: str,
    lang: str,
    base_url: str,
    *,
    theme: str | None = None,
    is_message: bool = False,
) -> str:
    """The page, which opens at `frame`, with a picture of it for readers without scripts.

    Without a theme it follows the reader's setting. With `is_message` it shows that message, not
    the step that it ends. Raises UnavailableError if the frontend is not built.
    """
    page = frontend.page("embed.html")
    found = (_SCRIPT.search(page), _SHEET.search(page))
    if found[0] is None or found[1] is None:
        raise _not_built()
    script = _ENDS.sub(r"\\x3c", _asset(frontend, found[0][1]))
    sheet = _asset(frontend, found[1][1])
    page = _SHEET.sub("", _SCRIPT.sub("", page))
    title = transcript.in_language(share.title, lang)
    page = with_head(
        page,
        title=f"{title} · Highwater",
        description=transcript.told(share, frame, lang, is_message=is_message),
        elements=f"{_policy(script)}\n    <style>{sheet}</style>",
    )
    link = f"{base_url}/s/{share.sid}"
    caption = f'<a href="{text(link)}">{text(title)}</a>'
    note = "" if share.note is None else paragraphs(share.note)
    still = f'<figure class="still">{picture}<figcaption>{caption}{note}</figcaption></figure>'
    page = with_content(page, element="embed", content=still)
    run = _whole_run(share, frame, lang, link, is_message=is_message)
    island = json_island("highwater-run", run)
    ending = f"{island}\n    <script>{script}</script>\n  </body>"
    head, _, tail = page.rpartition("</body>")
    return with_language(f"{head}{ending}{tail}", lang, theme=theme)


def _whole_run(
    share: Share, frame: StoredFrame, lang: str, link: str, *, is_message: bool
) -> bytes:
    total = len(share.entries)
    run = run_for_page(share, frame, lang, is_message=is_message)
    part = part_of(share, 0, total, lang)
    return msgspec.json.encode(
        msgspec.structs.replace(run, part=part, largest=max(run.largest, total), link=link)
    )


def _asset(frontend: FrontendBuild, name: str) -> str:
    path = frontend.file("assets", PurePosixPath(name).as_posix())
    if path is None:
        raise _not_built()
    return path.read_text(encoding="utf-8")


def _not_built() -> UnavailableError:
    return UnavailableError(
        "Pages need the frontend, which is not built here.",
        code="frontend_not_built",
        retry_after_s=UNTIL_MENDED_S,
    )


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
