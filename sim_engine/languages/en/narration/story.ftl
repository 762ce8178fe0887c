### The story of a run: the clauses of a step's summary.

## Titles: additions to a step's name, which is next to its label in steps.ftl.

beginning = start
repeated = { $title } ×{ $count }
refused = { $title }, refused
seconds = { $amount } s
milliseconds = { $amount } ms

## Summaries: clauses, joined to a sentence. The first letter is capitalized unless the clause begins with a record or a client.

summary-nothing = Nothing notable happens.
summary-1 = { $first }.
summary-2 = { $first }, and { $second }.
summary-3 = { $first }; { $second }, and { $third }.

named-next = { $named }, { $broker }
named-last = { $named } and { $broker }
subject = { $brokers ->
    [one] broker { $named }
   *[other] brokers { $named }
}
subject-again = { $brokers ->
    [one] it
   *[other] they
}
subject-after-owner = { $broker_count ->
    [one] it
   *[other] they
}
owner = { $brokers ->
    [one] broker { $named }’s
   *[other] brokers { $named }’s
}
owner-again = { $brokers ->
    [one] its
   *[other] their
}
of-partitions = { $partitions ->
    [nothing] { "" }
   *[other] { " " }of { $partitions }
}
to-partitions = { $partitions ->
    [nothing] { "" }
   *[other] { " " }to { $partitions }
}

Started = Kafka { $kafka } with { $control } starts
TimeAdvanced = nothing else happens for { $time }
Settled = nothing is pending
RecordedStepUnseen = nothing that the stage shows changes
DidNotSettle = after { $time } something is still pending
ActionRefused = refused: { $reason }

RecordLost = the last copy of { $values } is lost
RecordLost-sent_again = the last copy of one of the records { $values } is lost
RecordLost-acked = acknowledged { $values } { $values ->
    [one] is
   *[other] are
} lost
    .title = { $values } lost
PropertyViolated = { $property } is violated
PropertyViolated-NoAckedRecordLost = acknowledged { $values } { $values ->
    [one] is
   *[other] are
} lost
    .title = { $values } lost
PropertyViolated-AckedRecordAtRisk = acknowledged { $values } { $values ->
    [one] is
   *[other] are
} at risk
    .title = { $values } at risk
PropertyViolated-ConsistentRead = the log no longer matches what a consumer read
    .title = a read changed
PropertyViolated-LogMatching = two logs differ below the high watermark
    .title = logs differ

RecordProduced = { $subject } appends { $values }{ $to_partitions }
DuplicateRecognised = { $subject } already has { $values } and appends nothing
ProduceAcknowledged = { $values } { $values ->
    [one] is
   *[other] are
} acknowledged
    .title = { $values } acknowledged
ProduceFailed = { $values } { $values ->
    [one] fails
   *[other] fail
} with { $error }
    .title = { $values }: { $error }
ProduceWaiting = { $values } { $values ->
    [one] waits
   *[other] wait
} at broker { $broker }
ProduceUnanswered = { $values } { $values ->
    [one] gets
   *[other] get
} no response
    .title = { $values } unanswered
TransactionBegun = producer { $producer } begins a transaction
TransactionEnded = producer { $producer }’s transaction ends
TransactionEnded-commit = producer { $producer }’s transaction is committed
TransactionEnded-abort = producer { $producer }’s transaction is aborted
TransactionEnded-hanging = an administrator aborts the hanging transaction of producer { $producer }
MarkerWritten = { $subject } appends a transaction marker{ $to_partitions }
MarkerWritten-commit = { $subject } appends a commit marker{ $to_partitions }
MarkerWritten-abort = { $subject } appends an abort marker{ $to_partitions }
ClientMetadataRefreshed = client { $client } learns that { $leader ->
    [-1] there is no leader
   *[other] broker { $leader } is the leader
}

ConsumerRead = consumer { $consumer } reads { $values } from broker { $broker }
ConsumerPassedOver = consumer { $consumer } skips { $values }
ConsumerReadNothing = consumer { $consumer } gets no records at offset { $offset }
ConsumerOutOfRange = offset { $offset } of consumer { $consumer } is outside broker { $broker }’s log
ConsumerSentToFollower = broker { $broker } sends consumer { $consumer } to follower { $follower }
ConsumerOffsetNotAvailable = broker { $broker } does not return its latest offset to consumer { $consumer } yet
ConsumerTruncationDetected = consumer { $consumer } learns that the log was truncated at offset { $end_offset }, below its position
ReadReplaced = consumer { $consumer } has read { $values }, where the leader now has { $instead }
    .title = { $consumer } sees truncation
