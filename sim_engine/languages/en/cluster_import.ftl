### What an import says of what it read, and of what it could not know.

# The title of the scenario that it makes.
title = Imported cluster

## What the lines were understood as.

topic = Topic { $topic }: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
dump = Log of { $partition }: { $count ->
        [one] { $count } record
       *[other] { $count } records
    }
segment = Segment of { $partition }: { $count ->
        [one] { $count } record
       *[other] { $count } records
    }
epoch_file = Epoch file of { $partition }: { $count ->
        [one] { $count } entry
       *[other] { $count } entries
    }
offset_file = { $checkpoint }: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
meta_properties = The folder of broker { $broker }
quorum = KRaft; brokers that read the metadata log: { $brokers }
topic_configs = Settings of topic { $entity }: { $count }
broker_configs = Settings of broker { $entity }: { $count }
cluster_configs = Settings of all brokers: { $count }

## What could not be known.

release = The release is not printed. Kafka { $kafka } is assumed, the newest that fits; the oldest that fits is { $oldest }.
described_twice = { $partition } is described more than once; the last description is used.
stray = Broker { $broker } has files of { $partition }, but it is not one of its replicas. They are ignored.
broker_guessed = Broker { $broker } is read from the path of the file.
not_described = { $partition } is not described by kafka-topics. Assumed: replicas { $replicas }, leader { $leader }, ISR { $isr }.
internal_topics = Kafka's own topics are left out: { $topics }.
partitions_left_out = A scenario holds at most 16 partitions on 9 brokers: { $kept } are kept, { $count } are left out.
renamed_partition = { $partition } is called { $called } here: the partitions before it are missing.
renamed_broker = Broker { $broker } is called { $called } here: ids end at 1000.
logs_empty = Nothing is known about the logs of { $partition }. They are empty here.
log_unknown = Nothing is known about the log of broker { $broker } for { $partition }. Here it ends at { $offset }.
log_end = The log end of broker { $broker } for { $partition } is not printed. It is at least { $offset }, and { $offset } here.
window = The logs of { $partition } start at offset { $offset } here; what is before it is left out.
rebased = Offsets of { $partition } are counted from { $offset } here: offset { $offset } is 0.
stand_ins = { $count ->
        [one] { $count } record of { $partition } was
       *[other] { $count } records of { $partition } were
    } not printed. Here o17 stands for whatever is at offset 17.
changed_values = { $count ->
        [one] { $count } value of { $partition } is
       *[other] { $count } values of { $partition } are
    } written differently here: at most 32 characters, without spaces, / and *.
record_epochs = { $count ->
        [one] The epoch of { $count } record of { $partition } was
       *[other] The epochs of { $count } records of { $partition } were
    } not printed. Here it is 0.
control_records = { $count ->
        [one] { $count } transaction marker of { $partition } is an ordinary record here.
       *[other] { $count } transaction markers of { $partition } are ordinary records here.
    }
epochs_disagree = The epoch file of broker { $broker } for { $partition } does not match its log. The log counts.
leader_epoch = The leader epoch of { $partition } is not printed. It is at least { $epoch }, and { $epoch } here.
configs_left_out = { $count ->
        [one] { $count } broker setting
       *[other] { $count } broker settings
    } without effect on replication are left out.
topic_configs_left_out = Settings of topic { $topic } without effect on replication are left out: { $names }.
configs_differ = The brokers have different values of { $setting }. All have { $value } here.
crashed_to_state = { $partition }: a scenario starts with a leader and without an ELR, so steps crash brokers { $brokers } to reach the printed state.
running = Not in any ISR: { $brokers }. Whether these brokers run is not printed; they run here.
memory = Not printed by any tool: high watermarks in memory (here the lowest log end offset of the ISR), partition epochs, what is flushed beyond the recovery point, and messages in flight.
