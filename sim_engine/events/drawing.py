"""How the diagram of messages over time draws the events of a class: dots on lanes, and arrows."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Lane = Literal["broker", "controller", "producers", "consumers", "client"]
"""Of the event's broker, the controller, all producers or consumers, or the kind of the event's
client."""
Tone = Literal["plain", "accent", "good", "warn", "bad"]
Form = Literal["isr", "link"]
"""A drawing that depends on the rest of the frame: of a written ISR, and of one direction of a
link."""


class Drawing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dot, or an arrow if it has a `to`. `label` is its text in the languages'
    `interface/diagram.ftl`.
    """

    label: str
    at: Lane = "broker"
    to: Lane | None = None
    tone: Tone = "plain"
    before: bool = False
    """It is a request, which precedes its effects; other arrows follow them."""
    lost: bool = False
    values: Mapping[str, str] = {}
    """A value of its label → the number of the event that it is; "variant" is the variant."""
    needs: str | None = None
    """It is drawn only if the event has this number."""
    if_moved: bool = False
    """It is drawn only if the numbers `before` and `after` differ."""
    unless: str | None = None
    """It is not drawn if the frame has an event of this kind."""
    form: Form | None = None


Drawings = tuple[Drawing, ...]


def dot(
    label: str,
    tone: Tone = "plain",
    *,
    at: Lane = "broker",
    values: Mapping[str, str] | None = None,
    needs: str | None = None,
    if_moved: bool = False,
    unless: str | None = None,
) -> Drawings:
    """A dot on a lane."""
    return (
        Drawing(
            label=label,
            at=at,
            tone=tone,
            values=values or {},
            needs=needs,
            if_moved=if_moved,
            unless=unless,
        ),
    )


def request(label: str, tone: Tone = "plain", *, to: Lane, lost: bool = False) -> Drawings:
    """An arrow of a request: of producers to the event's broker, or of the broker to a lane."""
    at: Lane = "producers" if to == "broker" else "broker"
    return (Drawing(label=label, at=at, to=to, tone=tone, before=True, lost=lost),)


def response(label: str, tone: Tone = "plain", *, to: Lane, lost: bool = False) -> Drawings:
    """An arrow of the broker's response to clients; a dot on their lane if no broker sends it."""
    return (Drawing(label=label, to=to, tone=tone, lost=lost),)


def special(form: Form, label: str, tone: Tone = "plain") -> Drawings:
    """A drawing that depends on the rest of the frame."""
    return (Drawing(label=label, tone=tone, form=form),)