ConsumerPositionValidated = consumer { $consumer }’s position { $offset } is still valid
ConsumeFailed = consumer { $consumer } gets { $error }
ConsumeFailed-LEADER_NOT_AVAILABLE = consumer { $consumer } cannot read, because { $partition } has no leader

FetchSent = { $subject } { $brokers ->
    [one] fetches
   *[other] fetch
} from offset { $fetch_offset }{ $of_partitions }
FetchSent-handled = { $subject } { $brokers ->
    [one] fetches
   *[other] fetch
} from offset { $fetch_offset }{ $of_partitions }{ $fetch_offset ->
    [0] { "" }
   *[other] , so leader { $leader } knows that { $brokers ->
        [one] it has
       *[other] they have
    } everything below that
}
FetchHandled = leader { $broker } sends broker { $follower } { $records ->
    [one] { $records } record
   *[other] { $records } records
}
FetchHandled-empty = leader { $broker } has no new records for broker { $follower }
FetchHandled-no_replica = leader { $broker } does not have broker { $follower } as a replica and sends it no records
FetchParked = broker { $follower }’s fetch waits at leader { $broker }
LongPollExpired = leader { $broker } completes broker { $follower }’s waiting fetch
FetchDiverging = leader { $broker } responds to broker { $follower } that epoch { $diverging_epoch }{ $of_partitions } ends at { $end_offset }
FetchOutOfRange = offset { $fetch_offset }{ $of_partitions } is outside leader { $broker }’s log
FetchOutOfRange-undefined = leader { $broker } does not know where the last epoch of broker { $follower } ends
FetchRejected = broker { $broker } rejects broker { $follower }’s request with { $error }
FollowerEndForgotten = leader { $broker } forgets broker { $follower }’s log end offset
FetchApplied = { $subject } { $brokers ->
    [one] appends
   *[other] append
} { $values }{ $to_partitions }
FetchApplied-empty = { $subject } { $brokers ->
    [one] receives
   *[other] receive
} no records
FetchedEpochForgotten = { $subject } forgets the epoch of its last fetch
FetchErrorReceived = { $subject } { $brokers ->
    [one] receives
   *[other] receive
} { $error }
BackoffEnded = { $subject } may fetch again
PartitionFailed = { $subject } { $brokers ->
    [one] stops
   *[other] stop
} fetching after { $error }
    .title = broker { $broker } stops fetching
DivergenceHeard = { $subject } learns that its log diverges from leader { $leader }’s
EpochLookupSent = { $subject } { $brokers ->
    [one] asks
   *[other] ask
} leader { $leader } where epoch { $epoch }{ $of_partitions } ends
EpochLookupSent-no_epoch = { $subject } has no epoch to look up at leader { $leader }
EpochLookupAnswered = leader { $broker } responds to broker { $follower } that epoch { $answer_epoch }{ $of_partitions } ends at { $end_offset }
EpochLookupAnswered-offset_only = leader { $broker } responds to broker { $follower } that epoch { $epoch }{ $of_partitions } ends at { $end_offset }
EpochLookupAnswered-undefined = leader { $broker } does not know where epoch { $epoch }{ $of_partitions } ends
EpochLookupAnswered-no_epoch = leader { $broker } cannot answer broker { $follower }’s epoch lookup
EpochLookupAnswered-no_epoch_either = leader { $broker } has no epoch either and returns its log end offset to broker { $follower }
ListOffsetsSent = { $subject } requests an offset of leader { $leader }’s log
ListOffsetsAnswered = leader { $broker } returns offset { $offset } of its log
LeaderOffsetHeard = { $subject } has nothing to truncate
RoundsRepeat = { $subject } { $brokers ->
    [one] repeats
   *[other] repeat
} the same requests to leader { $leader } without effect
    .title = requests repeat
LateResponseAccepted = { $subject } { $brokers ->
    [one] applies
   *[other] apply
} a late response from broker { $leader }
    .title = late response applied
LateResponseDiscarded = { $subject } { $brokers ->
    [one] discards
   *[other] discard
} a late response from broker { $leader }

HighWatermarkAdvanced = { $owner } high watermark{ $of_partitions } rises to { $after }
    .title = HW { $after }{ $of_partitions }
