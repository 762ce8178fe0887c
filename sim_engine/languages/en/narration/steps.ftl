### The label of a step's button: by the step and an argument's name or value, otherwise by the step.
### Attributes: its name on the timeline (`title`), in a list of steps (`name`), on the row of its broker
### (`row`) or in the bar of actions on anything else (`bar`), the name of a fault within a sentence
### (`fault`), and the label of its number in a search (`budget`).

produce = Produce { $values } to { $to }
    .title = produce { $many ->
        [nothing] { $values }
       *[other] { $many } records
    }{ $acks ->
        [all] { "" }
       *[other] , acks={ $acks }
    }{ $broker ->
        [nothing] { "" }
       *[other] { " to " }broker { $broker }
    }
    .budget = { $count ->
        [one] more record
       *[other] more records
    }
    .name = Produce records
    .row = Produce
produce-acks = Produce { $values } to { $to }, acks={ $acks }
produce-idempotent = Produce { $values } to { $to }, acks={ $acks }, idempotent
retry = { $as } retries
    .title = { $as } retries
    .budget = { $count ->
        [one] producer retry
       *[other] producer retries
    }
    .name = Retry a produce request
    .bar = Retry
refresh = { $as } refreshes its metadata
    .title = { $as } refreshes metadata
    .budget = { $count ->
        [one] metadata refresh by a client
       *[other] metadata refreshes by clients
    }
    .name = Refresh a client’s metadata
    .bar = Refresh metadata
transaction = Transaction of { $as }: { $do }
    .title = { $as } { $do ->
        [begin] begins a transaction
        [commit] commits
       *[abort] aborts
    }
    .name = Begin or end a transaction
    .bar = Transaction
transaction-begin = { $as } begins a transaction
transaction-commit = { $as } commits its transaction
transaction-abort = { $as } aborts its transaction
consume = { $as } consumes { $partition }
    .title = { $as } reads{ $where ->
        [nothing] { "" }
       *[other] { " " }{ $where }
    }{ $broker ->
        [nothing] { "" }
       *[other] { " " }from broker { $broker }
    }
    .budget = { $count ->
        [one] read by a consumer
       *[other] reads by a consumer
    }
    .name = Consume
    .bar = Consume
consume-broker = { $as } consumes { $partition } from broker { $broker }
consume-rack = { $as } in rack { $rack } consumes { $partition }
consume-read_committed = { $as } consumes { $partition } with read_committed

fetch = Broker { $broker } fetches
    .title = { $who ->
        [nothing] fetch
       *[other] broker { $who } fetches
    }{ $where ->
        [nothing] { "" }
       *[other] { " " }{ $where }
    }{ $records ->
        [nothing] { "" }
        [one] { " " }{ $records } record
       *[other] { " " }{ $records } records
    }{ $only ->
        [nothing] { "" }
       *[other] , truncation only
    }{ $drop ->
        [nothing] { "" }
       *[other] , response lost
    }
    .name = Fetch: a whole round
    .row = Fetch
fetch-partition = Broker { $broker } fetches { $partition }
fetch-drop = Broker { $broker } fetches, and the response is lost
fetch-only = Broker { $broker } truncates
send_fetch = Broker { $broker } only sends its next request
    .title = broker { $broker } sends a request
    .name = Send one fetch request
send_fetch-partition = Broker { $broker } only sends its next request for { $partition }
deliver = Deliver the { $kind } { $from } → { $to }
    .title = { $skip ->
        [nothing] { $kind } reaches { $to ->
            [controller] the controller
           *[other] broker { $to }
        }
       *[other] { $kind } to broker { $to } skipped
    }
    .name = Deliver a message
    .bar = Deliver
deliver-nth = Deliver the { $kind } { $from } → { $to }, number { $nth } of its kind
deliver-records = Deliver { $records } metadata records to broker { $to } together
deliver-skip = Skip the { $kind } { $from } → { $to }; the next one replaces it
drop = Drop the { $kind } { $from } → { $to }
    .title = { $kind } to { $to ->
        [controller] the controller
       *[other] broker { $to }
    } lost
    .fault = a dropped message
    .budget = { $count ->
        [one] lost fetch response
       *[other] lost fetch responses
    }
    .name = Drop a message
    .bar = Drop
