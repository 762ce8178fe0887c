### What a button says that does a step: by the step and an argument's name or value, else by the step.

produce = Produce { $values } to { $to }
produce-acks = Produce { $values } to { $to }, acks={ $acks }
produce-idempotent = Produce { $values } to { $to }, acks={ $acks }, idempotent
retry = Let { $as } retry
refresh = Let { $as } ask who leads
transaction = Transaction of { $as }: { $do }
transaction-begin = Let { $as } begin a transaction
transaction-commit = Let { $as } commit its transaction
transaction-abort = Let { $as } abort its transaction
consume = Consume { $partition } as { $as }
consume-broker = Consume { $partition } from broker { $broker } as { $as }
consume-rack = Consume { $partition } as { $as } in rack { $rack }
consume-read_committed = Consume the committed records of { $partition } as { $as }

fetch = Broker { $broker } fetches
fetch-partition = Broker { $broker } fetches { $partition }
fetch-drop = Broker { $broker } fetches, and the answer is lost
fetch-only = Broker { $broker } truncates
send_fetch = Broker { $broker } sends its next request
send_fetch-partition = Broker { $broker } sends its next request for { $partition }
deliver = Deliver the { $kind } { $from } → { $to }
deliver-records = Deliver the controller’s writes to broker { $to }, { $records } at once
deliver-skip = Skip the { $kind } { $from } → { $to } in favour of the next
drop = Drop the { $kind } { $from } → { $to }
hold = Hold the { $kind } { $from } → { $to }
hold-metadata_record = Hold the metadata log back from broker { $to }
release-metadata_record = Release the metadata log to broker { $to }
release = Release the { $kind } { $from } → { $to }

timer = Fire the { $kind } timer of broker { $broker }
timer-isr_expiration = Broker { $broker } checks who keeps up
timer-high_watermark_checkpoint = Broker { $broker } checkpoints its high watermarks
timer-recovery_point_checkpoint = Broker { $broker } checkpoints its recovery points
timer-flush = Broker { $broker } flushes its logs to disk
timer-isr_change_propagation = Broker { $broker } tells the controller of its ISR changes
timer-heartbeat = Broker { $broker } sends a heartbeat
timer-session_timeout = Broker { $broker }’s session runs out
timer-preferred_leader_check = The controller looks for preferred leaders
timer-unclean_leader_check = The controller looks for partitions without a leader
timer-long_poll = Broker { $broker } answers a waiting fetch
timer-follower = Answer the waiting fetch of broker { $follower }
timer-fetch_backoff = Broker { $broker } has waited long enough
timer-produce_timeout = The time of waiting producers at broker { $broker } runs out

crash = Crash broker { $broker }
power_loss = Cut the power of broker { $broker }
power_loss-keep = Cut the power of broker { $broker }, its log keeps { $keep }
disk_loss = Destroy the disk of broker { $broker }
shutdown = Shut down broker { $broker }
pause = Pause broker { $broker }
resume = Resume broker { $broker }
detect = Let the controller notice broker { $broker }
start = Start broker { $broker }
boot-session = Boot broker { $broker } while its old session lives
boot = Boot broker { $broker }, unnoticed

cut = Cut the link { $from } → { $to }
heal = Heal the link { $from } → { $to }
heal-broker = Heal all links of broker { $broker }
isolate = Cut broker { $broker } off
isolate-controller = Cut broker { $broker } off from the controller
isolate-brokers = Cut broker { $broker } off from the other brokers
isolate-all = Cut broker { $broker } off from everybody
slow = Delay broker { $broker }’s messages by { $ms } ms

elect = Elect a leader of { $partition }
elect-clean = Elect a leader of { $partition } from the ISR
elect-unclean = Elect a leader of { $partition }, uncleanly if need be
elect-preferred = Make the preferred leader of { $partition } lead
reassign = List the replicas of { $partition } as { $replicas }
config = Set { $settings }
config-topic = Set { $settings } for topic { $topic }
fail_controller = Let another broker become controller

advance = Let { $ms } ms pass, messages stay
run = Run for { $ms } ms
settle = Run until everything is at rest
note = The author’s note
ask = A question
expect = What the author expects