HighWatermarkHeld = { $owner } high watermark{ $of_partitions } stays at { $high_watermark }
FollowerHighWatermarkSet = { $subject } { $brokers ->
    [one] learns
   *[other] learn
} high watermark { $after }{ $of_partitions }
FollowerHighWatermarkSet-back = { $owner } high watermark{ $of_partitions } goes back to { $after }

IsrChecked = { $subject } finds every ISR member in sync
IsrChecked-behind = { $owner } ISR check at { $time } finds broker { $replica } caught up { $elapsed } ago
IsrChecked-behind_fetching = { $owner } ISR check at { $time } finds that broker { $replica } last fetched { $elapsed } ago
IsrChecked-pending = { $owner } ISR change{ $of_partitions } is still pending, so it does not check the ISR
IsrChecked-pending_behind = { $owner } ISR change is still pending at { $time }, so broker { $replica }, caught up { $elapsed } ago, stays in the ISR
IsrChecked-nothing_led = { $subject } leads no partition, so there is no ISR to check
FollowerOutOfSync = broker { $replica } has fallen behind leader { $broker }
IsrJoinRefused = { $subject } may not join the ISR{ $of_partitions } yet
IsrExpandProposed = { $subject } asks the controller to add { $replicas ->
    [one] broker { $named_replicas }
   *[other] brokers { $named_replicas }
} to the ISR{ $of_partitions }
IsrShrinkProposed = { $subject } asks the controller to remove { $replicas ->
    [one] broker { $named_replicas }
   *[other] brokers { $named_replicas }
} from the ISR{ $of_partitions }
IsrExpanded = { $subject } { $brokers ->
    [one] joins
   *[other] join
} the ISR{ $of_partitions }, now { "{" }{ $isr }{ "}" }
    .title = ISR { "{" }{ $isr }{ "}" }{ $of_partitions }
IsrShrunk = { $subject } { $brokers ->
    [one] leaves
   *[other] leave
} the ISR{ $of_partitions }, now { "{" }{ $isr }{ "}" }
    .title = ISR { "{" }{ $isr }{ "}" }{ $of_partitions }
IsrCommitted = { $subject } learns that the ISR{ $of_partitions } is { "{" }{ $isr }{ "}" }
IsrChangeRepeated = the ISR{ $of_partitions } is already { "{" }{ $isr }{ "}" }
IsrChangeRejected-heard = { $subject } learns that its ISR change was rejected
IsrChangeRejected = { $owner } ISR change is rejected with { $error }
IsrChangeBlocked = { $subject } cannot reach ZooKeeper to change the ISR
IsrChangeBlocked-controller = { $subject } cannot reach the controller to change the ISR
IsrChangesKept = { $owner } ISR change check at { $time } does not notify the controller yet
IsrChangesKept-none = { $subject } has no ISR changes to report
IsrChangesTold = { $subject } writes to ZooKeeper which ISRs it changed
IsrChangesTaken = the controller reads broker { $broker }’s ISR changes

EpochAssigned = epoch { $epoch } starts at offset { $start_offset } on broker { $broker }
EpochsDropped = { $subject } removes epochs from its cache
LogTruncated = { $subject } { $brokers ->
    [one] truncates its log
   *[other] truncate their logs
}{ $of_partitions } to { $to }{ $values ->
    [nothing] { "" }
   *[other] { " " }and { $brokers ->
        [one] removes
       *[other] remove
    } { $values }
}
    .title = { $brokers ->
        [one] broker { $named } truncates
       *[other] brokers { $named } truncate
    }
LogTruncated-full = { $subject } { $brokers ->
    [one] deletes its whole log{ $of_partitions } and starts
   *[other] delete their whole logs{ $of_partitions } and start
} over at { $to }
    .title = { $brokers ->
        [one] broker { $named } deletes its log
       *[other] brokers { $named } delete their logs
    }
