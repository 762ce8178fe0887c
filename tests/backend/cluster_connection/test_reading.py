"""A broker of which only Metadata can be asked: what is not known is stated, each kind once."""

import asyncio

import pytest
from kafka.protocol.metadata import ApiVersionsResponse, MetadataResponse

from backend.cluster_connection.errors import ConnectionFailedError
from backend.cluster_connection.properties import ClientSettings
from backend.cluster_connection.reading import read_cluster
from sim_engine.cluster_import.parsed_state import Partition
from tests.backend.cluster_connection.test_connection import Handler, frame, served

_TOPIC = MetadataResponse.MetadataResponseTopic
_KEYS = {18: 0, 3: 2, 2: 1}


def old_broker(topics: int = 1) -> Handler:
    """A broker that offers ApiVersions, Metadata and ListOffsets, and answers the first two."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("sockname")[1]
        while True:
            key, version, correlation = await frame(reader)
            if key == 18:
                one = ApiVersionsResponse.ApiVersion
                keys = [one(api_key=k, min_version=0, max_version=v) for k, v in _KEYS.items()]
                response = ApiVersionsResponse(error_code=35 if version else 0, api_keys=keys)
                version = 0
            elif key == 3:
                response = MetadataResponse(
                    brokers=[
                        MetadataResponse.MetadataResponseBroker(
                            node_id=1, host="127.0.0.1", port=port, rack="a"
                        )
                    ],
                    cluster_id=None,
                    controller_id=1,
                    topics=[
                        _TOPIC(
                            error_code=0,
                            name=f"t{number}",
                            is_internal=False,
                            partitions=[
                                _TOPIC.MetadataResponsePartition(
                                    error_code=5,
                                    partition_index=0,
                                    leader_id=-1,
                                    replica_nodes=[1, 2],
                                    isr_nodes=[2],
                                )
                            ],
                        )
                        for number in range(topics)
                    ],
                )
            else:
                return  # closes the connection
            response.API_VERSION = version
            response.with_header(correlation_id=correlation)
            writer.write(response.encode(framed=True, header=True))
            await writer.drain()

    return handle


async def test_what_a_broker_does_not_give_is_stated_once() -> None:
    async with served(old_broker()) as address:
        state = await read_cluster([address], ClientSettings())

    about = state.partitions[Partition("t0", 0)]
    assert (about.leader, about.replicas, about.isr, about.leader_epoch) == (-1, (1, 2), (2,), None)
    assert (state.live, state.racks, state.logs) == ({1}, {1: "a"}, [])
    assert [statement.text() for statement in state.unknown] == [
        "Brokers before 0.11 list replicas in no particular order. Which of them is the preferred "
        "leader is not known.",
        f"The cluster did not give offsets ({address}: the broker closed the connection at "
        "ListOffsets). Where these logs end is not known.",
        "Brokers of this release do not give the settings of brokers. The defaults of the release "
        "are assumed.",
        "Brokers of this release do not give log directories. Which of them have failed is not "
        "known.",
        "Brokers of this release do not give reassignments. Which replicas are being added or "
        "removed is not known.",
        "Brokers of this release do not give the settings of topics. Those of the brokers are "
        "assumed.",
    ]


async def test_the_next_broker_answers_if_the_first_cannot() -> None:
    async with served(old_broker()) as gone:
        pass
    async with served(old_broker()) as address:
        state = await read_cluster([gone, address], ClientSettings())
        with pytest.raises(ConnectionFailedError) as failed:
            await read_cluster([gone, gone], ClientSettings())

    assert len(state.partitions) == 1
    assert str(failed.value) == f"{gone}: the connection was refused"


async def test_a_cluster_without_topics_says_so() -> None:
    async with served(old_broker(topics=0)) as address:
        with pytest.raises(ConnectionFailedError) as failed:
            await read_cluster([address], ClientSettings())

    assert str(failed.value) == (
        f"{address}: no topics: there are none, or this user may describe none"
    )
