"""A broker writes its checkpoint files: high watermarks and recovery points, of every replica."""

from msgspec.structs import replace

from sim_engine.events.log import HighWatermarkCheckpointed, RecoveryPointCheckpointed
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.turn import Turn


def begin_to_checkpoint(turn: Turn, broker_id: BrokerId) -> None:
    """The first command starts the high watermark checkpoints, and with no delay: so a broker that
    has just come up writes what it took from the file, clamped to its log
    (`ReplicaManager.startHighWatermarkCheckPointThread`, recorded on 0.10.2.2)."""
    broker = turn.cluster.broker(broker_id)
    if broker.checkpoints_high_watermarks:
        return
    turn.put_broker(replace(broker, checkpoints_high_watermarks=True))
    if any(
        replica.checkpoint_high_watermark != replica.high_watermark for replica in broker.replicas
    ):
        checkpoint_high_watermarks(turn, broker_id)


def checkpoint_high_watermarks(turn: Turn, broker_id: BrokerId) -> None:
    """`ReplicaManager.checkpointHighWatermarks`: every partition's high watermark, in one file."""
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            replicas=tuple(
                replace(replica, checkpoint_high_watermark=replica.high_watermark)
                for replica in broker.replicas
            ),
        )
    )
    turn.say(
        HighWatermarkCheckpointed(
            broker=broker_id,
            high_watermarks=tuple(
                f"{replica.partition}: {replica.high_watermark}" for replica in broker.replicas
            ),
        )
    )


def checkpoint_recovery_points(turn: Turn, broker_id: BrokerId) -> None:
    """`LogManager.checkpointLogRecoveryOffsets`: how far every log is flushed, in one file."""
    broker = turn.cluster.broker(broker_id)
    turn.put_broker(
        replace(
            broker,
            replicas=tuple(
                replace(replica, checkpoint_recovery_point=replica.flushed)
                for replica in broker.replicas
            ),
        )
    )
    turn.say(
        RecoveryPointCheckpointed(
            broker=broker_id,
            recovery_points=tuple(
                f"{replica.partition}: {replica.flushed}" for replica in broker.replicas
            ),
        )
    )
