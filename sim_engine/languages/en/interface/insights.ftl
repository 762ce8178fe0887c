### The insights page.

headlineNone = No shared run has lost a record acknowledged with acks=all.
headlineStopped = With acks=all, runs up to Kafka { $last } lost acknowledged records. No later run did.
headlineWorst = With acks=all, Kafka { $kafka } lost acknowledged records in { $rate } of its runs, more than any other version.
headlineOnly = With acks=all, Kafka { $kafka } lost acknowledged records in { $lost } of { $n ->
        [one] { $n } run
       *[other] { $n } runs
    }.
headlineFault = { " " }The most common last fault: { $fault }.
from = From { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    }, summarized { $when }. All runs are simulated; nothing was measured on real clusters. Click a mark to open a run.
lossTitle = Runs that lost an acknowledged record
lossText = Percentage of relevant runs, with 95% confidence intervals, by Kafka version
zeroNote = A dashed line that starts at zero: no run lost a record. It ends at the upper bound of the rate.
chart = Chart
table = Table
viewOf = { $title }: view as
noneOf = 0 of { $n }; upper bound { $high }
rateOf = { $rate } ({ $low } to { $high }), { $lost } of { $n }
notExercised = { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    } without an acknowledged record or without a fault: { $versions }. They are no evidence of safety and are not counted here.
nothingExercised = no relevant run yet
behindTitle = Faults that led to a loss
behindText = Last fault before the record was lost, number of runs
behindNone = No shared run has lost a record yet.
lessonsTitle = Most shared lessons
lessonsText = Shares of each lesson; red: runs that lost an acknowledged record
lessonsNone = No lesson has been shared yet.
version = Kafka
acks = acks
runs = Relevant runs
lost = Lost a record
rate = Rate
interval = 95% interval
unexercised = Not counted
example = Example
open = open a run
openFor = { $what }: open a run
fault = Fault
faultRuns = Runs with this fault
lossyRuns = Runs that lost a record
lastBefore = Last fault before the loss
lesson = Lesson
shares = Shares
emptyTitle = No summary yet
emptyText = This page shows which versions and settings lose acknowledged records in shared runs. To compute it, the operator of this service runs one command:
emptyAdd = If you share a run, it is included in the next summary.
emptyPlay = Play a failure and share it
