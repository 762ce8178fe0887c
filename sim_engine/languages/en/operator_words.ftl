### What an operator sees: the metrics of a state, and the log lines of an event. Names, and the
### words of a log line, are Kafka’s.

## Where a value comes from.

on-controller = { $value } on the controller
on-brokers = { $value } on { $count ->
    [one] broker { $brokers }
   *[other] brokers { $brokers }
}
on-all = { $value } on every broker
on-none = reported by no broker: none is running
value-separator = { ", " }

## Why a metric does not show what is wrong.

note-no-leader = not in it: no leader
note-leader-silent = not in it: leader { $brokers } reports nothing, its process does not run
note-leader-unaware = not in it: broker { $brokers } does not know yet that it leads
note-still-in-isr = not in it: { $count ->
    [one] broker { $brokers } is down but still in the ISR
   *[other] brokers { $brokers } are down but still in the ISR
}
note-unnoticed = not in it: the controller has not noticed that leader { $brokers } does not run
note-directories-only = counts failed log directories, not { $count ->
    [one] broker { $brokers }, which is down
   *[other] brokers { $brokers }, which are down
}
note-session-lasts = { $count ->
    [one] broker { $brokers } is down, but its session has not ended
   *[other] brokers { $brokers } are down, but their sessions have not ended
}
note-follower-silent = { $count ->
    [one] broker { $brokers } would report it, and is down
   *[other] brokers { $brokers } would report it, and are down
}
note-no-leader-to-fetch-from = not in it: followers have no leader to fetch from
note-follower-not-fetching = { $count ->
    [one] broker { $brokers } has not fetched from this leader yet
   *[other] brokers { $brokers } have not fetched from this leader yet
}
note-lag-to-high-watermark = counts up to the high watermark: { $count ->
    [one] broker { $brokers } lacks only records above it
   *[other] brokers { $brokers } lack only records above it
}

## What each metric counts.

UnderReplicatedPartitions = The partitions that this broker leads whose ISR has fewer members than replicas are assigned. A partition without a leader is in no broker’s count.
UnderMinIsrPartitionCount = The partitions that this broker leads whose ISR has fewer members than min.insync.replicas: acks=all is refused.
AtMinIsrPartitionCount = The partitions that this broker leads whose ISR has exactly min.insync.replicas members: if one more leaves, acks=all is refused.
ReassigningPartitions = The partitions that this broker leads and whose replicas are being moved.
MaxLag = The largest number of records by which this broker’s followers are behind the high watermark of their leader. Records that are not committed yet are not counted.
FailedPartitionsCount = The partitions that this broker has stopped fetching after an error, until it receives a newer leader epoch.
OfflineReplicaCount = The replicas of this broker on a log directory that has failed. It does not count the replicas of brokers that are down.
OfflineLogDirectoryCount = The log directories of this broker that have failed.
IsrShrinksPerSec = How often a partition that this broker leads has lost members of its ISR by the leader’s decision. Members that the controller removes are not counted.
IsrExpandsPerSec = How often a replica has joined the ISR of a partition that this broker leads.
FailedIsrUpdatesPerSec = How often an ISR change by this broker was rejected.
OfflinePartitionsCount = The partitions without a leader, as the controller knows. Every other broker reports 0.
PreferredReplicaImbalanceCount = The partitions whose leader is not their first replica. Partitions without a leader are included.
ActiveControllerCount = 1 on the active controller, 0 on every other. The sum over the cluster must be 1.
FencedBrokerCount = The registered brokers that the controller has fenced. Under ZooKeeper it is always 0.
ActiveBrokerCount = The brokers that the controller considers alive.
ControlledShutdownBrokerCount = The brokers that are in a controlled shutdown.
UncleanLeaderElectionsPerSec = How often the controller has elected a leader that could lack committed records.
ElectionFromEligibleLeaderReplicasPerSec = How often the controller has elected an eligible leader replica (ELR). Such an election is clean.
LeaderElectionRateAndTimeMs = How often the controller has handled a change of the live brokers, and how long that took. An election without such a change is not counted.

## What each log line means.

