### One-sentence explanations, shown on hover.

ISR = In-sync replicas: the leader and the followers that keep up with it. acks=all waits for all of them, and a clean election picks one of them.
AR = Assigned replicas: every broker that is to hold the partition, in sync or not; the first is the preferred leader.
maximal-ISR = The ISR together with a replica that is about to join it, or has been proposed to leave: what the high watermark waits for until the controller answers.
HW = High watermark: everything below this offset is committed, and consumers read no further.
high-watermark = Everything below this offset is committed, and consumers read no further.
LEO = Log end offset: the offset that the next record of this replica’s log will get.
log-end-offset = The offset that the next record of this replica’s log will get.
offset = A record’s place in the log of its partition, counted from 0.
record = What a producer writes and a log holds, one at each offset.
leader = The replica that producers write to and followers fetch from; it alone decides what is committed.
follower = A replica that copies the leader’s log by fetching from it, again and again. The leader never pushes.
preferred-leader = The first replica of the assignment: it is given the lead back when it is alive and in sync.
leader-epoch = A number that grows with every new leadership. Each record carries the epoch of the leader that wrote it.
partition-epoch = A number that grows with every change of the partition’s state; under ZooKeeper it is the version of the znode.
broker-epoch = A number that a broker gets each time it registers, so that its former self can be told from it.
controller-epoch = A number that grows with every new controller; brokers refuse commands of an older one.
epoch-vector = What a replica knows of past leaderships: pairs of a leader epoch and the offset at which it starts, kept in the leader-epoch-checkpoint file.
truncation = A follower cuts off the end of its log where it is not, or may not be, the same as the leader’s.
divergence = Two replicas hold different records at the same offset.
acks = What a producer waits for: 0 for nothing, 1 for the leader, all for the whole ISR.
min-insync-replicas = How many replicas the ISR must have at least for a record with acks=all to be accepted; from 3.7 on, for anything to be committed.
unclean-election = A replica outside the ISR is made leader because nobody in it is alive: the partition is back, and what that replica lacks is given up.
clean-election = A live member of the ISR is made leader.
committed = Below the high watermark: held by every replica that counted, and readable.
acknowledged = A producer has been told that the record is stored as its acks asked.
controller = The part of the cluster that notices which brokers live, elects leaders and keeps each partition’s ISR.
ZooKeeper = The separate service that kept the cluster’s state until Kafka 4.0; one broker acted as the controller on top of it.
KRaft = Kafka’s own replicated metadata log, which takes ZooKeeper’s place: controllers write to it, brokers read it in order.
znode-version = The version of a partition’s state in ZooKeeper; a write succeeds only if it names the current one.
metadata-log = KRaft’s log of everything that the controller has decided; each broker applies it at its own pace.
fenced = Registered, but not counted on: a fenced broker leads nothing and is in no ISR.
checkpoint = A small file with an offset for each partition, written now and then: one for the high watermark, one for the recovery point.
recovery-point = Everything below this offset was on disk for certain when it was written down; recovery reads the log from here on.
page-cache = The operating system’s memory of what was written to files: it outlives the process, not a power loss.
flush = Force what was written onto the disk, so that it survives a power loss.
clean-shutdown-marker = A file that a broker leaves when it stops in order, so that its logs need no recovery.
long-poll = A fetch that finds nothing waits at the leader until there is something, or until its time is up.
ELR = Eligible leader replicas (KIP-966): replicas outside the ISR that are known to have everything committed.
leader-recovery-state = RECOVERING marks a leader that was elected uncleanly and whose log may be short; RECOVERED is the normal state.
OffsetsForLeaderEpoch = The request by which a follower asks where a leader epoch ends in the leader’s log.
LeaderAndIsr = The command by which a ZooKeeper controller tells a broker which partitions to lead and which to follow.
AlterPartition = The request by which a leader asks the controller to change its ISR; AlterIsr before 3.2.
replica-lag-time-max-ms = How long a follower may go without having caught up before it leaves the ISR.
