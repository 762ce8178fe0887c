### The steps of a recording: what was done to the real cluster.

create_topic = Create topic t on brokers { $replicas }
produce = Produce { $values } (acks { $acks })
produce-to = Produce { $values } to broker { $broker } (acks { $acks })
answer = Receive the response to { $value }
transaction-begin = Begin a transaction
transaction-commit = Commit the transaction
transaction-abort = Abort the transaction
consume = Consume at broker { $broker } from offset { $offset }
offsets_for_leader_epoch = Ask broker { $broker } where leader epochs end
kill = Kill broker { $broker }
session_end = End the ZooKeeper session of broker { $broker }
delete_file = Delete { $deleted } of broker { $broker }
power_loss = Cut power of broker { $broker }, keep { $keep }
disk_loss = Destroy the disk of broker { $broker }
stop = Stop broker { $broker } cleanly
start = Start { $brokers ->
        [one] broker { $brokers }
       *[other] brokers { $brokers }
    }
freeze = Freeze broker { $broker }
thaw = Resume broker { $broker }
wait = Wait { $ms } ms
wait-leader = Wait until broker { $leader } is the leader
wait-fenced = Wait until brokers { $fenced } are fenced
wait-fenced-all = Wait until every broker is fenced
wait-isr = Wait until the ISR is { $isr }
wait-isr_shrinks = Wait until the ISR shrinks
wait-answered = Wait for the response to { $answered }
elect-preferred = Request a preferred election
elect-unclean = Request an unclean election
reassign = { $replicas ->
        [nothing] Cancel the reassignment
       *[other] Reassign to replicas { $replicas }
    }
config-cluster = Set { $settings } for the cluster
config-topic = Set { $settings } for topic { $topic }
config-broker = Set { $settings } for broker { $broker } alone
cut_off = Isolate broker { $broker } from the controller
reconnect = Reconnect broker { $broker } to the controller
cut_link = Cut the link { $from } → { $to }
heal_link = Heal the link { $from } → { $to }
network-hold-request = Hold { $api } requests { $from } → { $to }
network-hold-response = Hold { $api } responses { $to } → { $from }
network-release-request = Release { $api } requests { $from } → { $to }
network-release-response = Release { $api } responses { $to } → { $from }
network-drop-request = Drop { $api } requests { $from } → { $to }
network-drop-response = Drop { $api } responses { $to } → { $from }
network-cut = Isolate broker { $broker } from ZooKeeper
network-heal = Reconnect broker { $broker } to ZooKeeper
fetch-delivered = Broker { $broker } fetches from { $from } { $rounds ->
        [one] once
       *[other] { $rounds } times
    }
fetch-held = Broker { $broker } fetches from { $from } { $rounds ->
        [one] once
       *[other] { $rounds } times
    }; the last response is held
