### Each property: its title while it holds, its title once violated, and its definition.

NoAckedRecordLost = No acknowledged record is lost
    .violated_title = An acknowledged record is lost
    .sentence = Every record acknowledged with acks=all is on a replica, running or down, and no other record is committed at its offset.
LogMatching = Logs match below the high watermark
    .violated_title = Logs differ below the high watermark
    .sentence = Two live replicas have the same record at each offset below both of their high watermarks. A follower counts once it has fetched from its leader; until then it may still truncate.
WeakIsr = The leader’s ISR has all committed records
    .violated_title = A replica in the leader’s ISR lacks a committed record
    .sentence = Every replica in the ISR, as the leader knows it, has each record below that leader’s high watermark.
StrongIsr = The controller’s ISR has all committed records
    .violated_title = A replica in the controller’s ISR lacks a committed record
    .sentence = Every replica in the controller’s ISR has each record that any leader has committed; otherwise a clean election can lose it.
LeaderInIsr = The leader is in the ISR
    .violated_title = The leader is not in the ISR
    .sentence = If the controller has a leader for the partition, that leader is in the ISR.
OneLeaderPerEpoch = One leader per epoch
    .violated_title = Two leaders in one epoch
    .sentence = No two brokers lead a partition in the same leader epoch.
HighWatermarkWithinLog = High watermarks are within their logs
    .violated_title = A high watermark is outside its log
    .sentence = On every replica, log start offset ≤ high watermark ≤ log end offset.
MonotonicLeaderHighWatermark = A leader’s high watermark never goes back
    .violated_title = A leader’s high watermark decreased
    .sentence = Within one leader epoch, the leader’s high watermark does not go back. With a new leader it may.
EpochsIncrease = Epochs only increase
    .violated_title = Epochs decrease
    .sentence = Leader epochs never decrease along a log. In an epoch vector, both the epochs and the start offsets increase.
LeaderCompleteness = The leader has every committed record
    .violated_title = The leader lacks a committed record
    .sentence = A leader has every record that was committed under earlier leaders.
LeaderCandidateCompleteness = Every clean candidate has all committed records
    .violated_title = A clean candidate lacks a committed record
    .sentence = Every replica that could be elected cleanly right now has every committed record.
EligibleLeaderCompleteness = ISR and ELR have all committed records
    .violated_title = A member of ISR or ELR lacks a committed record
    .sentence = Every member of the ISR and the ELR has every committed record, except brokers that are removed when they register.
ReplicationQuorumSuperset = The leader waits for the whole ISR
    .violated_title = The leader does not wait for the whole ISR
    .sentence = The replicas that a leader’s high watermark waits for, its maximal ISR, contain the controller’s ISR.
ConsistentRead = Consistent reads
    .violated_title = A consumer’s reads contradict each other
    .sentence = A consumer never sees a different value at an offset that it has already read, and never skips a record without being notified.
AckedRecordAtRisk = No acknowledged record is at risk
    .violated_title = An acknowledged record is at risk
    .sentence = The leader according to the controller has every record acknowledged with acks=all at its offset. If there is no leader, a replica that could be elected cleanly has it: a member of the ISR or of the ELR, up or down.

### Liveness: what happens eventually, once the faults have stopped.

EventuallyReassignmentCompletes = Every reassignment completes
    .violated_title = A reassignment never completes
    .sentence = A reassignment in progress completes once the faults have stopped: links are restored, brokers run, messages arrive, followers fetch and timers fire.
EventuallyLeaderElected = Every partition gets a leader
    .violated_title = A partition never gets a leader
    .sentence = A partition without a live leader gets one once the faults have stopped, if the controller may elect one: if the ISR or the ELR has a member, or if unclean election is enabled.
EventuallyIsrRecovers = Every ISR becomes complete
    .violated_title = An ISR never becomes complete
    .sentence = The ISR of a partition with a leader has every replica once the faults have stopped: every broker runs and fetches.
EventuallyWriteIsAcceptedOrRejected = Every write is answered
    .violated_title = A write is never answered
    .sentence = A producer that waits for a response gets one once the faults have stopped: an acknowledgement or an error.