TruncationNotNeeded = { $subject } { $brokers ->
    [one] has
   *[other] have
} nothing to truncate{ $partitions ->
    [nothing] { "" }
   *[other] { " " }in { $partitions }
}
LogLoaded = { $subject } opens its log{ $of_partitions } up to { $log_end_offset }, high watermark { $high_watermark }
LogLoaded-recovered = { $subject } recovers its log{ $of_partitions } up to { $log_end_offset }, high watermark { $high_watermark }
LogLoaded-recovered_outside_log = { $subject } recovers its log{ $of_partitions } up to { $log_end_offset }, high watermark { $high_watermark }
LogFlushed = { $subject } flushes its log{ $of_partitions } up to { $flushed }
UnflushedRecordsLost = { $subject } loses power before it has flushed { $values }
HighWatermarkCheckpointed = { $subject } { $brokers ->
    [one] writes its high watermarks
   *[other] write their high watermarks
} to disk: { $high_watermarks }
RecoveryPointCheckpointed = { $subject } { $brokers ->
    [one] writes its recovery points
   *[other] write their recovery points
} to disk: { $recovery_points }
ReplicaCreated = { $subject } creates an empty replica
ReplicaDeleted = { $subject } deletes its replica

BecameLeader = { $subject } becomes leader{ $of_partitions } in epoch { $leader_epoch }
BecameLeader-goes_on = { $subject } remains leader{ $of_partitions }, now in epoch { $leader_epoch }
BecameFollower = { $subject } { $brokers ->
    [one] follows
   *[other] follow
} broker { $leader }
BecameLeaderless = { $subject } { $brokers ->
    [one] learns
   *[other] learn
} that { $partition } has no leader
LeaderStateReset = { $subject } resets its leader state of epoch { $leader_epoch }
PartitionChangeTaken = { $subject } { $brokers ->
    [one] reads
   *[other] read
} the partition’s change
RoleIgnored = { $subject } is shutting down and ignores its new role
StatesPassedOver = { $subject } applies only the last of { $states ->
    [one] { $states } change
   *[other] { $states } changes
}
DepositionMissed = { $subject } does not notice that broker { $leaders } was leader in between
CommandIgnored = { $subject } { $brokers ->
    [one] ignores
   *[other] ignore
} a command of no newer epoch
CommandSkipped = broker { $broker } never receives a LeaderAndIsr
CommandFenced = { $subject } { $brokers ->
    [one] rejects
   *[other] reject
} an outdated command
StopReplicaIgnored = { $subject } has no replica to delete
StopReplicaIgnored-same_epoch = { $subject } ignores StopReplica
FetchingStopped = { $subject } { $brokers ->
    [one] does
   *[other] do
} not fetch any more
DeletionDelayed = { $subject } waits for its last fetch before it deletes the replica
MetadataApplied = { $subject } { $brokers ->
    [one] reads
   *[other] read
} the metadata log up to { $offset }
MetadataUnread = { $subject } stops reading the metadata log
MetadataCacheUpdated = { $subject } updates its metadata

MessageDropped = the { $message } to { $to ->
    [controller] the controller
   *[other] broker { $to }
} is lost
MessageDropped-fetch_request = broker { $from }’s fetch is lost
MessageDropped-unawaited = a { $message } that is no longer awaited is lost
MessageDropped-fetch_response = the response to broker { $to } is lost
MessageDropped-fetch_response_empty = the response to broker { $to } is lost
MessageDropped-fetch_response_without_effect = the response to broker { $to } is lost
MessageHeld = the { $message } to { $to ->
    [controller] the controller
   *[other] broker { $to }
} is held
MessageReleased = the { $message } to { $to ->
    [controller] the controller
   *[other] broker { $to }
} is released
ResponseIgnored = { $subject } { $brokers ->
    [one] ignores
   *[other] ignore
} the { $message }
LinkCut = { $links ->
    [one] link { $links } is
   *[other] links { $links } are
} cut
    .title = cut { $links }
LinkHealed = { $links ->
    [one] link { $links } is
   *[other] links { $links } are
} restored
BrokerSlowed = { $ms ->
    [0] { $owner } messages are no longer delayed
   *[other] { $owner } messages take { $time } longer
}

BrokerBooted = { $subject } { $brokers ->
    [one] starts
   *[other] start
}
RegistrationRefused = { $subject } cannot register and exits
    .title = broker { $broker } exits
BrokerPaused = { $subject } is paused
    .title = broker { $broker } paused
BrokerResumed = { $subject } resumes
ShutdownStarted = { $subject } begins a controlled shutdown
    .title = broker { $broker } shuts down
BrokerStopped = { $subject } { $brokers ->
    [one] stops
   *[other] stop
} cleanly
BrokerCrashed = { $subject } crashes
    .title = broker { $broker } crashes
PowerLost = { $subject } loses power
    .title = power loss of broker { $broker }
