### The page "My cluster": what a cluster can lose, and what it would take.

myCluster = My cluster
title = Can my cluster lose data?

## What is pasted

lead = Paste what your cluster prints, or drop files. You get a table: for each partition, what one more failure would do, computed for your release and settings.
paste = Output of kafka-topics --describe, kafka-configs, kcat -L, broker logs, checkpoint files, server.properties …
addFiles = Add files
release = Kafka
releaseHelp = Optional. What the text does not say is inferred, and the page states how.
down = Brokers that are down
downHelp = Optional, for example 2, 3. Otherwise a leader and the members of an ISR are up, and of each other broker the worse case is taken.
read = Show what it can lose
reading = Reading …
example = Paste an example
examples = Examples
example-elr = A broker was killed, 4.1
example-kraft = One copy left, 3.7
example-old = Under-replicated, 2.3
private = The text is used to answer this request and then forgotten. Values of secrets are dropped before anything is computed. Only a link that you create is stored. This tab keeps the text without the values of secrets, so that a reload shows it again; it is forgotten when you close the tab.
instead = From the command line, without pasting:
removeOf = Remove { $name }
notUnderstood = { $count ->
        [one] { $count } line cannot be parsed
       *[other] { $count } lines cannot be parsed
    }
wantsRun = To build a run from the text instead:
wantsRunLink = Build your own

## The verdict

about = { $brokers ->
        [one] { $brokers } broker
       *[other] { $brokers } brokers
    }, { $topics ->
        [one] { $topics } topic
       *[other] { $topics } topics
    }, { $partitions ->
        [one] { $partitions } partition
       *[other] { $partitions } partitions
    }
aboutShort = { $partitions ->
        [one] { $partitions } partition
       *[other] { $partitions } partitions
    }
pasted = pasted
shared = shared
kept = kept in this tab only, unless you share it
keptLive = not stored, unless you share it
keptShared = this link never changes
counted = Partitions: { $counts }
count-can_lose = { $count } can lose
count-stop = { $count ->
        [one] { $count } stops taking writes
       *[other] { $count } stop taking writes
    }
count-keep = { $count ->
        [one] { $count } keeps everything
       *[other] { $count } keep everything
    }
short-can_lose = { $count } can lose
short-stop = { $count ->
        [one] { $count } stops
       *[other] { $count } stop
    }
short-keep = { $count ->
        [one] { $count } keeps all
       *[other] { $count } keep all
    }
betweenParts = { " " }
first = First: { $text }
showsWhy = Film { $number } shows why
copyMarkdown = Copy as Markdown
copied = Copied
json = JSON
share = Share
shareMaking = Creating the link …
copyLink = Copy link
pasteAgain = Paste again
connect = Connect instead
computing = { $done } of { $of } verdicts
cancel = Stop
stopped = Stopped. The cells without a verdict were not computed.
failed = The verdict could not be computed.
again = Try again
deleteLink = Delete the link
deleted = The link was deleted.

## What if

whatIf = What if
settings-kafka = Kafka
settings-elr = ELR
settings-acks = acks
settings-min-insync-replicas = min.insync.replicas
settings-unclean-leader-election-enable = unclean election
settings-flush-messages = flush
settings-racks = racks
noLeader = no leader
leaderIs = leader { $leader }
isrOf = ISR { $isr } of { $replicas }
watchWhy = Watch why
everyRelease = every release
upTo = up to { $until }
fromRelease = { $since } and later
between = { $since } to { $until }
value-elr-on = on
value-elr-off = off
value-unclean-leader-election-enable-true = on
value-unclean-leader-election-enable-false = off
value-flush-messages-system = left to the system
value-flush-messages-1 = every record
asPasted = unchanged; a change redraws the table
back = undo the changes
more = { $count } more
moreSettings = More settings
unread = not read by this release
pastedValue = { $value } (unchanged)
custom = other …
racks = Racks of the brokers
racksNone = none named
racksSome = { $named } of { $of } named
racksNamed = { $count ->
        [one] { $count } rack
       *[other] { $count } racks
    }
racksAllowed = Letters, digits, dots, underscores and hyphens
rackUnknown = unknown
racksHelp = The rack of each broker. Brokers of one rack lose power together.
rackOf = Rack of broker { $broker }
apply = Apply

## The table

toTable = Skip to the table
table = What one more failure does to each partition
column-partition = Partition
column-state = Leader, ISR, min
failure-crash = one broker
failure-crash-then = crashes
failure-power_loss = one broker
failure-power_loss-then = loses power
failure-disk_loss = one disk
failure-disk_loss-then = is lost
failure-isolated_leader = leader cut off
failure-isolated_leader-then = from controller
failure-unclean_election = unclean election
failure-unclean_election-then = by hand
line-crash = a broker crashes
line-power_loss = it loses power
line-disk_loss = its disk is lost
line-isolated_leader = leader cut off
line-unclean_election = unclean, by hand
tile-crash = crash
tile-power_loss = power
tile-disk_loss = disk
tile-isolated_leader = cut off
tile-unclean_election = by hand
outcome-keeps = keeps everything
outcome-writes_stop = writes stop
outcome-unavailable = unavailable
outcome-can_lose = can be lost
outcome-lost = lost
outcome-undecided = not decided
outcome-pending = not computed yet
outcome-none = does not apply
failureWhole = { $failure } { $then }
cell = { $partition }, { $failure }: { $outcome }, { $reason }
cellShort = { $partition }, { $failure }: { $outcome }
stateSeparator = { "; " }
rowName = { $partition }: { $state }
alike = and { $count } more
alikeNames = { $count ->
        [one] { $count } partition like { $partition }
       *[other] { $count } partitions like { $partition }
    }
unfold = Show the partitions like { $partition }
fold = Hide the partitions like { $partition }
find = Find a partition
notFound = No partition of this kind has this name.
foot = Worst first, alike partitions folded. A cell is one run of { $kafka } with your brokers.
move = move
watch = watch
brokers = if it strikes { $brokers ->
        [one] broker
       *[other] brokers
    } { $list }
rule = Rule
source = Source
watchRun = Watch this run
opening = Opening …
noRun = There is no run for this cell.

## Operator's words

words = { $partition } in an operator’s words
wordsAbout = what a { $kafka } cluster reports in this state

## Films

films = Known ways to lose
filmsAbout = under these settings, with your brokers
filmsLater = They follow when the table is complete.
filmsNone = None of the known ways to lose applies under these settings. That does not prove the cluster safe.
watchFilm = Watch, { $seconds } s
andMore = { $partition } and { $count } more
colon = { ": " }
comma = { ", " }
watchFilmShort = Watch
closes = What closes it
closedRun = run: { $result }
brokerRow = broker { $broker }
filmOf = film { $number } of { $count }, for { $partition }

## Searches

searches = Searches
searchAnother = Choose the faults …
searchTitle = Search one partition
searchPartition = Partition
searchOpen = Search here
searchText = Opens this partition as a run and searches it from the printed state, with the faults that you choose.
searchThis = Search { $partition }
searchStarting = Searching { $partition } …
searchLater = A search of one partition follows when the table is complete.
searchFailed = { $partition } could not be searched.
searchLeftOut = What was left out

## What was not used

notes = About the text
notKnown = Not in the text, assumed
differences = Not kept as printed
notUsed = Not used
refused = Not judged
refusedAlike = { $why } ({ $count } more like it)
understood = How it was read
line = line { $line }
lines = lines { $from }–{ $to }

## The report

sentence = { $text }.
computedBy = Computed by Highwater { $engine }: each cell is a run of the model from the printed state, not a measurement.
