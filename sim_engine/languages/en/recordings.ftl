### What was done to a real cluster, as a run of its recording calls each step.

create_topic = Create topic t on brokers { $replicas }
produce = Produce { $values } (acks { $acks })
produce-to = Produce { $values } to broker { $broker } (acks { $acks })
answer = Take the response to { $value }
transaction-begin = Begin a transaction
transaction-commit = Commit the transaction
transaction-abort = Abort the transaction
consume = Consume at broker { $broker } from offset { $offset }
offsets_for_leader_epoch = Ask broker { $broker } where leader epochs end
kill = Kill broker { $broker }
session_end = End the ZooKeeper session of broker { $broker }
delete_file = Delete { $deleted } of broker { $broker }
power_loss = Cut power of broker { $broker }, keep { $keep }
stop = Stop broker { $broker } cleanly
start = Start { $brokers ->
        [one] broker { $brokers }
       *[other] brokers { $brokers }
    }
freeze = Freeze broker { $broker }
thaw = Let broker { $broker } go on
wait = Wait { $ms } ms
wait-leader = Wait until broker { $leader } leads
wait-fenced = Wait until brokers { $fenced } are fenced
wait-fenced-all = Wait until every broker is fenced
wait-isr = Wait until the ISR is { $isr }
wait-isr_shrinks = Wait until the ISR shrinks
wait-answered = Wait for the response to { $answered }
elect-preferred = Ask for a preferred election
elect-unclean = Ask for an unclean election
reassign = Assign the replicas { $replicas }
cut_off = Cut broker { $broker } off from the controller
reconnect = Reconnect broker { $broker } to the controller
network-hold-request = Hold { $api } requests { $from } → { $to }
network-hold-response = Hold { $api } responses { $to } → { $from }
network-release-request = Release { $api } requests { $from } → { $to }
network-release-response = Release { $api } responses { $to } → { $from }
network-drop-request = Drop { $api } requests { $from } → { $to }
network-drop-response = Drop { $api } responses { $to } → { $from }
network-cut = Cut broker { $broker } off from ZooKeeper
network-heal = Reconnect broker { $broker } to ZooKeeper
fetch-delivered = Broker { $broker } fetches from { $from } { $rounds ->
        [one] once
       *[other] { $rounds } times
    }
fetch-held = Broker { $broker } fetches from { $from } { $rounds ->
        [one] once
       *[other] { $rounds } times
    }; the last response is held