DiskLost = { $subject } loses its disk
    .title = disk loss of broker { $broker }
BrokerExited = { $subject } exits instead of truncating records that its leader lacks
    .title = broker { $broker } exits
BrokerHalted = { $subject } halts instead of truncating records that its leader lacks
    .title = broker { $broker } halts
BrokerHung = { $subject } hangs instead of truncating records that its leader lacks
    .title = broker { $broker } hangs

ControllerElected = another controller takes over in controller epoch { $controller_epoch }
SessionExpired = { $owner } session expires
    .title = broker { $broker }’s session ends
BrokerJoined = { $subject } registers in ZooKeeper
    .title = broker { $broker } registers
HeartbeatReceived = the controller receives broker { $broker }’s heartbeat
HeartbeatReceived-zookeeper = ZooKeeper receives broker { $broker }’s heartbeat
BrokerRegistered = { $subject } registers with broker epoch { $broker_epoch }
    .title = broker { $broker } registers
BrokerFenced = the controller fences broker { $broker }
    .title = broker { $broker } fenced
BrokerUnfenced = the controller unfences broker { $broker }
    .title = broker { $broker } unfenced
MetadataRecordsWritten = the controller writes { $count ->
    [one] { $count } metadata record
   *[other] { $count } metadata records
}
ReassignmentStarted = the reassignment of { $partition } to brokers { $target } begins
ReassignmentStarted-reordering = the reassignment of { $partition } to the order { $target } begins
ReassignmentStarted-replaced = the reassignment of { $partition } is replaced by one to brokers { $target }
ReassignmentStarted-kept = the reassignment of { $partition } to { $asked } keeps part of the one in progress and leads to { $target }
ReassignmentStarted-never_completes = the reassignment of { $partition } to { $asked } keeps part of the one in progress and never completes
ReassignmentCancelled = the reassignment of { $partition } is cancelled
ReassignmentRepeated = the reassignment of { $partition } to { $asked } changes nothing
ReassignmentDropped = the new controller does not continue the reassignment of { $partition }
ControllerFailed = the controller fails
ControllerFailed-registration = the controller fails while it registers broker { $broker }
ControllerFailed-unfencing = the controller fails while it unfences broker { $broker }
ReassignmentCompleted = the reassignment of { $partition } to brokers { $replicas } is complete
ReplicasReordered = the order of the replicas is now { $replicas }
ProtocolLevelChanged = { $name } changes from { $before } to { $level }
ConfigChanged = { $name } is now { $value }
ConfigChanged-topic = { $name } of topic { $topic } is now { $value }
ConfigChanged-broker = { $name } of broker { $broker } alone is now { $value }

LeaderElected = { $subject }{ $leader_is ->
    [down] , which the controller still considers alive,
    [paused] , which the controller still considers alive,
    [cut_off] , which the controller still considers alive,
    [fenced] , which is fenced,
   *[up] { "" }
} is elected leader{ $of_partitions } in epoch { $leader_epoch }
    .title = elect { $leader }
LeaderElected-unclean = { $subject }{ $leader_is ->
    [down] , which the controller still considers alive,
    [paused] , which the controller still considers alive,
    [cut_off] , which the controller still considers alive,
    [fenced] , which is fenced,
   *[up] { "" }
} is elected leader{ $of_partitions } in epoch { $leader_epoch }, from outside the ISR
    .title = elect { $leader }, unclean
LeaderLost = { $partition } has no leader
    .title = no leader
LeaderRecovered = leader { $leader } is marked as recovered
ElectionNotPossible = no leader can be elected
UncleanSettingNotRead = the controller does not read the unclean setting, so no leader is elected
EligibleLeaderReplicasChanged = the ELR{ $of_partitions } is now { "{" }{ $elr }{ "}" }
PreferredLeadersChecked = the controller checks for preferred leaders
UncleanLeadersChecked = the controller checks for leaderless partitions
RecordLost-replaced = acknowledged { $values } { $values ->
    [one] is
   *[other] are
} lost
    .title = { $values } lost
RecordLost-last_copy = the last copy of lost { $values } is deleted
RecordsAtRisk = acknowledged { $values } { $values ->
    [one] is
   *[other] are
} at risk
    .title = { $values } at risk
RecordsSafeAgain = { $values } { $values ->
    [one] is
   *[other] are
} safe again
    .title = { $values } safe again
