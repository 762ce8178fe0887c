### The search for a failure. Finding nothing does not prove that a run is safe.

title = Find a failure from here
property = Failure to look for
budget = Allowed faults
acks = acks of the records that the search sends
depth = Maximum steps
seconds = Maximum seconds of processor time
search = Search
cancel = Cancel
progress = { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }, { $seconds } s
counts = { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }, { $seconds } s of processor time
violated = Yes, in { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }: { $property }
neverEnds = The last { $steps ->
        [one] step ends
       *[other] { $steps } steps end
    } every fault and let everything happen that can happen. { $ending ->
        [recurs] The same states then return again and again.
       *[stuck] Then nothing changes any more.
    }
violatedAlready = This has already happened at this step.
none = Not found within these limits. Of what the search tries, it examined every state up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }: { $states } in total. A failure may still exist with more steps, or with what it did not try.
cut = { $limit ->
        [interrupt] Cancelled.
        [cpu_seconds] The limit of processor time is reached.
        [unconfirmed] The search computed a violation that a run does not reproduce. This is a bug in Highwater.
       *[states] The limit of states is reached.
    } Not found so far: { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }. The other states were not checked. From a later step, or with fewer faults, the search gets further.
unexercised = Nothing was checked: in none of the { $count ->
        [one] { $states } state
       *[other] { $states } states
    } up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    } could this have happened. Allow more, for example records or reads.
cancelled = Cancelled. The other states were not checked.
wholeCluster = For every partition of a real cluster: My cluster
question = Can this happen from this step on? The search tries combinations of steps, and finds the shortest path first. Its result lists what it tried.
scene = What goes wrong
preset-crashes = Crashes only
preset-crashes-means = Broker processes crash. Disks survive.
preset-power = With one power loss
preset-power-means = A machine also loses everything that was not flushed to disk.
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
grain = What is tried one by one
grain-all = Whole steps first, then exchanges, then every message
grain-exchange = Whole exchanges: a request, its handling and its response are one step
grain-message = Every message
grain-step = Whole steps: a fetch runs to its end, and the controller's commands arrive immediately
decides-decided = Up to { $faults }: decided for whole steps in about { $seconds } s of processor time.
decides-found = Up to { $faults }: a failure is found in about { $seconds } s of processor time.
asks = Up to { $faults }, as far as the limits allow.
upTo = Up to { $faults }:{" "}
progressOf = { $searched }: { $progress }
searched = { $grain ->
        [exchange] { $faults }, whole exchanges
        [message] { $faults }, every message
       *[step] { $faults }, whole steps
    }
count = { $count ->
        [one] { $states } state
       *[other] { $states } states
    }
exhausted = Also not found, with every state examined:
undecided = Not decided within the limits:
ofGrain = { $grain ->
        [exchange] { $outcome } This is the result for whole exchanges: what may happen between a request and its response was not tried.
        [message] { $outcome } Every message was a separate step.
       *[step] { $outcome } Only whole steps were tried, not what may happen between their messages.
    }
sentWith = The records are sent with acks={ $acks }.
times = { $count } × { $fault }
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
complete = Not found. What the search tries can reach { $count ->
        [one] { $states } state
       *[other] { $states } states
    } from here, and it examined all of them. A failure may still exist with what it did not try.
triedSteps = What the search tried
leftOut = What it did not try, and why
left-budget = The number allowed is 0
left-without = Makes a difference only together with something whose number is 0
left-part = Part of a step that is tried as a whole
left-composed = Consists of steps that are tried one by one
left-finer = Tried only if every message is a separate step
left-any_order = Adds nothing, because every order of steps is tried
left-no_effect = Nothing that the search looks for depends on it
left-release = Does not exist in this release or with its kind of controller
left-default = Always has its default
left-transactions = The search sends its records without transactions
