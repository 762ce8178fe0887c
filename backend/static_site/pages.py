"""An HTML page of the service as a file of a copy: with relative links, and with its headers'
meaning in its head, because a host of files sends none of them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from backend.html.frontend_build import text, with_content
from backend.static_site.addresses import file_of, path_in_copy, root_from
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say

NOWHERE = "https://copy.invalid"
"""The base of the addresses of a copy whose place is not known; no page of it contains them."""

_LINK = re.compile(r'\b(href|src|srcset|content)="([^"]*)"')
_POLICY = "Content-Security-Policy"
_ROBOTS = "x-robots-tag"
# A policy in a page's head cannot have these.
_ONLY_IN_HEADERS = ("frame-ancestors", "sandbox", "report-uri")
# The one is answered for any address, the other lists what is shared: no file can do that.
_OF_SERVICE = re.compile(
    r'\s*<link rel="alternate"[^>]* type="[^"]*(?:\+oembed|atom\+xml)"[^>]*/?>'
)
# Its address in the service.
_ENGINE = re.compile(r'\s*<meta name="highwater-engine"[^>]*/>')
# They must be absolute.
_CARD = re.compile(
    r'\s*<(?:meta (?:property="og:(?:url|image)[^"]*"|name="twitter:image[^"]*")|'
    r'link rel="canonical")[^>]*/>'
)


@dataclass(frozen=True, slots=True)
class Copied:
    """What the pages of a copy have in common: the address at which it will be, without a slash at
    its end, or `NOWHERE`; and the addresses that its files answer, as `frontend/src/addresses`
    reads them.
    """

    base_url: str
    files: str
    engine: str
    """The file of the engine for browsers; empty if there is none."""

    def page(self, html: str, address: str, headers: Mapping[str, str]) -> str:
        """The page with this address as a file, with links relative to it."""
        if self.base_url == NOWHERE:
            html = _CARD.sub("", html)
        return self._written(html, address, headers, root_from(file_of(address)))

    def fallback(self, html: str, headers: Mapping[str, str]) -> str:
        """The front page as the file that hosts show at addresses without one, at any depth: the
        app reads the address. Where the copy does not lie at its place, no app loads, and the text
        that it replaces stays.
        """
        told = "".join(
            f"<h{level} lang={lang}>{text(say(lang, 'service', 'notFound'))}</h{level}>"
            f"<p lang={lang}>{text(say(lang, 'service', 'notFoundAdvice'))}</p>"
            for lang, level in zip(LANGUAGES, (1, *[2] * len(LANGUAGES)), strict=False)
        )
        content = f'<main id="first-sight">{told}</main>'
        html = with_content(html, element="app", content=content)
        place = "" if self.base_url == NOWHERE else urlsplit(self.base_url).path
        html = _CARD.sub("", html)
        return self._written(html, "/", {**headers, _ROBOTS: "noindex"}, f"{place}/")

    def _written(self, html: str, address: str, headers: Mapping[str, str], root: str) -> str:
        html = _ENGINE.sub("", _OF_SERVICE.sub("", html))
        html = _LINK.sub(lambda link: self._linked(link, root), html)
        return html.replace('<meta charset="utf-8" />', self._head(html, address, headers, root), 1)

    def _linked(self, link: re.Match[str], root: str) -> str:
        attribute, address = link[1], link[2].replace("&amp;", "&")
        if address.startswith((f"{self.base_url}/", f"{self.base_url}?")) or (
            address == self.base_url
        ):
            path = path_in_copy(address.removeprefix(self.base_url) or "/")
            start = root if self.base_url == NOWHERE else f"{self.base_url}/"
        elif address.startswith("/") and not address.startswith("//") and attribute != "content":
            path, start = path_in_copy(address), root
        else:
            return link[0]
        return f'{attribute}="{text(f"{start}{path}")}"'

    def _head(self, html: str, address: str, headers: Mapping[str, str], root: str) -> str:
        named = {"static": root, "files": self.files}
        if self.engine:
            named["engine"] = f"{root}{self.engine}"
        lang = parse_qs(urlsplit(address).query).get("lang", [DEFAULT_LANGUAGE])[0]
        if 'id="app"' in html and lang != DEFAULT_LANGUAGE:
            named["address"] = address  # this file is in the folder of the language
        elements = [
            f'<meta name="highwater-{name}" content="{text(named[name])}" />' for name in named
        ]
        policy = self._policy(headers.get(_POLICY.lower(), ""))
        elements.insert(0, f'<meta http-equiv="{_POLICY}" content="{text(policy)}" />')
        if referrer := headers.get("referrer-policy"):
            elements.append(f'<meta name="referrer" content="{text(referrer)}" />')
        if "noindex" in headers.get(_ROBOTS, "") and 'name="robots"' not in html:
            elements.append('<meta name="robots" content="noindex" />')
        return "\n    ".join(['<meta charset="utf-8" />', *elements])

    def _policy(self, header: str) -> str:
        kept = [part for part in header.split("; ") if not part.startswith(_ONLY_IN_HEADERS)]
        return "; ".join(kept).replace(f" {NOWHERE}", "")
