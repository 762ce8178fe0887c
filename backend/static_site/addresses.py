"""The files of a copy, by the addresses that the service has: each address has one file, and links
between pages are relative, so that a copy may lie below any path.

The page has the same rule for the addresses that it makes: `frontend/src/addresses`.
"""

import re
from pathlib import PurePosixPath
from urllib.parse import parse_qsl, unquote, urlsplit

from sim_engine.languages import DEFAULT_LANGUAGE

INDEX = "index.html"
_API = "/api/v1/"
_FILE = re.compile(r"\.(?:css|gif|html|ico|js|json|md|mmd|png|svg|txt|webmanifest|woff2|xml|yaml)$")
_DOCS = re.compile(r"/docs(?:/|$)")
# What a file has without saying so.
_USUAL = {("lang", DEFAULT_LANGUAGE), ("theme", "light")}


def file_of(address: str) -> str:
    """The path of the file with the response to a GET of this address, below the copy's root.

    JSON of the API is compressed: hosts of files cannot do it, and a lesson has megabytes of it.
    """
    path, query = _parts(address)
    if path.startswith(_API) and not _FILE.search(path):
        values = ",".join(f"{name}={value}" for name, value in sorted(query.items()))
        return f"{path[1:]}{f'~{values}' if values else ''}.json.gz"
    told = {name: value for name, value in query.items() if (name, value) not in _USUAL}
    lang = told.pop("lang", None)
    folder = "" if lang is None else f"{lang}/"
    if not _FILE.search(path):
        return f"{folder}{path[1:]}/{INDEX}".replace("//", "/").removeprefix("/")
    named = PurePosixPath(path[1:])
    values = ",".join(f"{name}={value}" for name, value in sorted(told.items()))
    stem = f"{named.stem}{f'~{values}' if values else ''}{named.suffix}"
    return f"{folder}{named.with_name(stem)}"


def path_in_copy(address: str) -> str:
    """What a link to an address of the service leads to, below the copy's root. A page is a folder,
    and its query stays, because the page reads it; only pages of the documentation are a file for
    each language.
    """
    path, query = _parts(address)
    parts = urlsplit(address)
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    if _FILE.search(path):
        return f"{file_of(address)}{fragment}"
    if _DOCS.match(path):
        lang = query.get("lang", DEFAULT_LANGUAGE)
        # A page of the default language that names none follows the reader's choice.
        stated = "?lang=" + lang if query.get("lang") == DEFAULT_LANGUAGE else ""
        file = file_of(f"{path}?lang={lang}")
        return f"{file.removesuffix(INDEX)}{stated}{fragment}"
    rest = f"?{parts.query}" if parts.query else ""
    return f"{file_of(path).removesuffix(INDEX)}{rest}{fragment}"


def root_from(file: str) -> str:
    """The relative address of the copy's root, from a file in it."""
    return "../" * file.count("/") or "./"


def _parts(address: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(address)
    return unquote(parts.path), dict(parse_qsl(parts.query))
