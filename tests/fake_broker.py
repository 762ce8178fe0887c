"""A broker that answers ApiVersions and Metadata, and closes the connection at anything else. What
it answers can be changed while it runs.
"""

import asyncio
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kafka.protocol.metadata import ApiVersionsResponse, MetadataResponse

_TOPIC = MetadataResponse.MetadataResponseTopic
_KEYS = {18: 0, 3: 2}
_API_VERSIONS, _METADATA = 18, 3


@dataclass
class FakeCluster:
    """Partition 7 of the topic `audit` on brokers 1 and 2, both of which are this one."""

    leader: int = 1
    isr: list[int] = field(default_factory=lambda: [1, 2])
    live: list[int] = field(default_factory=lambda: [1, 2])
    answers: bool = True
    """Whether it answers at all; otherwise it closes every connection."""
    port: int = 0
    _ended: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def served(self) -> Iterator[str]:
        """Its address, inside the block."""
        ready, self._ended = threading.Event(), threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(self._serve(ready)), daemon=True)
        thread.start()
        ready.wait()
        try:
            yield f"127.0.0.1:{self.port}"
        finally:
            self._ended.set()
            thread.join()

    async def _serve(self, ready: threading.Event) -> None:
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await asyncio.to_thread(self._ended.wait)
        server.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while self.answers:
                (size,) = struct.unpack(">i", await reader.readexactly(4))
                request = await reader.readexactly(size)
                key, version, correlation = struct.unpack_from(">hhi", request)
                if key == _API_VERSIONS:
                    one = ApiVersionsResponse.ApiVersion
                    keys = [one(api_key=k, min_version=0, max_version=v) for k, v in _KEYS.items()]
                    response = ApiVersionsResponse(error_code=35 if version else 0, api_keys=keys)
                    version = 0
                elif key == _METADATA:
                    response = self._metadata()
                else:
                    return
                response.API_VERSION = version
                response.with_header(correlation_id=correlation)
                writer.write(response.encode(framed=True, header=True))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    def _metadata(self) -> MetadataResponse:
        broker = MetadataResponse.MetadataResponseBroker
        partition = _TOPIC.MetadataResponsePartition(
            error_code=0,
            partition_index=7,
            leader_id=self.leader,
            replica_nodes=[1, 2],
            isr_nodes=self.isr,
        )
        return MetadataResponse(
            brokers=[
                broker(node_id=one, host="127.0.0.1", port=self.port, rack=None)
                for one in self.live
            ],
            cluster_id=None,
            controller_id=1,
            topics=[_TOPIC(error_code=0, name="audit", is_internal=False, partitions=[partition])],
        )
