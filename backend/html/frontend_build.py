"""The built frontend: its pages, with a few places to fill in, and its files.

All inserted content is escaped here: text for HTML, and JSON for a script element, in which `<`
must never appear unescaped.
"""

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sim_engine.languages import say as say_message

_NOT_BUILT = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Highwater</title></head>
<body>
<div id="app"></div><div id="embed"></div><div id="docs"></div>
<main>
<h1>The frontend is not built yet</h1>
<p>The service is running, but its pages are missing. Build them with <code>make run</code>,
then load this page again.</p>
</main>
</body>
</html>
"""
_APP = "index.html"
_TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
_SCRIPT = re.compile(r"<script\b[^>]*></script>")
_NO_SCRIPTS = re.compile(r"<noscript>[^<]*</noscript>")
_ENGINE = re.compile(r"engine-[0-9a-f]+\.json")
_DESCRIPTION = re.compile(r'<meta\s+name="description"[^>]*>')


@dataclass(frozen=True, slots=True)
class FrontendBuild:
    """`folder` is the output of the frontend's build; pages are read again when they change.

    The app's page states the digest of the `release`, unless it is empty: with it, the app asks for
    what never changes within a release. It also states where the engine is that it can load.
    """

    folder: Path
    release: str = ""

    @property
    def exists(self) -> bool:
        """Whether the frontend has been built."""
        return (self.folder / _APP).is_file()

    def page(self, name: str) -> str:
        """A page of the build, or a page that explains how to build it."""
        path = self.folder / name
        try:
            changed_at = path.stat().st_mtime_ns
        except OSError:
            return _NOT_BUILT
        page = _read(path, changed_at)
        if name != _APP:
            return page
        stated = {"release": self.release, "engine": self._engine()}
        elements = "".join(
            f'  <meta name="highwater-{name}" content="{text(content)}" />\n  '
            for name, content in stated.items()
            if content
        )
        return page.replace("</head>", f"{elements}</head>", 1)

    def _engine(self) -> str:
        """The address of the file about the engine for pages; empty if it was not built."""
        names = self.files("engine")
        return next((f"/engine/{name}" for name in names if _ENGINE.fullmatch(name)), "")

    def file(self, folder: str, name: str) -> Path | None:
        """A file below one folder of the build; None if there is no such file below it."""
        return self.files(folder).get(name)

    def files(self, folder: str) -> Mapping[str, Path]:
        """The files below one folder of the build, by their names below it."""
        below = self.folder / folder
        try:
            changed_at = below.stat().st_mtime_ns
        except OSError:
            return {}
        return _files_below(below, changed_at)


@lru_cache(maxsize=8)
def _files_below(folder: Path, _changed_at: int) -> Mapping[str, Path]:
    """The files that the build wrote, by the name that follows the folder in an address.

    A request only looks up a name here, so the text of an address never reaches the file system.
    """
    return {
        path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()
    }


@lru_cache(maxsize=8)
def _read(path: Path, _changed_at: int) -> str:
    return path.read_text(encoding="utf-8")


def with_head(page: str, *, title: str, description: str, elements: str) -> str:
    """The page with this title and description, and `elements` at the end of its head."""
    page = _TITLE.sub("", page, count=1)
    page = _DESCRIPTION.sub("", page, count=1)
    head = (
        f"<title>{text(title)}</title>\n"
        f'    <meta name="description" content="{text(description)}" />\n    {elements}\n  '
    )
    return page.replace("</head>", f"{head}</head>", 1)


def with_content(page: str, *, element: str, content: str) -> str:
    """The page with HTML inserted into the empty element with this id."""
    empty = f'<div id="{element}"></div>'
    return page.replace(empty, f'<div id="{element}">{content}</div>', 1)


def without_scripts(page: str) -> str:
    """The page without its scripts, so that nothing replaces its contents."""
    return _SCRIPT.sub("", page)


def with_language(page: str, lang: str, *, theme: str | None = None) -> str:
    """The page in a language: on the root element, and in the text for browsers without scripts.
    `theme` fixes the theme.
    """
    pinned = "" if theme is None else f' data-theme="{theme}"'
    page = page.replace('<html lang="en">', f'<html lang="{lang}"{pinned}>', 1)
    without = text(say_message(lang, "service", "needsScripts"))
    return _NO_SCRIPTS.sub(f"<noscript>{without}</noscript>", page, count=1)


def text(value: str) -> str:
    """Escape plain text for HTML text and attributes."""
    return html.escape(value, quote=True)


def json_island(element: str, encoded: bytes) -> str:
    """A script element with JSON data, which is not executed and which no string in the data can
    close.
    """
    inert = (
        encoded.decode()
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )
    return f'<script type="application/json" id="{element}">{inert}</script>'
