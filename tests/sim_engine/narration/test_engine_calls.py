"""Every event and refusal that the engine's code can make, found by reading the code.

Runs show most of them; this is for those that no scenario reaches.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

import sim_engine
from sim_engine.languages import placeholders
from sim_engine.narration import text_id, texts_in

ENGINE = Path(sim_engine.__file__).parent
NOT_NUMBERS = {"variant", "rule", "sources", "evidence", "link"}


class Call(Struct, frozen=True):
    """A place in the engine that makes an event or a refusal, as far as it is written out there."""

    place: str
    names: tuple[str, ...]
    variants: tuple[str | None, ...]
    numbers: frozenset[str]


def calls(function: str) -> Iterator[Call]:
    for path in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                if node.func.id != function or any(word.arg is None for word in node.keywords):
                    continue
                given = {word.arg: word.value for word in node.keywords if word.arg is not None}
                linked = {"from", "to"} if "link" in given else set()
                yield Call(
                    place=f"{path.relative_to(ENGINE)}:{node.lineno}",
                    names=tuple(filter(None, constants(node.args[0]))),
                    variants=tuple(constants(given["variant"])) if "variant" in given else (None,),
                    numbers=frozenset(given.keys() - NOT_NUMBERS | linked),
                )


def constants(written: ast.expr) -> Iterator[str | None]:
    """The words that an expression can be, where it is a constant or chooses among them."""
    if isinstance(written, ast.IfExp):
        yield from constants(written.body)
        yield from constants(written.orelse)
    elif isinstance(written, ast.Constant) and (
        written.value is None or isinstance(written.value, str)
    ):
        yield written.value


EVENTS = [call for call in calls("event") if call.names]
REFUSALS = [call for call in calls("RefusedError") if call.names]


@pytest.mark.parametrize("call", EVENTS, ids=[f"{call.names[0]} {call.place}" for call in EVENTS])
def test_an_event_has_words_for_its_numbers(call):
    texts = texts_in("en").events

    for kind in call.names:
        assert kind in texts
        for variant in call.variants:
            said = texts[text_id(kind, variant) if variant is not None else kind]
            assert said.text is not None
            assert placeholders(said.text) <= call.numbers
            assert placeholders(said.attributes.get("formula", ())) <= call.numbers


@pytest.mark.parametrize(
    "call", REFUSALS, ids=[f"{call.names[0]} {call.place}" for call in REFUSALS]
)
def test_a_refusal_has_words_for_its_numbers(call):
    for code in call.names:
        assert placeholders(texts_in("en").plain["reasons"][code]) <= call.numbers


def test_the_code_was_read():
    assert len(EVENTS) > 60
    assert len(REFUSALS) > 40
