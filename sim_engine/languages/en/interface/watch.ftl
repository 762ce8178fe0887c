### The page of a live cluster that `highwater connect --watch --open` reads.

title = Live cluster
connecting = Waiting for the first reading …
source = read from { $bootstrap } at { $time }
every = Read every { $seconds } s
every-label = State of the connection
reading = reading now
slow = The last reading took { $took } s, longer than the interval of { $seconds } s. The next one follows immediately.
overdue = The reading that began at { $time } takes longer than the interval of { $seconds } s.
away = Not read since { $time }: { $reason }.
awayKept = The page shows the state of { $time }. The cluster is asked again every { $seconds } s.
again = The program highwater connect does not respond. The page shows the state of { $time } and reconnects when the program runs again.
ended = Nothing is watched here. On your machine, run:
readings = Readings
readingsAbout = What changed between two readings, newest first. What happened in between is not known. Offsets move with the traffic and are not listed.
first = First reading: { $partitions ->
        [one] { $partitions } partition
       *[other] { $partitions } partitions
    } on { $brokers ->
        [one] { $brokers } broker
       *[other] { $brokers } brokers
    }
unchanged = { $count ->
        [one] no change
       *[other] no change in { $count } readings
    }
failed = { $count ->
        [one] not read: { $reason }
       *[other] not read, { $count } times: { $reason }
    }
show = Show the partition in the reading of { $time }
shown = shown below
newest = newest
partition = Partition
partitionTitle = { $partition } as it was read at { $time }
drawn = Each value of this frame was read from the cluster, except those below that were not read. It is a state, not a run: the engine does not compute what happened between two readings.
notDrawn = The engine cannot be in this state, so only the values are shown: { $why }
noOffsets = Offsets of this partition were not read. Of { $most } partitions those in an unusual state are asked for theirs; name its topic with --topic to read it.
stage = Drawn
values = Values
notKnown = Not read, assumed in the drawing
follow = Follow the newest reading
loading = Loading the partition …
gone = This partition is not in that reading, or the reading is no longer kept.
drawnOtherwise = Drawn otherwise than they were read
recordingTitle = Recording beside the engine
recordingConnecting = Waiting for the recording …
recordingEnded = No recording is shown here. On your machine, run:
recordingAgain = The program does not respond. The page reconnects when it runs again.
recordingWaits = The brokers start. The first state appears as soon as it was read.
nothingRecorded = Nothing was recorded.
brokersStart = Run { $run } of { $runs }: the brokers start …
recordingStep = Run { $run } of { $runs }: step { $step } of { $last } …
recordingDone = The recording is complete and is in { $file }.
recordingKept = Replayed from the file.
recordingFailed = The recording failed: { $reason }
firstDifference = The engine first differs after step { $step }: { $title }.
showDifference = Show it
noDifference = Every value read so far equals the engine’s.
isFirst = first difference
steps = Steps
stepsAbout = What the brokers were made to do, what changed, and how many of the values read equal the engine’s. A recording keeps partition 0 and the values of the first run; nothing else is compared.
followStep = Follow the newest step
stepEqual = { $count ->
        [one] the value is equal
       *[other] { $count } values are equal
    }
stepDiffers = { $differs } of { $count } differ
notRead = nothing was read
notFollowed = the engine does not follow
stepTitle = { $partition } after step { $step }
onStage = On the stage
recordedStage = Recorded
engineStage = Engine
drawnRecorded = Each value of this frame was read from the brokers, except those below that were not read or are drawn otherwise.
drawnByEngine = The engine’s state after the same steps.
