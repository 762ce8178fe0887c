### The stage. What happened is said by the narration; these name what is drawn.

stage = Stage
logs = Logs of the replicas
offset = offset
broker = Broker { $broker }
brokerColumn = broker
leader = leader
follower = follower
noRole = no role yet
leaderInEpoch = leader · epoch { $epoch }
staleLeader = still leads in epoch { $epoch }
preferred = preferred leader
inSync = in sync
outOfSync = out of sync
ownIsr = its own ISR { $isr }
asksForIsr = asks for ISR { $isr }
cutFrom = cut off from { $brokers }
noReplica = no replica of { $partition }
truncating = truncating
resetting = resetting
fetcherFailed = fetcher failed
backingOff = backing off
paused = paused
shuttingDown = shutting down
fenced = fenced
downNoticed = down since step { $step }
downUnnoticed = down since step { $step }, not noticed
down = down
stopped = stopped at step { $step }
failed = ended by itself at step { $step }
epochFrom = epoch { $epoch } → { $start }
noEpochs = no epochs before 0.11
emptyEpochs = no epoch yet
seenAt = { $brokers ->
        [one] broker { $brokers } seen at { $offset }
       *[other] brokers { $brokers } seen at { $offset }
    }
notSeen = { $brokers ->
        [one] broker { $brokers } not seen yet
       *[other] brokers { $brokers } not seen yet
    }
highWatermark = HW { $offset }
highWatermarkFile = high watermark { $offset } in its checkpoint file
logEnd = LEO { $offset }
folded = ⋯ { $count }
foldedTitle = { $count ->
        [one] { $count } offset folded: { $from } to { $to }
       *[other] { $count } offsets folded: { $from } to { $to }
    }
openFold = { $count ->
        [one] Show the folded offset { $from }
       *[other] Show the { $count } folded offsets { $from } to { $to }
    }
foldAgain = Fold again
foldedRecords = ({ $count } more, offsets { $from } to { $to }, folded)
moreBefore = { $count } earlier
moreAfter = { $count } later
cutToMin = truncate to min({ $leader }, { $own })
cutToHighWatermark = truncate to the high watermark { $to }
cutToLogEnd = truncate to the leader’s LEO { $to }
cutFull = start over at { $to }
cutTo = truncate to { $to }
epochEndsAt = epoch { $epoch } ends at { $offset }
record = { $value }, offset { $offset }
inEpoch = epoch { $epoch }
committed = below the high watermark
uncommitted = above the high watermark
diverging = differs from the leader’s
cut = just cut off
flushed = on disk
unflushed = not yet on disk
files = files
showFiles = Show the checkpoint files of broker { $broker }
noFile = no such file before 0.11
deliver = Deliver
drop = Drop
hold = Hold
release = Release
answerNow = Answer now
held = held back
parked = waits for new records
undeliverable = cannot arrive now
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
lastStable = last stable offset { $offset }: readers of committed records stop here
inTransaction = in a transaction of producer id { $producer }
endOfTransaction = ends a transaction of producer id { $producer }
sequenceOf = sequence { $sequence } of producer id { $producer }
adding = adding
removing = removing
inZooKeeper = in ZooKeeper
registeredBrokers = registered brokers
version = version { $version }
brokerEpoch = broker epoch
hasRead = has read the metadata log to
notRegistered = not registered
unfenced = unfenced
lastKnownElr = last known ELR
recovering = leader recovering
producer = Producer { $name }
consumer = Consumer { $name }
waiting = waiting
noAnswer = no answer
acknowledged = acknowledged
acked = acked
cutNow = truncated now
cutNowShort = cut now
brokenLink = nothing from { $from } reaches { $to }
underMinIsr = below min.insync.replicas { $needed }
acknowledgedAt = acknowledged at step { $step }
noLeaderHasIt = no leader has it from step { $step }
lastCopyGone = last copy gone at step { $step }
noLeaderHas = step { $step }: no replica that may lead has { $values }
lastCopyOf = step { $step }: the last copy of { $values } is gone
earlier = { $count } earlier, all acknowledged
earlierMixed = { $count } earlier
read = read
readNothing = read nothing yet
nextOffset = next offset
nowAt = { $value }, now { $now }
properties = Properties
holds = holds
violated = violated
notExercised = not exercised
ackedAt = { $values }, acked at step { $step }
sinceStep = since step { $step }
moreProperties = { $count } more
fewerProperties = fewer
partitions = Partitions
scroll = Offsets { $first } to { $last } of { $lowest } to { $highest }
twin = Replicas of { $partition } as a table
state = state
role = role
log = log
epochs = epochs
none = none
stepOf = Step { $step } of { $steps }
messageOf = Step { $step } of { $steps }, message { $message } of { $messages }
step = Step { $step }
start = Start

## What a message says, by its kind; used when the message carries all the numbers.

reply = reply: { $what }
message-fetch_request = fetch from offset { $fetch_offset }
message-fetch_response = { $records ->
        [one] reply: { $records } record, HW { $high_watermark }
       *[other] reply: { $records } records, HW { $high_watermark }
    }
message-fetch_response-one = reply: { $values }, HW { $high_watermark }
message-fetch_response-diverging = reply: epoch { $diverging_epoch } ends at { $end_offset }
message-offsets_for_leader_epoch_request = where does epoch { $epoch } end?
message-offsets_for_leader_epoch_response = reply: epoch { $epoch } ends at { $end_offset }
message-list_offsets_request = what is the { $which } offset?
message-list_offsets_response = reply: { $which } offset { $offset }
message-leader_and_isr = leader { $leader }, epoch { $leader_epoch }, ISR { $isr }
message-metadata_record = leader { $leader }, epoch { $leader_epoch }, ISR { $isr }
message-alter_partition_request = asks for ISR { $isr }
message-alter_partition_response = reply: ISR { $isr }

## Between the parts of what is said in one breath.

separator-comma = ,{ " " }
separator-colon = :{ " " }
separator-stop = .{ " " }
