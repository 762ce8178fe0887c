### The known ways to lose acknowledged records (sim_engine/known_losses): the title of each, and what
### happens in general.

killed-replica-not-trusted = A killed broker comes back and is not trusted
killed-replica-not-trusted-what = The replica that has the record was killed. After an unclean shutdown, the controller removes it from the ELR when it registers. Once no eligible replica is left, the last known leader is elected, without the record, and the replica that has it truncates it.
surviving-copy-truncated = The surviving copy is truncated
surviving-copy-truncated-what = The last member of the ISR loses power, and with it what it had not flushed. It comes back, is still the only member of the ISR, and leads. A replica that has the record follows it and truncates.
last-in-sync-loses-power = The last in-sync replica loses power
last-in-sync-loses-power-what = With only one replica in the ISR, acks=all means one copy. It is in the page cache, and a power loss takes it.
last-in-sync-loses-disk = The last in-sync replica loses its disk
last-in-sync-loses-disk-what = With only one replica in the ISR, acks=all means one copy, and its disk is lost.
all-lose-power = All replicas lose power together
all-lose-power-what = Kafka acknowledges a record when it is in the page cache of the replicas. If all of them lose power before they have flushed it, no copy is left.
unclean-by-setting = The controller elects a replica without the record
unclean-by-setting-what = No member of the ISR is up, and unclean.leader.election.enable is true. The first replica that comes back leads, and the others truncate what it does not have.
unclean-by-hand = An administrator elects a replica without the record
unclean-by-hand-what = No member of the ISR is up, and an administrator requests an unclean election. The elected replica leads, and the others truncate what it does not have.
leader-crashes-before-replication = The leader crashes before a follower has the record
leader-crashes-before-replication-what = With acks=1 the leader acknowledges alone. If it crashes before a follower has fetched the record, the next leader does not have it.
leadership-moves = Leadership moves before a follower has the record
leadership-moves-what = With acks=1 the leader acknowledges alone. If leadership moves as planned, to the preferred leader or because of a shutdown, the next leader may not have the record yet, and the previous one truncates it.
leader-cut-off = A leader that is cut off keeps acknowledging
leader-cut-off-what = With acks=1 a leader that no longer reaches the controller does not know that it was replaced. What it acknowledges until it learns this is truncated.
follower-truncates-to-its-high-watermark = A follower truncates to its own high watermark
follower-truncates-to-its-high-watermark-what = Before KIP-101 a follower truncates to the high watermark that it knows when it starts to follow. That can be below what is committed. If it leads before it has fetched the record again, the record is lost.
leader-back-too-soon = A leader loses power and is back before its session ends
leader-back-too-soon-what = The controller does not notice that the leader was away. It stays leader without what it had not flushed, and its followers truncate to match.
follower-back-too-soon = A follower loses power and is back before its session ends
follower-back-too-soon-what = The controller does not notice that the follower was away and keeps it in the ISR, although it lacks what it had not flushed. If it is elected before it has fetched that again, the record is lost.
joins-before-caught-up = A replica joins the ISR before it has caught up
joins-before-caught-up-what = A new leader does not know yet how far the high watermark has advanced. A replica that lacks a committed record reaches the outdated value, joins the ISR, and can be elected.
epoch-unknown-to-leader = A follower asks for an epoch that its leader does not know
epoch-unknown-to-leader-what = The leader’s response is undefined, and the follower truncates to its high watermark, below what is committed. If it leads before it has fetched the record again, the record is lost.
stale-command = A follower reads an old command late
stale-command-what = A follower acknowledges a record to its leader, then reads an older command, follows the previous leader and truncates the record. Its leader still counts it.
missed-deposition = A leader misses its own deposition
missed-deposition-what = A leader was deposed and elected again, and reads both in one delivery. It keeps what it knew of its followers before and acknowledges a record that they have truncated in between.
late-response = A response from an earlier leader arrives late
late-response-what = A follower applies a fetch response of an earlier leader epoch, truncates a committed record, and stays in the ISR.

### How likely a way is judged, and why: what still has to happen. `faults` is a list of the
### messages fault-… below.

likely-now = likely now
likely-one_failure = one failure away
likely-depends = depends on your racks
likely-rare = rare

why-now = Nothing more has to fail: it happens when broker { $brokers } comes back.
why-now-by-hand = No failure is needed: it is enough that broker { $broker } is elected by hand.
why-now-by-hand-started = No failure is needed: it is enough that broker { $broker } starts first and is elected by hand.
why-now-moves = Nothing has to fail: it is enough that leadership returns to broker { $broker }, the preferred leader.
why-one = One failure is enough: { $fault }.
why-several =
    It needs { $count ->
        [one] { $count } failure
       *[other] { $count } failures
    } before the replicas have recovered: { $faults }.
why-several-by-hand =
    It needs { $count ->
        [one] { $count } failure
       *[other] { $count } failures
    } and an unclean election by hand: { $faults }.
why-race = It needs a particular order of messages around these failures: { $faults }.
why-racks-unknown = It depends on whether brokers { $brokers } share their power: their racks are not all named.
why-one-rack = Brokers { $brokers } are all in rack { $rack }: one power loss can strike all of them.
why-racks = Brokers { $brokers } are in different racks ({ $racks }), which would have to lose power at the same time.

fault-Crash = broker { $broker } crashes
fault-PowerLoss = broker { $broker } loses power
fault-DiskLoss = broker { $broker } loses its disk
fault-Isolate = broker { $broker } is cut off
fault-Shutdown = broker { $broker } is shut down
fault-Cut = a connection is interrupted
fault-Drop = a response is lost

### Why a way is left out.

left-out-acks = It needs producers that use acks=1.
left-out-release = Not in Kafka { $kafka } with { $control }.
left-out-state = This partition is not in a state that can lead there, or the settings rule it out.
left-out-keeps = Played with these brokers, release and settings, it loses nothing.

### What closes a way, and what becomes of the record.

close-min-isr = Set min.insync.replicas to 2
close-min-isr-all = Set min.insync.replicas to { $count }, the number of replicas
close-min-isr-elect = Set min.insync.replicas to 2, and, after the failure, keep broker { $stopped } stopped until broker { $elected } leads
close-flush = Set log.flush.interval.messages to 1
close-clean-only = Set unclean.leader.election.enable to false
close-acks-all = Use acks=all
close-elect-survivor = { $now ->
        [failing] After the failure, keep broker { $stopped } stopped
        [running] Stop broker { $stopped } (the other partitions that it leads need another leader)
       *[down] Keep broker { $stopped } stopped
    }, start broker { $elected }, and have it elected by hand
close-separate-power = Give brokers { $brokers } separate power supplies
close-start-member = Start the replicas that have the record first, instead of an unclean election: broker { $leader } leads
close-release = Upgrade to Kafka { $kafka }

result-keeps = keeps { $values }
result-refused = { $values } is refused
result-unacked = { $values } is not acknowledged
