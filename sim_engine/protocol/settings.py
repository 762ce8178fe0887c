"""The settings that the protocol reads, resolved for one partition."""

from msgspec import Struct

from sim_engine.versions import Profile


class PartitionSettings(Struct, frozen=True, gc=False, kw_only=True):
    """One partition's effective configuration. Names are Kafka's, with underscores for dots; times
    are in ms.
    """

    profile: Profile
    replication_factor: int
    min_insync_replicas: int
    unclean_leader_election_enable: bool
    replica_lag_time_max_ms: int
    replica_lag_max_messages: int
    """Used only without KIP-16, which removed it (0.9)."""
    replica_fetch_wait_max_ms: int
    replica_fetch_backoff_ms: int
    flush_messages: int | None
    """Flush after this many records; null: never flush, and rely on replication and the
    page cache.
    """

    @property
    def effective_min_insync_replicas(self) -> int:
        """min.insync.replicas, from 3.7 limited to the replication factor
        (`UnifiedLog`/`Partition`, KAFKA-15583).
        """
        if self.profile.rules.min_isr_gates_high_watermark:
            return min(self.min_insync_replicas, self.replication_factor)
        return self.min_insync_replicas
