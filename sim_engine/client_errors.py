"""Kafka's errors as clients and administrators see them: the number in a response, and the
exception of the Java client.

Numbers and exceptions are those of `org.apache.kafka.common.protocol.Errors`. What each error means
is in `client_errors.ftl` of each language.
"""

from collections.abc import Mapping

from msgspec import Struct

from sim_engine.error_texts import Wording
from sim_engine.identifiers import ErrorCode

_TEXTS = "client_errors"


class ClientError(Struct, frozen=True):
    """An error of Kafka's protocol. `former` are names that older releases and clients print."""

    code: ErrorCode
    number: int
    exception: str
    former: tuple[str, ...] = ()

    @property
    def means(self) -> Wording:
        """What it means and what follows, in one or two sentences."""
        return Wording(self.code.value, file=_TEXTS)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name by which somebody may look for it, the current one first."""
        return (self.code.value, self.exception, *self.former)


_TABLE = """
    -1 UNKNOWN_SERVER_ERROR UnknownServerException
    1 OFFSET_OUT_OF_RANGE OffsetOutOfRangeException
    2 CORRUPT_MESSAGE CorruptRecordException
    3 UNKNOWN_TOPIC_OR_PARTITION UnknownTopicOrPartitionException
    5 LEADER_NOT_AVAILABLE LeaderNotAvailableException
    6 NOT_LEADER_OR_FOLLOWER NotLeaderOrFollowerException
      NOT_LEADER_FOR_PARTITION NotLeaderForPartitionException
    7 REQUEST_TIMED_OUT TimeoutException
    9 REPLICA_NOT_AVAILABLE ReplicaNotAvailableException
    19 NOT_ENOUGH_REPLICAS NotEnoughReplicasException
    20 NOT_ENOUGH_REPLICAS_AFTER_APPEND NotEnoughReplicasAfterAppendException
    41 NOT_CONTROLLER NotControllerException
    42 INVALID_REQUEST InvalidRequestException
    45 OUT_OF_ORDER_SEQUENCE_NUMBER OutOfOrderSequenceException
    55 OPERATION_NOT_ATTEMPTED OperationNotAttemptedException
    59 UNKNOWN_PRODUCER_ID UnknownProducerIdException
    74 FENCED_LEADER_EPOCH FencedLeaderEpochException
    75 UNKNOWN_LEADER_EPOCH UnknownLeaderEpochException
    77 STALE_BROKER_EPOCH StaleBrokerEpochException
    78 OFFSET_NOT_AVAILABLE OffsetNotAvailableException
    95 INVALID_UPDATE_VERSION InvalidUpdateVersionException
    107 INELIGIBLE_REPLICA IneligibleReplicaException
    108 NEW_LEADER_ELECTED NewLeaderElectedException
"""


def _read(table: str) -> Mapping[ErrorCode, ClientError]:
    errors: dict[ErrorCode, ClientError] = {}
    latest = ErrorCode.NONE
    for line in table.strip().splitlines():
        match line.split():
            case [number, code, exception]:
                latest = ErrorCode(code)
                errors[latest] = ClientError(latest, int(number), exception)
            case former:
                known = errors[latest]
                errors[latest] = ClientError(latest, known.number, known.exception, tuple(former))
    return errors


CLIENT_ERRORS = _read(_TABLE)
"""Every error of `ErrorCode`, by its code, in the order of their numbers."""
