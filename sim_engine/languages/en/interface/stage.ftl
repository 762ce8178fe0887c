### The stage: the names of what is drawn. The narration describes what happened.

stage = Stage
logs = Replica logs
offset = offset
broker = Broker { $broker }
brokerColumn = broker
leader = leader
follower = follower
noRole = no role yet
leaderInEpoch = leader · epoch { $epoch }
staleLeader = still leader · epoch { $epoch }?
preferred = preferred leader
inSync = in sync
outOfSync = out of sync
ownIsr = its ISR { $isr }
asksForIsr = requests ISR { $isr }
caughtUpAgo = caught up { $ago } s ago of { $most } s
actionsOf = Actions of { $name }
actionsOnBroker = Actions on broker { $broker }
allActionsOnBroker = All actions on broker { $broker }
actionsOnLink = Actions on the link { $from } → { $to }
allActionsOnLink = All actions on the link { $from } → { $to }
onOneReplica = { $count ->
        [one] { $values } is on one replica only
       *[other] { $values } are on one replica only
    }
onOneReplicaShort = { $values }: one copy left
emptyZnode = empty
notSimulated = null: not simulated
isrChangeSet = isrChangeSet of broker { $broker }
cutFrom = isolated from { $brokers }
noReplica = no replica of { $partition }
noReplicaHere = no replica of { $partition } here
inPartitions = { $partitions } { $said }
truncating = truncating
resetting = resetting
fetcherFailed = fetcher failed
backingOff = backing off
paused = paused
shuttingDown = shutting down
fenced = fenced
downNoticed = { $step ->
        [0] down
       *[other] down since step { $step }
    }
downUnnoticed = { $step ->
        [0] down, not detected
       *[other] down since step { $step }, not detected
    }
down = down
stopped = stopped at step { $step }
failed = exited at step { $step }
epochFrom = epoch { $epoch } → { $start }
noEpochs = records carry no epoch before 0.11
emptyEpochs = no epoch yet
seenAt = { $brokers ->
        [one] LEO of broker { $brokers } known: { $offset }
       *[other] LEO of brokers { $brokers } known: { $offset }
    }
notSeen = { $brokers ->
        [one] LEO of broker { $brokers } unknown
       *[other] LEO of brokers { $brokers } unknown
    }
# Short, for a narrow stage.
seenAtShort = LEO of { $brokers } known: { $offset }
notSeenShort = LEO of { $brokers } unknown
highWatermark = HW { $offset }
highWatermarkFile = high watermark { $offset } in its checkpoint file
logEnd = LEO { $offset }
logStart = log start { $offset }
termMarks = Terms in the drawing
folded = ⋯ { $count }
foldedTitle = { $count ->
        [one] { $count } offset hidden: { $from } to { $to }
       *[other] { $count } offsets hidden: { $from } to { $to }
    }
openFold = { $count ->
        [one] Show the hidden offset { $from }
       *[other] Show the { $count } hidden offsets { $from } to { $to }
    }
foldAgain = Hide again
foldedSame = { $count } same
foldedSameTitle = { $count ->
        [one] { $count } offset hidden, { $from }: the same record in every log
       *[other] { $count } offsets hidden, { $from } to { $to }: the same records in every log
    }
minimap = Offsets in view
minimapHint = The whole log. Click or drag to see another part of it.
backToStep = Back to what this step is about
foldedRecords = ({ $count } more, offsets { $from } to { $to }, hidden)
moreBefore = { $count } earlier
moreAfter = { $count } later
cutToMin = truncate to min({ $leader }, { $own })
cutToHighWatermark = truncate to the high watermark { $to }
cutToLogEnd = truncate to the leader’s LEO { $to }
cutToMinShort = to min({ $leader }, { $own })
cutToHighWatermarkShort = truncate to HW { $to }
cutToLogEndShort = truncate to LEO { $to }
cutFull = start over at { $to }
cutTo = truncate to { $to }
epochEndsAt = epoch { $epoch } ends at { $offset }
epochEndsAtShort = epoch { $epoch }: { $offset }
record = { $value }, offset { $offset }
inEpoch = epoch { $epoch }
committed = below the high watermark
uncommitted = above the high watermark
diverging = diverges from the leader
cut = just truncated
differsBeside = different in the compared run
flushed = flushed
unflushed = not flushed
files = files
showFiles = Show the checkpoint files of broker { $broker }
noFile = no such file before 0.11
deliver = Deliver
drop = Drop
hold = Hold
release = Release
respondNow = Respond now
held = held
parked = waiting for new records
undeliverable = cannot be delivered now
inbox = Messages to { $receiver }
controller = Controller
controllerReceiver = the controller
leaderChip = leader
noLeader = no leader
leaderEpoch = leader epoch
znodeVersion = znode version
partitionEpoch = partition epoch
metadataOffset = metadata offset
behind = { $count ->
        [one] broker { $broker } has not applied { $count } record
       *[other] broker { $broker } has not applied { $count } records
    }
