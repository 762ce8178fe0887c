### The insights page.

headlineNone = No shared run has lost a record acknowledged with acks=all.
headlineStopped = With acks=all, runs up to Kafka { $last } lost acknowledged records. None of the later ones did.
headlineWorst = With acks=all, Kafka { $kafka } lost acknowledged records in { $rate } of its runs, more than any other.
headlineOnly = With acks=all, Kafka { $kafka } lost acknowledged records in { $lost } of { $n ->
        [one] { $n } run
       *[other] { $n } runs
    }.
headlineFault = { " " }Most often, { $fault } came last.
from = From { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    }, summarised { $when }. Simulated, not measured on real clusters. Every mark opens a run that shows it.
lossTitle = Runs that lost an acknowledged record
lossText = Share of exercised runs with 95 % intervals, by Kafka version
zeroNote = A dashed line from zero: none was lost, and its end is how often it may happen at most.
chart = Chart
table = Table
viewOf = { $title }: how to show it
noneOf = 0 of { $n }, at most { $high }
rateOf = { $rate } ({ $low } to { $high }), { $lost } of { $n }
notExercised = { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    } without an acknowledged record or without a fault: { $versions }. They show nothing and are not counted here.
nothingExercised = none exercised
behindTitle = What stood behind the loss
behindText = Last fault before the record was gone, in runs
behindNone = No shared run has lost a record yet.
lessonsTitle = Most shared lessons
lessonsText = Shares of each lesson; the red part lost an acknowledged record
lessonsNone = Nobody has shared a lesson yet.
version = Kafka
acks = acks
runs = Exercised runs
lost = Lost a record
rate = Rate
interval = 95 % interval
unexercised = Not exercised
example = Example
open = open a run
openFor = { $what }: open a run
fault = Fault
faultRuns = Runs with it
lossyRuns = Of these, lost a record
lastBefore = Last before the loss
lesson = Lesson
shares = Shares
emptyTitle = Nothing has been summarised yet
emptyText = This page says which versions and settings lose acknowledged records, counted over the runs people shared. Whoever runs this service counts them with one command:
emptyAdd = Share a run and it will be among them.
emptyPlay = Play a failure to share

## Faults as the summary names them.

fault-crash = a crash
fault-power_loss = a power loss
fault-disk_loss = a lost disk
fault-shutdown = a clean shutdown
fault-pause = a pause
fault-isolate = an isolated broker
fault-cut = a cut link
fault-drop = a dropped message
fault-unclean_election = an unclean election
