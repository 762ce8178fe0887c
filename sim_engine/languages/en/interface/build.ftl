### The page for building your own cluster.

title = Build your own
views = Ways to build it
stage = Stage
toStage = Skip to the stage
cluster = Cluster
imported = Import
file = File
newRunTitle = My run
startFrom = Start from
previewText = the cluster before its first step
previewAfter = the cluster after step { $place }
previewBack = Show the cluster one step earlier
previewOn = Show the cluster one step later
previewOld = the last valid state
previewNone = There is no valid cluster yet.
follows = What follows from this
shownBefore = the cluster before step { $number }, which is not possible
becomes = { $inserted ->
        [true] An action becomes step { $number }, before the later steps.
       *[other] An action becomes step { $number }.
    }
added = Step { $number } added.
share = Share
impossible = Not possible: { $reason }.
impossibleSteps = { $count ->
        [one] { $count } step is not possible.
       *[other] { $count } steps are not possible.
    }
undo = Undo
redo = Redo
problems = { $count ->
        [one] { $count } error
       *[other] { $count } errors
    }
repair = Write { $repair }
save = Save as a file
fileHelp = Press Ctrl+Space to complete. Press Escape, then Tab to leave the editor.
noForm = The file is not valid YAML. Correct it in the File tab first.

## The form

version = Kafka version
controller = Controller
oneController = Kafka { $kafka } supports only this controller.
brokers = Brokers and racks
broker = broker
rack = rack
rackOf = Rack of broker { $broker }
removeBroker = Remove broker { $broker }
topics = Topics
topic = topic
topicName = Name of the topic
removeTopic = Remove topic
partitions = partitions
partitionsOf = Partitions of { $topic }
partition = Partition
replicasOf = Replicas of { $partition }
preferred = preferred
moveForward = Move broker { $broker } forward in { $partition }
removeReplica = Remove the replica of { $partition } on broker { $broker }
addReplica = + { $broker }: add a replica of { $partition } on this broker
settings = Settings
moreSettings = { $count ->
        [one] { $count } more setting of Kafka { $kafka }
       *[other] { $count } more settings of Kafka { $kafka }
    }
isDefault = (default)
meansMinIsr = acks=all needs { $replicas ->
        [one] { $replicas } in-sync replica
       *[other] { $replicas } in-sync replicas
    }
meansClean = only an in-sync or eligible replica becomes leader
meansUnclean = a replica that lacks records may become leader
meansLag = a follower may lag for { $seconds } s
replicaCount = replicas
replicasOfTopic = Replicas of each partition of { $topic }
toDefault = default: { $value }
toDefaultOf = default: { $value }. Reset { $name } to it
logs = Starting logs
logsText = + appends a record. Clicking a record raises its epoch by one. Delete removes the record and all that follow it.
brokerRow = broker { $broker }
leader = leader
epoch = epoch
cell = { $value } e{ $epoch } on broker { $broker }: raise its epoch by one
append = Append a record on broker { $broker }
cutLast = Remove the last record on broker { $broker }
moreCells = { $count } more
leaderEpoch = Leader epoch
steps = Steps
runTitle = Title
note = Note
question = Question
stepNamed = step { $number }
noteNamed = the note { $number ->
        [0] at the start
       *[other] after step { $number }
    }
questionNamed = the question { $number ->
        [0] at the start
       *[other] after step { $number }
    }
checkNamed = the check { $number ->
        [0] at the start
       *[other] after step { $number }
    }
noteAt = Note { $number ->
        [0] at the start
       *[other] after step { $number }
    }
questionAt = Question { $number ->
        [0] at the start
       *[other] after step { $number }
    }
newNote = What happens here, and why?
newQuestion = What happens next?
yes = The record is kept.
no = The record is lost.
stepUp = Move { $what } up
stepDown = Move { $what } down
stepRemove = Remove { $what }
addNote = Add a note after { $what }
addQuestion = Add a question after { $what }
stepKind = Kind of step
step = step
stepsText = What you do on the stage becomes a step. The number of a step shows the cluster after it.
start = Start
showStart = Start: show the cluster before its first step
showAfter = Show the cluster after step { $number }
edit = Edit
editOf = Edit { $what }: { $step }
editTitle = Step { $number }: { $step }
stepLine = The step as YAML, on one line
lineWrong = This is not valid YAML. Write one step, for example: crash: { "{" }broker: 1{ "}" }
apply = Apply

## What the author expects, in the row of its check

expectedSeparator = { "; " }
expectedOf = { $of }: { $parts }
expectedValue = { $name } { $value }
expectedLog = { $records ->
        [nothing] an empty log
       *[other] log { $records }
    }
expectedAcked = { $values ->
        [nothing] nothing is acked
       *[other] acked { $values }
    }
expectedLost = { $values ->
        [nothing] nothing is lost
       *[other] lost { $values }
    }
nothingViolated = nothing is violated
expectedError = { $error ->
        [nothing] no error for { $value }
       *[other] { $value } is answered with { $error }
    }
expectedRead = { $values ->
        [nothing] { $consumer } has read nothing
       *[other] { $consumer } has read { $values }
    }
expectedRefused = { $refused ->
        [false] the step is possible
       *[true] the step is not possible
    }

## From a real cluster

clusterText = Paste the output of Kafka’s tools, or drop files: kafka-topics --describe, kafka-dump-log, kafka-metadata-quorum describe, kafka-configs --describe, kafka-features, kafka-get-offsets, kafka-log-dirs, kafka-reassign-partitions, kcat -L, logs of brokers, nodes of ZooKeeper, resources of Strimzi, server.properties, checkpoint files, meta.properties. What you paste is not kept: only a run that you start from it is stored, and nobody else has its link unless you share it. Values of secrets are dropped.
toVerdict = What can this cluster lose? My cluster shows it for every partition.
paste = Output of the tools
read = Read it
addFiles = Add files
example = Insert an example
brokerHelp = A line “# broker 1” above a checkpoint file names its broker; the path of a file can also name it. Leave the version empty if you do not know it.
removeOf = Remove { $name }
notUnderstood = { $count ->
        [one] { $count } line cannot be parsed. Remove or correct it:
       *[other] { $count } lines cannot be parsed. Remove or correct them:
    }
understood = Understood
unknown = Not known, and assumed
notUsed = Not used
differences = Different from the input

## My runs

mine = My runs
mineText = The runs that you created and shared in this browser, at most 400 of each. Their keys are stored only in this browser.
mineNone = Nothing yet. A run appears here when you act in it or share it.
shared = Shared
nameOf = Name of { $name }
open = Open
delete = Delete
deleteOf = Delete { $name }
deleteSure = Delete for everyone
keep = Keep
forget = Remove from the list
forgetOf = Remove from the list: { $name }. It becomes read-only
editAsFile = Edit as a file
