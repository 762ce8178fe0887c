### What the errors of Kafka's protocol mean (sim_engine/client_errors.py): for the reference and the
### search.

UNKNOWN_SERVER_ERROR = The broker or the controller failed in a way that has no error of its own. Its log has the reason.
OFFSET_OUT_OF_RANGE = The leader’s log has no such offset: it begins later or ends earlier. A consumer then continues where auto.offset.reset states, and a follower truncates or starts over.
CORRUPT_MESSAGE = A record does not match its checksum.
UNKNOWN_TOPIC_OR_PARTITION = The broker has no such partition, or has not learned of it yet.
LEADER_NOT_AVAILABLE = The partition has no leader. Clients try again until there is one.
NOT_LEADER_OR_FOLLOWER = The broker does not lead this partition, or not any more. Clients refresh their metadata and ask the new leader.
REQUEST_TIMED_OUT = The ISR did not have the record in time. It is in the leader’s log and may still be committed, so a retry can write it twice unless the producer is idempotent.
REPLICA_NOT_AVAILABLE = The broker has no replica of this partition that may serve the consumer.
NOT_ENOUGH_REPLICAS = The ISR is smaller than min.insync.replicas, so the leader refuses records with acks=all. Nothing was written.
NOT_ENOUGH_REPLICAS_AFTER_APPEND = The ISR became smaller than min.insync.replicas after the leader had appended the record. It is in the log, so a retry can write it twice unless the producer is idempotent.
NOT_CONTROLLER = The receiver is not the active controller. The sender looks for the active one.
INVALID_REQUEST = The request contradicts itself or the state that it is about, such as an ISR without its leader.
OUT_OF_ORDER_SEQUENCE_NUMBER = A sequence number of an idempotent producer is missing: the partition lacks a batch that the producer sent before.
OPERATION_NOT_ATTEMPTED = The operation was not carried out. A controller responds so to an ISR change with an ineligible replica if the leader is too old to know INELIGIBLE_REPLICA.
UNKNOWN_PRODUCER_ID = The partition remembers nothing of this producer, so it cannot check the sequence number.
FENCED_LEADER_EPOCH = The request carries a leader epoch older than the broker’s: its sender does not know the latest leader yet.
UNKNOWN_LEADER_EPOCH = The request carries a leader epoch newer than the broker’s: the broker does not know yet that it was elected or replaced. The sender tries again.
STALE_BROKER_EPOCH = The request carries the epoch of an earlier start of the broker.
OFFSET_NOT_AVAILABLE = A new leader does not yet know how far the high watermark has advanced, so it does not tell consumers where the log ends.
INVALID_UPDATE_VERSION = A leader’s ISR change is based on an outdated state of the partition. The leader drops it.
INELIGIBLE_REPLICA = A leader proposed an ISR with a replica that is fenced, is shutting down or has restarted. The leader keeps the old ISR.
NEW_LEADER_ELECTED = The controller accepted an ISR change and elected another leader with it, for example at the end of a reassignment.
