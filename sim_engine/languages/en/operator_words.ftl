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