isr-shrinks = The leader removes replicas from the ISR that were not caught up for replica.lag.time.max.ms. If the controller removes a replica, its leader prints nothing of the kind.
isr-expands = A replica has caught up, and the leader adds it to the ISR. From 2.8 only “ISR updated” is printed.
isr-written = The leader has written its new ISR to ZooKeeper itself. From 2.8 it prints the next line instead.
isr-updated = The leader’s new ISR is valid: the controller has accepted it or, under ZooKeeper, it is written. From 3.5 “(under-min-isr)” marks one in which acks=all is refused.
isr-not-written = Another controller or another leader has changed the partition in ZooKeeper, so the leader’s ISR change is dropped. A deposed leader repeats this until it is told.
isr-rejected = The controller refused the ISR change, for example because the replica is fenced. The leader keeps the old ISR.
leader-starts = The broker becomes leader in a new epoch. “from offset” is the end of its log: everything below it stays.
follower-starts = The broker becomes a follower in a new epoch, with this log end offset and high watermark.
append-refused = A produce request with acks=all was refused, because the ISR is below min.insync.replicas.
log-truncated = The broker removes the records from this offset on. If they were acknowledged, this is the loss.
truncated-below-high-watermark = Records below the broker’s own high watermark are removed: they were committed. From 2.4 to 4.1 this is never printed, because Kafka compares after the truncation.
truncation-planned = The leader’s answer about an epoch shows where the two logs diverge.
truncation-to-high-watermark = The follower has no epochs to look up, so it truncates to its high watermark. A new, empty replica prints this too.
epoch-unknown-to-leader = The leader does not know the follower’s epoch, so the follower falls back to its high watermark and may remove committed records.
epoch-unknown-to-follower = The leader’s epoch is not in the follower’s log: it truncates partly and asks again.
epoch-below-followers = The leader’s epoch is older than every epoch of the follower, which may remove its whole log.
no-truncation-needed = The follower’s log ends at or before the leader’s end of its epoch.
fetch-offset-reset = The follower’s log is longer than the leader’s, so it is cut to the leader’s end.
fetch-offset-reset-to-start = The leader has deleted the records that the follower needs next, so the follower discards its log and starts there.
fetch-offset-out-of-range = The leader has no such offset. It follows a reset, and often an unclean election.
truncation-not-allowed = The follower would have to remove records that the leader does not have, and unclean election is off, so its process ends.
leader-epoch-fenced = The leader is in a newer epoch than this follower knows.
partition-failed = The follower stops fetching this partition until it receives a newer epoch. FailedPartitionsCount counts it.
recovery-skipped = The last process stopped cleanly, so the logs are complete.
recovery-attempted = The last process did not stop cleanly: it was killed, or the machine lost power. What was not flushed may be missing.
segment-recovered = Records after the recovery point are read again and checked; what is damaged is cut off.
broker-registered = The controller has registered this start of the broker.
broker-unfenced = The broker may lead and join ISRs from now on.
registration-refused = The broker’s previous ZooKeeper session has not ended yet, so this start ends.
shutdown-started = The broker asks the controller to move its leaderships away, and then stops.
controller-elected = A broker has become controller.
live-brokers-changed = The controller has noticed that brokers came or went.
broker-failure = The controller elects other leaders for the partitions of a broker that has gone.
broker-startup = The controller sends a broker that has returned its roles.
unclean-election-chosen = No ISR member is alive, so a replica outside it is elected. From 1.1 a ZooKeeper controller prints no such warning.
partition-changed = A partition has a new leader. An ISR of one member right after an election was an unclean one, or there is one copy left.
election-failed = The partition has no leader: no replica in the ISR is alive, and unclean election is off.
preferred-leader-elected = The first replica leads again.
broker-fenced = The broker’s heartbeats stopped, and the controller takes it out of every ISR. A clean election after it prints nothing at INFO.
unfencing-granted = The broker has caught up with the metadata log and may lead again.
shutdown-granted = The controller begins to move the broker’s leaderships.
incarnation-registered = A broker has started anew. If it had not stopped cleanly, it leaves every ELR.
unclean-election = A replica outside the ISR and the ELR is elected. Committed records that it lacks are lost.
unclean-change = The same election, as every controller reads it from the metadata log.
elr-election = An eligible leader replica is elected. It has every committed record.
alter-partition-outdated = The leader proposed an ISR based on an old state of the partition.
alter-partition-ineligible = The leader proposed an ISR with a replica that is fenced, is shutting down or has restarted.
reassignment-altered = A reassignment was started or cancelled.
reassignment-completed = The leader’s new ISR completes a reassignment.
produce-retried = The producer received an error and sends the batch again.
produce-metadata-invalid = The producer sent to a broker that does not lead, and asks who does.
consumer-out-of-range = The consumer’s position is not in the leader’s log: records were deleted, or lost in an unclean election.
consumer-position-reset = The consumer continues at the position that auto.offset.reset chooses: it skips records, or reads some again.
consumer-truncation = The records that the consumer read last are gone from the leader’s log. With auto.offset.reset=none the application gets a LogTruncationException.
