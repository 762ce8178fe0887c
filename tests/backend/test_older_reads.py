"""Shares that were stored before reads of consumers had `changed` still show what changed."""

import gzip
from typing import Any, cast

import msgspec

from backend.frames.packing import unpacked
from backend.shares.integrity import seal_of
from backend.shares.tables import ShareRow
from tests.backend.conftest import API, Service

LESSON = "consumer-truncation"


async def shared(service: Service, *, as_before: bool) -> tuple[str, list[Any], list[Any]]:
    """A share of a lesson in which reads change; its entries as they are stored, and as they were
    made.
    """
    session = await service.new_session(scenario_id=LESSON)
    sid = (await service.share(session["id"], session["head"]))["sid"]
    async with service.app.state.services.database.writing() as database:
        row = cast("ShareRow", await database.get(ShareRow, sid))
        made = stored = msgspec.json.decode(gzip.decompress(row.timeline))
        if as_before:
            stored = without_changed(made)
            row.timeline = gzip.compress(msgspec.json.encode(stored))
            row.seal = seal_of(row)
    return sid, stored, made


def without_changed(entry: Any) -> Any:
    if isinstance(entry, list):
        return [without_changed(one) for one in entry if not is_of_changed(one)]
    if isinstance(entry, dict):
        return {name: without_changed(one) for name, one in entry.items() if name != "changed"}
    return entry


def is_of_changed(operation: Any) -> bool:
    return isinstance(operation, dict) and str(operation.get("path")).endswith("/changed")


def reads_in(entries: list[Any]) -> list[list[tuple[str, str | None]]]:
    states = [cast("Any", frame["state"]) for frame in unpacked(entries)]
    return [
        [(read["value"], read.get("changed")) for read in state["clients"]["consumed"]]
        for state in states
    ]


async def test_an_older_share_shows_what_became_of_each_read(service: Service):
    sid, _, made = await shared(service, as_before=True)

    share = (await service.client.get(f"{API}/shares/{sid}")).json()
    whole = (await service.client.get(f"{API}/shares/{sid}?full=1")).json()

    changed = [read for read in reads_in(made)[-1] if read[1] is not None]
    assert changed == [("b1", "x1"), ("b2", "x2")]
    assert reads_in(share["frames"]) == reads_in(made)
    assert reads_in(whole["frames"]) == reads_in(made)


async def test_nothing_else_of_an_older_share_is_different(service: Service):
    sid, stored, _ = await shared(service, as_before=True)

    share = (await service.client.get(f"{API}/shares/{sid}")).json()

    shown = [without_changed(frame) for frame in unpacked(share["frames"])]
    assert shown == [*unpacked(stored)]


async def test_a_share_that_has_the_field_is_shown_as_it_is_stored(service: Service):
    sid, stored, _ = await shared(service, as_before=False)

    share = (await service.client.get(f"{API}/shares/{sid}")).json()

    assert share["frames"] == stored
