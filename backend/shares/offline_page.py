"""A share as one file that plays by itself: the embed's page with everything in it.

It is opened from a disk, where there is no service: its script and its style stand in it, and so
do all frames, so that the player never asks for any. Its own policy forbids to load anything.
"""

import base64
import hashlib
import re
from pathlib import PurePosixPath

import msgspec

from backend.drawing.frontend_build import (
    FrontendBuild,
    json_island,
    text,
    with_content,
    with_head,
    with_language,
)
from backend.embeds.parts import part_of, run_for_page
from backend.frames.packing import whole
from backend.http.errors import UnavailableError
from backend.shares import transcript
from backend.shares.shown import Share
from backend.shares.words import paragraphs

_SCRIPT = re.compile(r'<script\b[^>]*\bsrc="/assets/([^"]+)"[^>]*></script>')
_SHEET = re.compile(r'<link rel="stylesheet"[^>]*\bhref="/assets/([^"]+)"[^>]*>')
# What would end the element that a script stands in, or hide its end.
_ENDS = re.compile(r"<(?=/script|!--)", re.IGNORECASE)


def offline_page(
    frontend: FrontendBuild, share: Share, picture: str, lang: str, base_url: str
) -> str:
    """The page, with the step's picture for where no script runs.

    Raises UnavailableError where the frontend is not built.
    """
    page = frontend.page("embed.html")
    found = (_SCRIPT.search(page), _SHEET.search(page))
    if found[0] is None or found[1] is None:
        raise UnavailableError(
            "Pages need the frontend, and it is not built here.", code="frontend_not_built"
        )
    script = _ENDS.sub(r"\\x3c", _asset(frontend, found[0][1]))
    sheet = _asset(frontend, found[1][1])
    page = _SHEET.sub("", _SCRIPT.sub("", page))
    title = transcript.in_language(share.title, lang)
    frame = whole(share.entries, _position(share))
    page = with_head(
        page,
        title=f"{title} · Highwater",
        description=transcript.headline(frame, lang),
        elements=f"{_policy(script)}\n    <style>{sheet}</style>",
    )
    link = f"{base_url}/s/{share.sid}"
    caption = f'<a href="{text(link)}">{text(title)}</a>'
    note = "" if share.note is None else paragraphs(share.note)
    still = f'<figure class="still">{picture}<figcaption>{caption}{note}</figcaption></figure>'
    page = with_content(page, element="embed", content=still)
    island = json_island("highwater-run", _whole_run(share, lang, link))
    ending = f"{island}\n    <script>{script}</script>\n  </body>"
    head, _, tail = page.rpartition("</body>")
    return with_language(f"{head}{ending}{tail}", lang)


def _whole_run(share: Share, lang: str, link: str) -> bytes:
    total = len(share.entries)
    run = run_for_page(share, whole(share.entries, _position(share)), lang)
    part = part_of(share, 0, total, lang)
    return msgspec.json.encode(
        msgspec.structs.replace(run, part=part, largest=max(run.largest, total), link=link)
    )


def _position(share: Share) -> int:
    return next(
        position for position, entry in enumerate(share.entries) if entry["frame"] == share.at
    )


def _asset(frontend: FrontendBuild, name: str) -> str:
    path = frontend.file("assets", PurePosixPath(name).as_posix())
    assert path is not None, "the page of a build names files of the build"
    return path.read_text(encoding="utf-8")


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
