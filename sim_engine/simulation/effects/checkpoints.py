"""Writes a broker's checkpoint files: the high watermarks and recovery points of all replicas."""

from msgspec.structs import replace

from sim_engine.events.log import HighWatermarkCheckpointed, RecoveryPointCheckpointed
from sim_engine.identifiers import BrokerId
from sim_engine.simulation.permissions import ChangesBrokers


def begin_to_checkpoint(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """The first command starts the high watermark checkpoints without delay. A broker that has just
    started therefore writes the values that it read from the file, limited to its log
    (`ReplicaManager.startHighWatermarkCheckPointThread`, recorded on 0.10.2.2).
    """
    broker = work.cluster.broker(broker_id)
    if broker.checkpoints_high_watermarks:
        return
    work.put_broker(replace(broker, checkpoints_high_watermarks=True))
    if any(
        replica.checkpoint_high_watermark != replica.high_watermark for replica in broker.replicas
    ):
        checkpoint_high_watermarks(work, broker_id)


def checkpoint_high_watermarks(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """`ReplicaManager.checkpointHighWatermarks`: every partition's high watermark, in one file."""
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker,
            replicas=tuple(
                replace(replica, checkpoint_high_watermark=replica.high_watermark)
                for replica in broker.replicas
            ),
        )
    )
    work.say(
        HighWatermarkCheckpointed(
            broker=broker_id,
            high_watermarks=tuple(
                f"{replica.partition}: {replica.high_watermark}" for replica in broker.replicas
            ),
        )
    )


def checkpoint_recovery_points(work: ChangesBrokers, broker_id: BrokerId) -> None:
    """`LogManager.checkpointLogRecoveryOffsets`: how far every log is flushed, in one file."""
    broker = work.cluster.broker(broker_id)
    work.put_broker(
        replace(
            broker,
            replicas=tuple(
                replace(replica, checkpoint_recovery_point=replica.flushed)
                for replica in broker.replicas
            ),
        )
    )
    work.say(
        RecoveryPointCheckpointed(
            broker=broker_id,
            recovery_points=tuple(
                f"{replica.partition}: {replica.flushed}" for replica in broker.replicas
            ),
        )
    )
