"""The routes of a watched cluster and of a watched recording. Only a service that `highwater
connect --watch --open`, `record --open` or `conform --open` has started has one; every other
responds with 404.
"""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import Depends, Path
from starlette.responses import StreamingResponse

from backend.http.errors import NotFoundError
from backend.http.parameters import reject_repeated
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.routing.routes import API, Router
from backend.services import LanesDep, MirrorDep, WatchDep
from backend.watches.drawing import drawn_partition
from backend.watches.mirror import Mirror
from backend.watches.schemas import MirrorRead, ReadingsRead, WatchedPartitionRead
from backend.watches.watch import Reading, Watch
from backend.workers.work import event_bytes
from sim_engine.cluster_import.parsed_state import Partition
from sim_engine.json_types import JsonObject

router = Router(
    prefix=f"{API}/watch",
    tags=["watch"],
    dependencies=[Depends(reject_repeated)],
    responses={404: described(Problem, "This service watches nothing of this kind.")},
)


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`watch` events: first with every kept reading, then with the new ones.",
            "content": {"text/event-stream": {}},
            "model": ReadingsRead,
        }
    },
)
async def follow_readings(watch: WatchDep) -> StreamingResponse:
    """Every reading of the cluster, as it happens. After a reconnect, all are sent again."""
    return StreamingResponse(_events(watch), media_type="text/event-stream")


@router.get("/readings/{number}/partitions/{partition}", response_model=WatchedPartitionRead)
async def read_watched_partition(
    number: Annotated[int, Path(ge=1)],
    partition: Annotated[str, Path(max_length=262, pattern=r"^[a-zA-Z0-9._-]+-\d{1,10}$")],
    watch: WatchDep,
    lanes: LanesDep,
) -> PlainJsonResponse:
    """One partition in one reading: each value that was read, and the frame that draws them."""
    state = watch.state_of(number)
    topic, _, index = partition.rpartition("-")
    name = Partition(topic, int(index))
    if state is None or name not in state.partitions:
        raise NotFoundError("There is no such partition in this reading, or it is no longer kept.")
    return PlainJsonResponse(await lanes.compute(drawn_partition, state, name, number, watch.kafka))


@router.get(
    "/recording/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`recording` events: what was recorded so far, after each change.",
            "content": {"text/event-stream": {}},
            "model": MirrorRead,
        }
    },
)
async def follow_recording(mirror: MirrorDep) -> StreamingResponse:
    """A recording beside the engine, while it is made. Each event has all of it."""
    return StreamingResponse(_mirrored(mirror), media_type="text/event-stream")


@router.get("/recording/steps/{number}", response_model=WatchedPartitionRead)
async def read_recorded_step(
    number: Annotated[int, Path(ge=0)], mirror: MirrorDep, lanes: LanesDep
) -> PlainJsonResponse:
    """The partition after one step of a recording, as that of a live cluster: the values that were
    read as a frame, and each beside the engine's.
    """
    document = await lanes.compute(mirror.drawn, number)
    if document is None:
        raise NotFoundError("There is no such step, or nothing was read after it.")
    return PlainJsonResponse(document)


async def _mirrored(mirror: Mirror) -> AsyncIterator[bytes]:
    async for _ in mirror.news():
        yield event_bytes("recording", msgspec.json.encode(mirror.document()))


async def _events(watch: Watch) -> AsyncIterator[bytes]:
    sent = 0
    async for _ in watch.news():
        readings = watch.readings(after=sent)
        began = watch.began
        document = {
            "bootstrap": watch.bootstrap,
            "interval_s": watch.interval_s,
            "reading_since": None if began is None else began.isoformat(),
            "readings": [_document(one) for one in readings],
        }
        yield event_bytes("watch", msgspec.json.encode(document))
        sent = readings[-1].number if readings else sent


def _document(reading: Reading) -> JsonObject:
    return {
        "number": reading.number,
        "at": reading.at.isoformat(),
        "took_s": round(reading.took_s, 3),
        "failure": reading.failure,
        "changes": [one.texts() for one in reading.changes],
        "brokers": reading.brokers,
        "partitions": reading.partitions,
    }
