### The report of an import: what it recognized, and what it had to assume.

# The title of the imported scenario.
title = Imported cluster

## How the input was interpreted.

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
meta_properties = Log directory of broker { $broker }
quorum = KRaft; brokers that read the metadata log: { $brokers }
topic_configs = Settings of topic { $entity }: { $count }
broker_configs = Settings of broker { $entity }: { $count }
cluster_configs = Settings of all brokers: { $count }

## Assumptions.

release = The input does not contain the release. Kafka { $kafka } is assumed, the newest that matches; the oldest that matches is { $oldest }.
described_twice = { $partition } is described more than once; the last description is used.
stray = Broker { $broker } has files of { $partition }, but it is not one of its replicas. They are ignored.
broker_guessed = Broker { $broker } is read from the path of the file.
not_described = kafka-topics does not describe { $partition }. Assumed: replicas { $replicas }, leader { $leader }, ISR { $isr }.
internal_topics = Kafka's internal topics are omitted: { $topics }.
partitions_left_out = A scenario can have at most 16 partitions on 9 brokers: { $kept } are imported, { $count } are omitted.
renamed_partition = { $partition } is imported as { $called }, because the partitions before it are missing.
renamed_broker = Broker { $broker } is imported as { $called }, because the highest id is 1000.
logs_empty = The input has no logs of { $partition }. They are imported as empty.
log_unknown = The input has no log of broker { $broker } for { $partition }. It is assumed to end at { $offset }.
log_end = The input does not contain the log end offset of broker { $broker } for { $partition }. It is at least { $offset }, which is assumed.
window = The logs of { $partition } are imported from offset { $offset } on; earlier records are omitted.
rebased = Offsets of { $partition } are shifted by { $offset }: offset { $offset } becomes 0.
stand_ins = { $count ->
        [one] { $count } record of { $partition } was
       *[other] { $count } records of { $partition } were
    } not printed. A placeholder such as o17 stands for the record at offset 17.
changed_values = { $count ->
        [one] { $count } value of { $partition } is
       *[other] { $count } values of { $partition } are
    } changed: values have at most 32 characters, without spaces, / and *.
record_epochs = { $count ->
        [one] The epoch of { $count } record of { $partition } was
       *[other] The epochs of { $count } records of { $partition } were
    } not printed. Epoch 0 is assumed.
control_records = { $count ->
        [one] { $count } transaction marker of { $partition } is imported as an ordinary record.
       *[other] { $count } transaction markers of { $partition } are imported as ordinary records.
    }
epochs_disagree = The epoch file of broker { $broker } for { $partition } does not match its log. The log is used.
leader_epoch = The input does not contain the leader epoch of { $partition }. It is at least { $epoch }, which is assumed.
configs_left_out = { $count ->
        [one] { $count } broker setting
       *[other] { $count } broker settings
    } without effect on replication omitted.
topic_configs_left_out = Settings of topic { $topic } without effect on replication are omitted: { $names }.
left_out = { $names }: { $what }. { $reason }. This is omitted.
configs_differ = The brokers have different values of { $setting }. { $value } is used for all of them.
crashed_to_state = { $partition }: a scenario starts with a leader and without an ELR, so steps crash brokers { $brokers } to reach the printed state.
running = Not in any ISR: { $brokers }. The input does not show whether these brokers are running; they are assumed to be.
memory = No tool prints these: high watermarks in memory (assumed: the lowest log end offset of the ISR), partition epochs, data flushed beyond the recovery point, and messages in flight.
