### My cluster: what the next failure does to a partition.

## The outcomes.

outcome-keeps = keeps everything
outcome-writes_stop = writes stop
outcome-unavailable = unavailable
outcome-can_lose = can be lost
outcome-lost = lost
outcome-pending = –
outcome-undecided = undecided

## The failures, as columns and in a sentence.

failure-crash = one broker crashes
failure-power_loss = one broker loses power
failure-disk_loss = one disk is lost
failure-isolated_leader = leader cut off from controller
failure-unclean_election = unclean election by hand

next-crash = crash
next-power_loss = power loss
next-disk_loss = lost disk
next-isolated_leader = lost connection to the controller
next-unclean_election = unclean election

## The reason of a cell: at most five words, and one sentence.

short-pending = –
why-pending = Not computed yet.
short-undecided = too many states
why-undecided = Not everything that can follow was tried: there are too many states (more than { $states }).
short-no_leader = no leader
why-no_leader = The partition has no leader that could be cut off.
short-refused = refused: { $leader } leads
why-refused = Broker { $leader } leads, so the controller refuses the election.
short-goes_on = writes go on
why-goes_on = Broker { $leader } leads with the ISR { $isr }; nothing that was acknowledged is lost, whoever returns.
short-one_copy = then one copy
why-one_copy = Broker { $leader } is then the only member of the ISR. Nothing that was acknowledged is lost.
short-new_leader = new leader in { $seconds } s
why-new_leader = After { $seconds } s the controller ends the session of { $broker } and elects { $leader }. What { $broker } still receives is not acknowledged.
short-stops = until one is back
why-stops = The ISR is then { $isr }, smaller than min.insync.replicas { $least }: acks=all is refused.
short-stops_now = as now; { $leader } leads
why-stops_now = The ISR is smaller than min.insync.replicas { $least } now and afterwards: acks=all is refused. Broker { $leader } leads, and nothing is lost.
short-until_back = until { $broker } returns
why-until_back = No other replica may lead without { $broker }. Nothing that was acknowledged is lost.
short-until_reconnected = until { $broker } reconnects
why-until_reconnected = The controller ends the session of { $broker }, and no other replica may lead. Producers that are still connected to { $broker } may go on writing. Nothing that was acknowledged is lost.
short-still_gone = as now: no leader
why-still_gone = No replica that may lead is up. Nothing that was acknowledged is lost.
short-unflushed = unflushed on { $broker }
why-unflushed = Broker { $broker } loses the records that it has not flushed. Then { $leader } leads without them.
short-unflushed_only = unflushed on { $broker }
why-unflushed_only = Broker { $broker } loses the records that it has not flushed, and no other replica has them.
short-disk = if it is { $broker }’s disk
why-disk = The disk of { $broker } had records that are then missing on the leader, { $leader }.
short-only_disk = { $broker } has the only copy
why-only_disk = Broker { $broker } has the only copy of what was acknowledged since the others left the ISR.
short-acks = what only { $broker } has
why-acks = With acks={ $acks } the leader { $broker } acknowledges alone. { $leader } is elected without those records.
short-elected = if { $leader } leads first
why-elected = Broker { $leader } can be elected from outside the ISR, without the last acknowledged records.
short-surely_elected = { $leader } leads without them
why-surely_elected = Broker { $leader } is elected from outside the ISR, without the last acknowledged records.
short-by_hand = it elects { $leader }
why-by_hand = The election makes { $leader } the leader, from outside the ISR: it lacks the last acknowledged records, or may lack them.
short-last_known = when { $returned } returns
why-last_known = Broker { $returned } did not shut down cleanly, so it leaves the ELR when it returns. { $leader }, the last known leader, is elected and may lack records.
short-later = once { $returned } is back
why-later = Once { $returned } is back, { $leader } leads without the last acknowledged records.
short-led_without = { $leader } leads without them
why-led_without = Broker { $leader } leads without the last acknowledged records.
why_assumed = { $why } { $assumed }
assumed-down = Assumed, because it is worse: { $brokers } down.
assumed-up = Assumed, because it is worse: { $brokers } up.

