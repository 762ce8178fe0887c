### The search for a failure. It never says that a run is safe.

title = Find a failure from here
question = From this step on, can this happen?
property = What could happen
budget = Faults it may use
crash = broker crashes
power_loss = power losses
drop = lost fetch answers
hold = brokers that read their metadata late (KRaft)
isolate = brokers cut off
pause = paused brokers
disk_loss = lost disks
unclean = unclean elections
produce = more records
depth = Steps at most
seconds = Seconds at most
search = Search
cancel = Cancel
progress = { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    } deep, { $seconds } s
violated = Yes, in { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }: { $property }
violatedAlready = It has already happened at this step.
open = Open it as a branch
none = Not found within these bounds: all states up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    } deep were looked at, { $states } of them. More faults or more steps may still do it.
cut = Not found before it was cut short: { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    } deep. Nothing is known of the rest.
cancelled = Cancelled. Nothing is known of what was not looked at.
grain = It tries what a person could do, one step at a time, the shortest way first.
