### What a button says that does a step: by the step and an argument's name or value, else by the step.
### A fault is named beside it: one of them (`fault`), and how many a search may try (`budget`).

produce = Produce { $values } to { $to }
    .budget = more records
produce-acks = Produce { $values } to { $to }, acks={ $acks }
produce-idempotent = Produce { $values } to { $to }, acks={ $acks }, idempotent
retry = { $as } retries
refresh = { $as } refreshes its metadata
transaction = Transaction of { $as }: { $do }
transaction-begin = { $as } begins a transaction
transaction-commit = { $as } commits its transaction
transaction-abort = { $as } aborts its transaction
consume = { $as } consumes { $partition }
consume-broker = { $as } consumes { $partition } from broker { $broker }
consume-rack = { $as } in rack { $rack } consumes { $partition }
consume-read_committed = { $as } consumes { $partition } with read_committed

fetch = Broker { $broker } fetches
fetch-partition = Broker { $broker } fetches { $partition }
fetch-drop = Broker { $broker } fetches, and the response is lost
fetch-only = Broker { $broker } truncates
send_fetch = Broker { $broker } sends its next request
send_fetch-partition = Broker { $broker } sends its next request for { $partition }
deliver = Deliver the { $kind } { $from } → { $to }
deliver-records = Deliver { $records } metadata records to broker { $to } at once
deliver-skip = Skip the { $kind } { $from } → { $to }; the next one replaces it
drop = Drop the { $kind } { $from } → { $to }
    .fault = a dropped message
    .budget = lost fetch responses
hold = Hold the { $kind } { $from } → { $to }
    .budget = brokers with delayed metadata (KRaft)
hold-metadata_record = Hold the metadata log for broker { $to }
release-metadata_record = Release the metadata log for broker { $to }
release = Release the { $kind } { $from } → { $to }

timer = Fire the { $kind } timer of broker { $broker }
timer-isr_expiration = Broker { $broker } checks its ISRs
timer-high_watermark_checkpoint = Broker { $broker } checkpoints its high watermarks
timer-recovery_point_checkpoint = Broker { $broker } checkpoints its recovery points
timer-flush = Broker { $broker } flushes its logs to disk
timer-isr_change_propagation = Broker { $broker } notifies the controller of its ISR changes
timer-heartbeat = Broker { $broker } sends a heartbeat
timer-session_timeout = Broker { $broker }’s session expires
timer-preferred_leader_check = The controller checks for preferred leaders
timer-unclean_leader_check = The controller checks for leaderless partitions
timer-long_poll = Broker { $broker } completes a waiting fetch
timer-follower = Complete the waiting fetch of broker { $follower }
timer-fetch_backoff = Broker { $broker }’s fetch backoff ends
timer-produce_timeout = Waiting produce requests at broker { $broker } time out

crash = Crash broker { $broker }
    .fault = a crash
    .budget = broker crashes
power_loss = Cut the power of broker { $broker }
    .fault = a power loss
    .budget = power losses
power_loss-keep = Cut the power of broker { $broker }; log kept up to { $keep }
disk_loss = Wipe the disk of broker { $broker }
    .fault = a lost disk
    .budget = lost disks
shutdown = Shut down broker { $broker }
    .fault = a clean shutdown
pause = Pause broker { $broker }
    .fault = a pause
    .budget = paused brokers
resume = Resume broker { $broker }
detect = The controller detects the state of broker { $broker }
start = Start broker { $broker }
boot-session = Boot broker { $broker } before its old session expires
boot = Boot broker { $broker } without the controller noticing

cut = Cut the link { $from } → { $to }
    .fault = a cut link
heal = Restore the link { $from } → { $to }
heal-broker = Restore all links of broker { $broker }
isolate = Isolate broker { $broker }
    .fault = an isolated broker
    .budget = isolated brokers
isolate-controller = Isolate broker { $broker } from the controller
isolate-brokers = Isolate broker { $broker } from the other brokers
isolate-all = Isolate broker { $broker } from all other nodes
slow = Delay broker { $broker }’s messages by { $ms } ms

elect = Elect a leader for { $partition }
elect-clean = Elect a leader for { $partition } from the ISR
elect-unclean = Elect a leader for { $partition }, unclean if necessary
elect-preferred = Elect the preferred leader of { $partition }
reassign = Reassign { $partition } to brokers { $replicas }
config = Set { $settings }
config-topic = Set { $settings } for topic { $topic }
fail_controller = Fail over the controller

advance = Advance time by { $ms } ms without delivering messages
run = Run for { $ms } ms
settle = Run until nothing is pending
note = Author’s note
ask = A question
expect = Author’s expectation

## What an election may come to, by the names of shares and of searches.

unclean_election =
    .fault = an unclean election
unclean =
    .budget = unclean elections