lastStable = last stable offset { $offset }: consumers with read_committed stop here
inTransaction = part of a transaction of producer id { $producer }
inOpenTransaction = part of an open transaction of producer id { $producer }
inAbortedTransaction = part of an aborted transaction of producer id { $producer }
openTransactionOf = open transaction of producer id { $producer }, offsets { $from } to { $to }
abortedTransactionOf = aborted transaction of producer id { $producer }, offsets { $from } to { $to }
openTransaction = open transaction
openShort = open
abortedTransaction = aborted transaction
abortedShort = aborted
endOfTransaction = ends a transaction of producer id { $producer }
sequenceOf = sequence { $sequence } of producer id { $producer }
adding = adding
removing = removing
inZooKeeper = in ZooKeeper
registeredBrokers = registered brokers
version = version { $version }
brokerEpoch = broker epoch
hasRead = metadata log read up to
notRegistered = not registered
unfenced = unfenced
lastKnownElr = last known ELR
recovering = leader recovery state RECOVERING
producer = Producer { $name }
consumer = Consumer { $name }
waiting = waiting
noResponse = no response
acknowledged = acknowledged
acked = acked
cutNow = truncated in this step
cutNowShort = truncated
unflushedNow = gone: it was not on the disk
unflushedNowShort = not flushed
brokenLink = messages from { $from } do not reach { $to }
underMinIsr = below min.insync.replicas { $needed }
acknowledgedAt = { $step ->
        [0] acknowledged before the start
       *[other] acknowledged at step { $step }
    }
lastCopyGone = last copy lost at step { $step }
lastCopyOf = step { $step }: the last copy of { $values } was lost
earlier = { $count } earlier, all acknowledged
earlierMixed = { $count } earlier
read = read
readNothing = nothing read yet
nextOffset = next offset
nowAt = { $value }, now { $now }
nowAnother = { $value }, now another { $value }
properties = Properties
holds = holds
notExercised = not exercised
exercisedFrom = { $step ->
        [0] exercised from the start
       *[other] exercised from step { $step }
    }
exercised = { $exercised } of { $properties } properties exercised so far
valuesAndMore = { $values } and { $count } more
ackedAt = { $values }, acked at step { $step }
firstAtStep = first at step { $step }
moreProperties = { $violated ->
        [0] show { $count } more
       *[other] show { $count } more, { $violated } violated
    }
staleLeaderOf = Broker { $broker } still believes that it leads { $partitions }
staleLeaderShort = Broker { $broker }: stale leader
sinceStep = { $step ->
        [0] since the start
       *[other] since step { $step }
    }
lostUnpromised = { $values } { $count ->
        [one] is
       *[other] are
    } lost (acks=1)
noPromisedLost = No acks=all record is lost
noPromisedAtRisk = No acks=all record is at risk
fewerProperties = show fewer
allOfLane = { $name }: show all
partitions = Partitions
choosePartition = Make { $partition } the active partition
scroll = Offsets { $first } to { $last } of { $lowest } to { $highest }
twin = Table of the replicas of { $partition }
state = state
role = role
log = log
epochs = epochs
none = none
stepOf = Step { $step } of { $steps }
messageOf = Step { $step } of { $steps }, message { $message } of { $messages }
step = Step { $step }
start = Start

## Labels of messages, by kind; used if the message has all the numbers.

reply = response: { $what }
message-fetch_request = fetch from offset { $fetch_offset }
message-fetch_response = { $records ->
        [one] response: { $records } record, HW { $high_watermark }
       *[other] response: { $records } records, HW { $high_watermark }
    }
message-fetch_response-one = response: { $values }, HW { $high_watermark }
message-fetch_response-diverging = response: epoch { $diverging_epoch } ends at { $end_offset }
message-offsets_for_leader_epoch_request = end of epoch { $epoch }?
message-offsets_for_leader_epoch_response = response: epoch { $epoch } ends at { $end_offset }
message-list_offsets_request = { $which } offset?
message-list_offsets_response = response: { $which } offset { $offset }
message-leader_and_isr = leader { $leader }, epoch { $leader_epoch }, ISR { $isr }
message-metadata_record = leader { $leader }, epoch { $leader_epoch }, ISR { $isr }
message-alter_partition_request = requests ISR { $isr }
message-alter_partition_response = response: ISR { $isr }

## What the records of the metadata log change. Their card begins with the offset of the last one.

recordAt = metadata { $offset }: { $changes }{ $more ->
        [0] {""}
       *[other] {" "}(+{ $more })
    }
recordsUpTo = metadata log up to { $offset }
recordOfPartition = { $partition }: { $changes }
record-leader = leader { $leader }, epoch { $leader_epoch }
record-no_leader = no leader, epoch { $leader_epoch }
record-isr = ISR { $isr }
record-replicas = replicas { $replicas }
record-adding = adding { $adding }
record-removing = removing { $removing }
record-elr = ELR { $elr }
record-last_known_elr = last known ELR { $last_known_elr }
record-recovering = RECOVERING
record-recovered = RECOVERED
record-epoch = partition epoch { $partition_epoch }
record-registered = broker { $broker } registered
record-fenced = broker { $broker } fenced
record-unfenced = broker { $broker } unfenced
record-shutting_down = broker { $broker } shutting down
record-feature = { $name } level { $feature_level }
record-clear_elr = ELR cleared

## Separators between the parts of one sentence.

separator-comma = ,{ " " }
separator-colon = :{ " " }
separator-stop = .{ " " }
lostAt = lost at step { $step }
atRiskFrom = at risk from step { $step }
lostFact = step { $step }: { $values } lost
atRiskFact = step { $step }: { $values } at risk
violatedNow = violated now
violatedBefore = was violated
wasAtStep = was violated at step { $step }
dragCuts = Cut { $from } → { $to }
dragHeals = Restore { $from } → { $to }