## What is unusual about a partition.

note-no_leader = no leader
note-one_copy = one copy, still taking writes
note-one_replica = one replica
note-none_to_spare = { $brokers } missing: none to spare
note-missing = { $brokers } not in the ISR
note-writes_stopped = writes have stopped
note-eligible = ELR { $brokers }
note-last_known = { $broker } led last
note-down = down: { $brokers }
note-not_preferred = not led by { $broker }, its preferred leader
note-reassigning = being reassigned

## The headline, and what to do first.

headline-loses_by_itself = { $partition } can lose acknowledged records when broker { $brokers } comes back.
headline-loses_once_back = { $partition } can lose acknowledged records once brokers { $brokers } are back.
headline-loses = { $partition } is one { $failure } from losing acknowledged records.
headline-gone = { $partition } has no leader.
headline-gone_and_loses = { $partition } has no leader, and is one { $failure } from losing acknowledged records.
headline-stopped = { $partition } refuses acks=all.
headline-next_gone = One failure can leave { $partition } without a leader.
headline-next_stops = One failure stops writes to { $partition }.
headline-keeps = No single failure loses acknowledged records.
headline-keeps_judged = No single failure loses acknowledged records of the partitions that could be judged.
headline-pending = No loss found so far.
first-do_not_start = Do not start broker { $broker } yet.
first-procedure = { $text }.
first-start = Start broker { $broker }.
first-find_out = Broker { $broker } runs, but is not elected to lead { $partition }: look at its log directory.
first-bring_back = Bring { $brokers } back into the ISR of { $partition }.

## The settings.

release-older = If the release is { $kafka } or older, { $setting } is on by default, and an unclean election can lose more than stated here: choose the release.
setting-assumed = No tool prints it: { $value } is assumed.
setting-default = The default of { $kafka }.
setting-stated = From the input.
setting-changed = Changed here.
setting-not_read = { $kafka } does not read it: KRaft does from 3.9 on.

## A search: its result, and its scope.

search-none = Searched { $partition } with up to { $faults }: no acknowledged record is lost.
search-stopped = Searched { $partition } with up to { $faults }: no loss found before the search stopped.
search-found = Searched { $partition }: an acknowledged record is lost in { $count ->
        [one] { $count } step
       *[other] { $count } steps
    } with { $faults }.
search-found_without_failure = Searched { $partition }: an acknowledged record is lost in { $count ->
        [one] { $count } step
       *[other] { $count } steps
    } without a further failure.
search-steps = { $more ->
        [0] { $steps }.
       *[other] { $steps } and { $more } more.
    }
search-all = { $count ->
        [one] The only state was tried
       *[other] All { $states } states were tried
    }, { $grain ->
        [step] in whole steps
        [exchange] in whole exchanges
       *[message] message by message
    }.
search-also = With up to { $faults } also { $count ->
        [one] the only state
       *[other] all { $states } states
    }, { $grain ->
        [step] in whole steps
        [exchange] in whole exchanges
       *[message] message by message
    }.
search-undecided = Not finished with up to { $faults }, { $grain ->
        [step] in whole steps
        [exchange] in whole exchanges
       *[message] message by message
    }: { $count ->
        [one] { $states } state
       *[other] { $states } states
    }, up to { $depth ->
        [one] { $depth } step
       *[other] { $depth } steps
    }.
search-nothing = { $count ->
        [one] The only state that was tried has no acknowledged record.
       *[other] None of the { $states } states that were tried has an acknowledged record.
    }
search-starts = The text leaves open in which state the partition is: { $count ->
        [one] { $count } state was a start
       *[other] { $count } states were starts
    }.
search-acks = Records are sent with acks={ $acks }.
search-left_out = Left out: { $names }.
search-times = { $count } { $fault }
search-no_fault = no further failure
search-running = Searching { $partition } with up to { $faults }, { $grain ->
        [step] in whole steps
        [exchange] in whole exchanges
       *[message] message by message
    }: { $count ->
        [one] { $states } state
       *[other] { $states } states
    } so far.
