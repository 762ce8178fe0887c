"""Requests every kind of page and text in a language; prints the remaining English.

Started as a program of its own by `test_third_language.py`, in a copy of the packages that has one
language more. Marked as English, and left out, is what its author has in English only: the pages of
the documentation that are not translated, and recordings.
"""

import asyncio
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import httpx

from backend.main import create_app
from backend.operations.migrations import upgrade
from backend.settings import Settings
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.writer import scenario_document
from tests.backend.frontend import write_frontend

ATTRIBUTES = ("aria-label", "title", "alt", "content", "placeholder")
SILENT = ("script", "style", "code", "pre", "template")
EMPTY = ("meta", "link", "br", "img", "input", "hr")
# Names of Kafka and of its properties, and what a program reads in a page or a diagram.
NAMES = re.compile(
    rf"https?://\S+|\b(Highwater|Kafka|zookeeper|{'|'.join(PROPERTY_NAMES)}|[mtp]-?\d+|all|unclean)\b"
    r"|^(article|website|summary_large_image|noindex|width=.*|en_US|default-src .*|frame \d+ .*"
    r"|events \d+ since \S+ message \S+ order \S+|sequenceDiagram)$"
    r"|^told (?=\S)"
    r"|^(participant|actor) \w+ as|^Note over [\w,]+:|^\w+-+[>x]+\w+:|acks=all|^accTitle:|\S+/\S+"
)
# In the head of a page of the documentation: its title and what it is about, which are English.
PAGE_ITSELF = re.compile(
    r"<title>.*?</title>"
    r'|<meta (content="[^"]*" )?(name|property)="(og:|twitter:)?'
    r'(title|description|image:alt)"[^>]*>'
)
LETTERS = re.compile("[A-Za-z]{2,}")


class Said(HTMLParser):
    """The texts of a page, except those marked as a different language."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang
        self._open: list[tuple[str, bool]] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        heard = all(said for _, said in self._open) and tag not in SILENT
        heard = heard and given.get("lang", self._lang) == self._lang
        if heard and given.get("name") not in (
            "viewport",
            "color-scheme",
            "theme-color",
            "highwater-release",
        ):
            self.found += [given[name] or "" for name in ATTRIBUTES if name in given]
        if tag not in EMPTY:
            self._open.append((tag, heard))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if all(said for _, said in self._open):
            self.found.append(data)


def texts_of(page: str, kind: str, lang: str) -> Iterator[str]:
    if kind == "html":
        said = Said(lang)
        said.feed(page)
        yield from said.found
    else:
        yield from page.splitlines()


async def asked(lang: str) -> dict[str, list[str]]:
    """The texts with English letters, by the address."""
    folder = Path(tempfile.mkdtemp())
    database = f"sqlite:///{folder / 'highwater.db'}"
    await asyncio.to_thread(upgrade, database)
    pages, figure = write_frontend(folder / "frontend")
    app = create_app(Settings(database_url=database, frontend_folder=pages, figure_script=figure))
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as client,
    ):
        addresses = [*ADDRESSES, *(await share_addresses(client))]
        left = {}
        for address in addresses:
            answer = await client.get(address, params={"lang": lang})
            kind = "html" if "html" in answer.headers["content-type"] else "text"
            page = answer.text
            if address.startswith("/docs"):
                page = PAGE_ITSELF.sub("", page)
            texts = {text.strip() for text in texts_of(page, kind, lang)}
            english = sorted(text for text in texts if LETTERS.search(NAMES.sub("", text)))
            left[f"{address} {answer.status_code}"] = english
        return left


ADDRESSES = (
    "/",
    "/articles/1",
    "/challenges/at-risk",
    "/lessons/kip-101-data-loss",
    "/docs",
    "/docs/reference/limits",
    "/nothing/here",
    "/s/2222222222222222",
    "/x/2222222222222222",
)


async def share_addresses(client: httpx.AsyncClient) -> list[str]:
    """Of a run of a lesson that is shared: its page, its embed, and what it is as a text."""
    scenario = scenario_document(load_shipped("kip-101-data-loss"))
    session = (await client.post("/api/v1/sessions", json={"scenario": scenario})).json()
    shared = await client.post(
        "/api/v1/shares",
        json={"session": session["id"], "at": 20},
        headers={"Idempotency-Key": "a-share-in-a-language"},
    )
    sid = shared.json()["sid"]
    return [f"/s/{sid}", f"/e/v1/s/{sid}", f"/s/{sid}.md", f"/s/{sid}.mmd", f"/s/{sid}.html"]


if __name__ == "__main__":
    json.dump(asyncio.run(asked(sys.argv[1])), sys.stdout)
