### The search for a failure. Finding nothing does not prove that a run is safe.

title = Find a failure from here
property = Failure to look for
budget = Allowed faults
acks = acks of the records that the search sends
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
    }. The other states were not checked. From a later step, or with fewer faults, the search gets further.
cancelled = Cancelled. The other states were not checked.
question = Can this happen from this step on? The search tries every step that you could take, and finds the shortest path first.
scene = What goes wrong
preset-one = One broker dies
preset-one-means = A process crashes, and responses may be lost. Disks survive.
preset-several = Brokers die one after another
preset-several-means = Two processes crash, or one twice.
preset-zombie = A zombie leader
preset-zombie-means = A leader is isolated from the controller and does not know that it was deposed. It still acknowledges records with acks=1.
preset-rack = The rack loses power
preset-rack-means = { $brokers ->
        [one] { $brokers } machine loses
       *[other] { $brokers } machines lose
    } everything that was not flushed to disk.
preset-own = Custom
preset-own-means = Set how often each fault may happen.
limits = Limits
finer = Treat every message as a separate step
tried = Allowed faults: { $faults }.
sentWith = The records are sent with acks={ $acks }.
times = { $count } × { $fault }
nothing-allowed = no fault
watch = Watch it
point = Step { $step } of these is the point of no return: the search found no continuation that keeps the record (limits: { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }, { $states ->
        [one] { $states } state
       *[other] { $states } states
    }).
pointBefore = The point of no return is before this step.
showPoint = Show the point of no return
prevented = The same steps lose nothing with:
byConfig = { $name } = { $value }
byRule = the rule { $rule }
byKafka = Kafka { $kafka }
notPrevented = No single setting, rule or later release prevents it.
complete = No. The search was exhaustive: with these faults, it examined every state that is reachable from here, { $states ->
        [one] { $states } state in all.
       *[other] { $states } states in all.
    }
