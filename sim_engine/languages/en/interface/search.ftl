### The search for a failure. It never says that a run is safe.

title = Find a failure from here
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
question = Can this happen from this step on? The search tries every step that you could take, and finds the shortest way first.
scene = What goes wrong
preset-one = One broker dies
preset-one-means = A process crashes, and responses may be lost. No disk is.
preset-several = Brokers die one after another
preset-several-means = Two processes crash, or one twice.
preset-zombie = A zombie leader
preset-zombie-means = A leader is cut off from the controller, stands still, or learns late that it was deposed.
preset-rack = The rack loses power
preset-rack-means = { $brokers ->
        [one] { $brokers } machine loses
       *[other] { $brokers } machines lose
    } what was not flushed to disk.
preset-own = My own
preset-own-means = Set how often each fault may happen.
limits = Limits
finer = Every message by itself
tried = What may happen at most: { $faults }.
times = { $count } × { $fault }
nothing-allowed = no fault
watch = Watch it
point = There is no return from step { $step } of these on: no continuation that keeps the record was found (tried: { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }, { $states ->
        [one] { $states } state
       *[other] { $states } states
    }).
pointBefore = There was no return already before this step.
showPoint = Show the point of no return
prevented = The same steps lose nothing with:
byConfig = { $name } = { $value }
byRule = the rule { $rule }
byKafka = Kafka { $kafka }
notPrevented = No single setting, rule or later release prevents it.
complete = No: nothing was left to try. Whatever happens within these faults was looked at from here, { $states ->
        [one] { $states } state in all.
       *[other] { $states } states in all.
    }
