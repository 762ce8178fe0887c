### One-sentence explanations, shown on hover.

ISR = In-sync replicas: the leader and the followers that keep up with it. acks=all waits for all of them, and a clean election picks one of them.
AR = Assigned replicas: every broker that is assigned a replica of the partition, in sync or not; the first is the preferred leader.
OSR = Out-of-sync replicas: assigned replicas outside the ISR. They have fallen behind or are down, and no clean election picks them.
maximal-ISR = The ISR plus any replica that is about to join, including replicas that the leader has asked to remove. The high watermark waits for all of them until the controller responds.
HW = High watermark: every record below this offset is committed, and consumers read only up to it.
high-watermark = Every record below this offset is committed, and consumers read only up to it.
LEO = Log end offset: the offset that the next record of this replica’s log will get.
log-start-offset = The offset of the first record that this replica’s log still has. Records below it have been deleted.
LSO = Last stable offset: everything below it belongs to no open transaction. Consumers with read_committed read only up to it.
log-end-offset = The offset that the next record of this replica’s log will get.
offset = A record’s place in the log of its partition, counted from 0.
record = What a producer writes and a log stores; each record has its own offset.
leader = The replica that producers write to and followers fetch from; it alone decides what is committed.
follower = A replica that copies the leader’s log by fetching repeatedly. The leader never pushes.
preferred-leader = The first replica in the assignment. It becomes leader again when it is alive and in sync.
leader-epoch = A number that increases with every new leadership. Each record carries the epoch of the leader that wrote it.
partition-epoch = A number that increases with every change of the partition’s state; under ZooKeeper it is the version of the znode.
broker-epoch = A number that a broker gets each time it registers. It distinguishes the broker from its earlier starts.
controller-epoch = A number that increases with every new controller; brokers reject commands with an older one.
epoch-vector = A replica’s history of leaderships: pairs of a leader epoch and its start offset, stored in the leader-epoch-checkpoint file.
truncation = A follower removes the end of its log where it differs, or may differ, from the leader’s log.
divergence = Two replicas have different records at the same offset.
acks = What a producer waits for: 0 for no response, 1 for the leader, all for the whole ISR.
min-insync-replicas = The minimum size of the ISR for accepting records with acks=all; from 3.7, also for committing any record.
unclean-election = A replica outside the ISR becomes leader because no ISR member is alive. The partition is available again, and records that this replica lacks are lost.
clean-election = A live member of the ISR becomes leader.
committed = Below the high watermark: on every replica that the leader waits for, and readable by consumers.
acknowledged = The producer received the response that the record is stored as its acks requires.
controller = The part of the cluster that tracks live brokers, elects leaders and stores each partition’s ISR.
ZooKeeper = The separate service that kept the cluster’s state until Kafka 4.0; one broker acted as the controller on top of it.
KRaft = Kafka’s replicated metadata log, which replaces ZooKeeper: controllers write to it, and brokers read it in order.
znode-version = The version of a partition’s state in ZooKeeper; a write succeeds only if it names the current one.
metadata-log = KRaft’s log of all controller decisions; each broker applies it at its own pace.
fenced = Registered but not in use: a fenced broker leads no partition and is in no ISR.
checkpoint = A small file with one offset per partition, written periodically: one file for the high watermarks, one for the recovery points.
recovery-point = Every record below this offset was on disk when the checkpoint was written; recovery reads the log from here.
page-cache = The operating system’s memory for file contents. It survives the end of the process, but not a power loss.
flush = Force written data to disk, so that it survives a power loss.
clean-shutdown-marker = A file that a broker writes in a clean shutdown, so that its logs need no recovery.
long-poll = A fetch that finds no records waits at the leader until there are some or the wait time ends.
ELR = Eligible leader replicas (KIP-966): replicas outside the ISR that are known to have all committed records.
leader-recovery-state = RECOVERING: the leader was elected uncleanly and its log may be incomplete. RECOVERED: the normal state.
OffsetsForLeaderEpoch = A follower’s request for the end offset of a leader epoch in the leader’s log.
LeaderAndIsr = The command of a ZooKeeper controller that tells a broker which partitions to lead and which to follow.
AlterPartition = A leader’s request to the controller to change the ISR; called AlterIsr before 3.2.
replica-lag-time-max-ms = How long a follower may stay in the ISR without catching up.
