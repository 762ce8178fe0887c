### The search for a failure. It never says that a run is safe.

title = Find a failure from here
question = Starting at this step, can this happen?
property = Failure to look for
budget = Allowed faults
depth = Maximum steps
seconds = Maximum seconds
search = Search
cancel = Cancel
progress = { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }, { $seconds } s
violated = Yes, in { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }: { $property }
violatedAlready = This has already happened at this step.
open = Open as a branch
none = Not found within these limits. All states up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    } were checked ({ $states } in total). A failure may still exist with more faults or more steps.
cut = Not found before the search stopped: { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }. The other states were not checked.
cancelled = Cancelled. The other states were not checked.
grain = The search tries every action that is available to you, one step at a time, and finds the shortest sequence first.