drop-nth = Drop the { $kind } { $from } → { $to }, number { $nth } of its kind
hold = Hold the { $kind } { $from } → { $to }
    .title = { $kind } to { $to ->
        [controller] the controller
       *[other] broker { $to }
    } held
    .budget = { $count ->
        [one] broker with delayed metadata
       *[other] brokers with delayed metadata
    }
    .name = Hold a message
    .bar = Hold
hold-nth = Hold the { $kind } { $from } → { $to }, number { $nth } of its kind
hold-metadata_record = Hold the metadata log for broker { $to }
release-metadata_record = Release the metadata log for broker { $to }
release = Release the { $kind } { $from } → { $to }
    .title = { $kind } to { $to ->
        [controller] the controller
       *[other] broker { $to }
    } released
    .name = Release a held message
    .bar = Release
release-nth = Release the { $kind } { $from } → { $to }, number { $nth } of its kind

timer = Fire the { $kind } timer of broker { $broker }
    .title = { $kind ->
        [isr_expiration] broker { $broker } checks the ISR
        [high_watermark_checkpoint] broker { $broker } saves its HW
        [recovery_point_checkpoint] broker { $broker } saves recovery points
        [flush] broker { $broker } flushes
        [isr_change_propagation] broker { $broker } checks its ISR changes
        [heartbeat] broker { $broker } sends a heartbeat
        [session_timeout] broker { $broker }’s session ends
        [preferred_leader_check] controller checks for preferred leaders
        [unclean_leader_check] controller checks for leaderless partitions
        [long_poll] broker { $broker } completes a waiting fetch
        [fetch_backoff] broker { $broker }’s fetch backoff ends
       *[produce_timeout] waiting produce requests at broker { $broker } time out
    }
    .name = Fire a timer
    .bar = Fire a timer
timer-isr_expiration = Broker { $broker } checks its ISRs
timer-high_watermark_checkpoint = Broker { $broker } checkpoints its high watermarks
timer-recovery_point_checkpoint = Broker { $broker } checkpoints its recovery points
timer-flush = Broker { $broker } flushes its logs to disk
timer-isr_change_propagation = Broker { $broker } checks whether to notify the controller of its ISR changes
timer-heartbeat = Broker { $broker } sends a heartbeat
timer-session_timeout = Broker { $broker }’s session expires
timer-preferred_leader_check = The controller checks for preferred leaders
timer-unclean_leader_check = The controller checks for leaderless partitions
timer-long_poll = Broker { $broker } completes a waiting fetch
timer-follower = Complete the waiting fetch of broker { $follower }
timer-fetch_backoff = Broker { $broker }’s fetch backoff ends
timer-produce_timeout = Waiting produce requests at broker { $broker } time out

crash = Crash broker { $broker }
    .title = crash broker { $broker }
    .fault = a crash
    .budget = { $count ->
        [one] broker crash
       *[other] broker crashes
    }
    .name = Crash a broker
    .row = Crash
power_loss = Cut the power of broker { $broker }
    .title = power loss of broker { $broker }
    .fault = a power loss
    .budget = { $count ->
        [one] power loss
       *[other] power losses
    }
    .name = Cut the power
    .row = Cut power
power_loss-keep = Cut the power of broker { $broker }; log kept up to { $keep }
disk_loss = Wipe the disk of broker { $broker }
    .title = disk loss of broker { $broker }
    .fault = a disk loss
    .budget = { $count ->
        [one] disk loss
       *[other] disk losses
    }
    .name = Wipe a disk
    .row = Wipe the disk
shutdown = Shut down broker { $broker }
    .title = { $only ->
        [begin] begin to shut down
        [end] finish shutting down
       *[nothing] shut down
    } broker { $broker }
    .fault = a controlled shutdown
    .budget = { $count ->
        [one] controlled shutdown
       *[other] controlled shutdowns
    }
    .name = Shut down a broker
    .row = Shut down
pause = Pause broker { $broker }
    .title = pause broker { $broker }
    .fault = a pause
    .budget = { $count ->
        [one] paused broker
       *[other] paused brokers
    }
    .name = Pause a broker
    .row = Pause
resume = Resume broker { $broker }
    .title = resume broker { $broker }
    .name = Resume a broker
    .row = Resume
detect = The controller detects the state of broker { $broker }
    .title = controller detects broker { $broker }
    .name = Let the controller detect a broker’s state
    .row = Let the controller detect it
