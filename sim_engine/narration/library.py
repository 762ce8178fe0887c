"""Reads the texts that ship with the engine; the only place of the narration that opens files."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

from sim_engine.events.run import ActionRefused

LANGUAGES = ("en", "zh")

_PARTS = (
    "events",
    "rules",
    "sources",
    "reasons",
    "properties",
    "terms",
    "steps",
    "message_kinds",
    "changes",
    "names",
)


@cache
def catalogue() -> dict[str, Any]:
    """Every text, as plain data. It is the same object on every call: read it, do not change it.

    `events` are found by "kind.variant", else by "kind", and each has a `formula`, which may be
    null. For every reason there is an event "ActionRefused.<code>", so that a refused step is said
    like any other event.
    """
    texts: dict[str, Any] = {part: _read(part) for part in _PARTS}
    for code, reason in texts["reasons"].items():
        refused = texts["events"][ActionRefused.__name__]
        texts["events"][f"{ActionRefused.__name__}.{code}"] = {
            lang: refused[lang].replace("{reason}", reason[lang]) for lang in LANGUAGES
        }
    for event in texts["events"].values():
        event.setdefault("formula", None)
    kinds = texts["message_kinds"]
    names = texts["names"]
    texts["names"] = {**names, "message": kinds, "kind": {**names["kind"], **kinds}}
    return texts


def _read(part: str) -> Any:
    path = files("sim_engine.narration") / "texts" / f"{part}.json"
    return json.loads(path.read_text(encoding="utf-8"))