start = Start broker { $broker }
    .title = start broker { $broker }
    .name = Start a broker
    .row = Start
boot-session = Boot broker { $broker } before its old session expires
boot = Boot broker { $broker }, undetected by the controller
    .title = boot broker { $broker }
    .name = Boot a broker undetected
    .row = Boot, undetected

cut = Cut the link { $from } → { $to }
    .title = cut { $from } → { $to }
    .fault = a cut link
    .budget = { $count ->
        [one] cut link, in one direction
       *[other] cut links, each in one direction
    }
    .name = Cut a link, one direction
    .bar = Cut
heal = Restore the link { $from } → { $to }
    .title = { $broker ->
        [nothing] restore { $from } → { $to }
       *[other] restore links of broker { $broker }
    }
    .name = Restore links
    .row = Restore its links
heal-broker = Restore all links of broker { $broker }
isolate = Isolate broker { $broker }
    .title = isolate broker { $broker }{ $from ->
        [controller] { " " }from the controller
        [brokers] { " " }from brokers
       *[other] { "" }
    }
    .fault = an isolated broker
    .budget = { $count ->
        [one] isolated broker
       *[other] isolated brokers
    }
    .name = Isolate a broker
    .row = Isolate
isolate-controller = Isolate broker { $broker } from the controller
isolate-brokers = Isolate broker { $broker } from the other brokers
isolate-all = Isolate broker { $broker } from all other nodes
slow = { $ms ->
    [0] Stop delaying broker { $broker }’s messages
   *[other] Delay broker { $broker }’s messages by { $ms } ms
}
    .title = { $ms ->
    [0] stop delaying broker { $broker }’s messages
   *[other] delay broker { $broker }’s messages
}
    .name = Delay a broker’s messages

elect = Elect a leader for { $partition }
    .title = { $leader ->
        [nothing] election
        [-1] election
       *[other] elect { $leader }
    }{ $kind ->
        [clean] { "" }
       *[other] , { $kind }
    }
    .budget = { $count ->
        [one] clean election of an ISR member
       *[other] clean elections of an ISR member
    }
    .name = Request an election
    .bar = Elect a leader
elect-clean = Elect a leader for { $partition } from the ISR
elect-unclean = Elect a leader for { $partition }, unclean if necessary
elect-preferred = Elect the preferred leader of { $partition }
reassign = { $replicas ->
        [nothing] Cancel the reassignment of { $partition }
       *[other] Reassign { $partition } to brokers { $replicas }
    }
    .title = { $replicas ->
        [nothing] cancel the reassignment
       *[other] reassign to { $replicas }
    }
    .budget = { $count ->
        [one] reassignment
       *[other] reassignments
    }
    .name = Reassign a partition
    .bar = Reassign
config = Set { $settings }
    .title = { $settings }
    .budget = { $count ->
        [one] changed setting
       *[other] changed settings
    }
    .bar = Change a setting
config-topic = Set { $settings } for topic { $topic }
config-broker = Set { $settings } for broker { $broker } alone
fail_controller = Fail over the controller
    .title = controller fails over
    .budget = { $count ->
        [one] controller failover
       *[other] controller failovers
    }
    .name = Fail over the controller
    .bar = Fail over

advance = Advance time by { $ms } ms without delivering messages
    .title = wait { $time }
    .budget = { $count ->
        [one] wait until lagging followers leave the ISR
       *[other] waits until lagging followers leave the ISR
    }
    .name = Advance time, deliver nothing
run = Run for { $ms } ms
    .title = run for { $time }
    .name = Run for some time
settle = Run until nothing is pending
    .title = run until idle
    .name = Run until nothing is pending
note = Author’s note
ask = A question
    .name = Question
expect = Author’s expectation
    .name = Expectation

## The kinds of elections and the late fetch, by their names in shares and searches.

unclean_election =
    .fault = an unclean election
unclean =
    .budget = { $count ->
        [one] unclean election
       *[other] unclean elections
    }
late =
    .budget = { $count ->
        [one] fetch whose messages are late
       *[other] fetches whose messages are late
    }
election =
    .budget = { $count ->
        [one] leader change
       *[other] leader changes
    }
epoch =
    .budget = { $count ->
        [one] new leader epoch
       *[other] new leader epochs
    }
