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
features = Features of a KRaft cluster: { $names }
offsets = High watermarks of leaders: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
kcat = Metadata by kcat: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
log_dirs = Log directories: { $count ->
        [one] { $count } replica
       *[other] { $count } replicas
    }
metadata_log = Metadata log of KRaft: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
broker_log = Lines of a log that state something of a partition or a broker
node = Nodes of ZooKeeper or of the metadata shell, or assignments
resources = Resources of Strimzi
election = Elections of preferred leaders: { $count ->
        [one] { $count } partition
       *[other] { $count } partitions
    }
reassignment = Reassignments in progress or completed
meta_properties = Log directory of broker { $broker }
quorum = KRaft; brokers that read the metadata log: { $brokers }
topic_configs = Settings of topic { $entity }: { $count }
broker_configs = Settings of broker { $entity }: { $count }
cluster_configs = Settings of all brokers: { $count }

## Assumptions.

release = The input does not contain the release. Kafka { $kafka } is assumed, the newest that matches; the oldest that matches is { $oldest }.
described_twice = { $partition } is described more than once, and differently. The last description is used.
unclean_election_logged = A controller has elected uncleanly in { $topic }, so unclean.leader.election.enable is taken to be true.
described_by_log = Only a log names { $partition }. Its newest line, at { $time }, is used. The replicas are taken to be { $replicas }, all that the log names.
log_contradicts = { $partition }: { $column } is { $printed } in the description, and { $logged } in the newest line of a log ({ $time }). The description is used.
log_offsets = The log end offsets and the high watermark of { $partition } are from a log, at { $time }.
replicas_unknown = The input names no replica of { $partition }, so it is omitted. Paste its assignment too, such as get /brokers/topics/orders.
replicas_assumed = The input does not contain the replicas of { $partition }. They are taken to be { $replicas }, all that it names.
state_assumed = The input does not contain the ISR of { $partition }. All of its replicas are taken to be in sync, with leader { $leader }.
leader_assumed = The input does not contain the leader of { $partition }. It is taken to be { $leader }.
placement_assumed = Only the numbers of partitions and replicas of { $topic } are known. They are placed on brokers { $brokers } as in a new cluster, all in sync. Paste kafka-topics --describe for their state.
part_printed = Only some partitions of these topics were printed, as with --under-replicated-partitions: { $topics }. Nothing is known about the others.
topic_line_missing = The lines of these topics with PartitionCount and Configs are missing: { $topics }. They may have more partitions, and their settings are not known.
offsets_not_described = The input has offsets of partitions that it does not describe: { $partitions }. They are not used.
election_contradicts = kafka-leader-election reports that the preferred leader { $preferred } of { $partition } is elected, but it is described with leader { $leader }. The description is used.
reassignment_unknown = { $partition } is being reassigned. The input does not show which replicas are added or removed: paste kafka-reassign-partitions --list, or kafka-topics --describe of 2.4 or later. It starts without the reassignment.
log_dir_offline = A log directory of broker { $broker } is offline. Log directories are not modelled: the broker has one, which works.
shutting_down = Broker { $broker } is in a controlled shutdown: it cannot lead or join an ISR, and its process is about to end. A start does not express this. It starts as stopped, with what it has not flushed at risk.
shutting_down_and_leads = Broker { $broker } is in a controlled shutdown, but leads a partition or is in the ISR of a leader. A start does not express this. It starts as running.
down_but_in_sync = The controller has ended the sessions of these brokers, but they lead a partition or are in the ISR of a leader: { $brokers }. They start as running.
stray = Broker { $broker } has files of { $partition }, but it is not one of its replicas. They are ignored.
broker_guessed = Broker { $broker } is read from the path of the file.
not_described = kafka-topics does not describe { $partition }. Assumed: replicas { $replicas }, leader { $leader }, ISR { $isr }.
internal_topics = Kafka's internal topics are omitted: { $topics }.
partitions_left_out = A scenario can have at most 16 partitions on 9 brokers: { $kept } are imported, { $count } are omitted.
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
state_unknown = Not a leader, and not in the ISR of a leader: { $brokers }. The input does not show whether these brokers are running; they start as stopped, with what they have not flushed at risk.
min_isr = The input does not contain { $setting } of a topic with eligible leader replicas. It is at least { $least }, which is assumed.
secrets = These settings may have secrets. Their values were dropped: { $names }.
lags_without_offsets = kafka-log-dirs shows how far replicas are behind, but not the offsets. Add the output of kafka-get-offsets.
live_but_not_elected = Running, but the controller has not elected them although they are in the ISR or ELR of a partition without a leader: { $brokers }. They start as stopped.
not_elected = { $partition }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    } { $more ->
        [0] has
       *[other] have
    } no leader, although the input shows that a broker runs which could lead: { $brokers }. The verdict takes this replica as offline. In Kafka this lasts if its log directory is offline, if the broker is in a controlled shutdown, or until the controller has elected a leader. Paste kafka-log-dirs --describe or a new description.
open_transaction = The log of { $partition } has an open transaction of producer { $producer } from offset { $offset } on. The last stable offset is at most { $offset }. Its records are imported as ordinary ones, so in the scenario the last stable offset is the high watermark.
batch_invalid = kafka-dump-log marks what is at offset { $offset } of { $partition } as invalid. It is imported all the same.
elr_on = The input shows eligible leader replicas, which are off by default in Kafka { $kafka }. They are switched on.
elr_off = The input shows that eligible leader replicas are off, although they are on by default in Kafka { $kafka } (KIP-966).
partition_epochs = The input does not contain the epochs of all partitions. Those are assumed to be 0.
memory = No tool prints these: high watermarks in memory (assumed: the lowest log end offset of the ISR), data flushed beyond the recovery point, and messages in flight.

## What a live cluster did not give.

refused = The cluster did not give { $what } ({ $count ->
        [0] { $reason }
       *[other] { $reason }: { $names }
    }). { $unknown }
not_offered = Brokers of this release do not give { $what }. { $unknown }
mixed_releases = The brokers run different releases: { $releases }. The newest one is assumed for all of them.
unreachable = Broker { $broker } was not reached: { $reason }. Where its logs end is not known.
changed_while_read = These partitions changed each time that they were read: { $partitions }. What was read of them may not be of one moment.
replicas_unordered = Brokers before 0.11 list replicas in no particular order. Which of them is the preferred leader is not known.
log_dir_failed = A log directory of broker { $broker } has failed. Its replicas there are offline.
asked_metadata = a description of topics
without_metadata = They are omitted.
asked_elr = eligible leader replicas
without_elr = They are not known.
asked_reassignments = reassignments
without_reassignments = Which replicas are being added or removed is not known.
asked_quorum = the controller quorum
without_quorum = Brokers without replicas may be missing.
asked_topic_settings = the settings of topics
without_topic_settings = Those of the brokers are assumed.
asked_broker_settings = the settings of brokers
without_broker_settings = The defaults of the release are assumed.
asked_offsets = offsets
without_offsets = Where these logs end is not known.
asked_epochs = leader epochs
without_epochs = The epochs of records are not known.
asked_log_dirs = log directories
without_log_dirs = Which of them have failed is not known.

## What the start could not keep of the described state.

set_aside = { $partition } is not in the scenario: it has no leader, although broker { $broker } runs and could lead it, so the controller would elect it. In Kafka this lasts if the log directory of this replica is offline, if the broker is in a controlled shutdown, or until the controller has elected a leader. Paste kafka-log-dirs --describe or a new description, or import this line alone.
difference = { $partition }: { $column } is { $printed } in the input, and { $kept } in the scenario.

## Lines that are recognized and not used.

not_used_broker_log = Lines of a log that state nothing of the leader, the ISR, the epochs or the offsets of a partition.
not_used_not_described = Lines of a log about partitions that the input does not describe.
not_used_election_failed = Elections that failed: the preferred replica cannot lead.
not_used_plan = A plan of a reassignment. It does not show the state now.
not_used_reassignment = Messages of kafka-reassign-partitions.
not_used_resource = A resource of Kubernetes that is not a KafkaTopic, Kafka or KafkaNodePool.
not_used_message = Messages of a shell, of Java or of a logger.
not_used_prose = Sentences around the output.

## What shows the release.

since_adding_replicas = Adding Replicas and Removing Replicas are printed from 2.4 on.
since_directory_id = meta.properties has a directory.id from 3.7 on.
since_resource = The Kafka resource names the release.
since_log_partition_epoch = Brokers log the partition epoch of a new leader from 3.3 on.
since_log_under_min_isr = Brokers log under-min-isr from 3.5 on.
since_directory_of_voter = kafka-metadata-quorum prints DirectoryId from 3.9 on.
since_elr = Eligible leader replicas exist from 4.0 on.
since_elr_columns = kafka-topics has the columns Elr and LastKnownElr from 3.7 on.
since_epoch_file = leader-epoch-checkpoint files exist from 0.11 on.
since_features = kafka-features shows finalized levels of a KRaft cluster from 3.3 on.
since_metadata_log = The metadata log exists from 2.8 on.
since_oldest_broker = The oldest broker shows that the release is not older.
until_newest_broker = The newest broker shows that the release is not newer.
since_metadata_version = The newest metadata.version that the brokers support shows their release.
since_protocol_version = inter.broker.protocol.version is not newer than the release.
until_protocol_version = inter.broker.protocol.version exists up to 3.9.
since_default_protocol_version = The default of inter.broker.protocol.version is that of the release.
since_request_versions = The newest versions of requests that the brokers offer show their release.
until_request_versions = The brokers offer no newer versions of requests.
since_node_id = meta.properties has a node.id from 2.8 on.
since_quorum_tool = kafka-metadata-quorum exists from 3.3 on.
since_space = kafka-topics prints a space after Topic: from 2.4 on.
since_topic_id = Topics have a TopicId from 2.8 on.
until_last_isr_member = A partition without a leader has a member in its ISR. With eligible leader replicas, which are on by default from 4.1, it would have left.
until_message_format = message.format.version exists up to 3.9.
until_metadata_version = The brokers support no newer metadata.version.
until_old_format = A segment has messages of the format before 0.11.
until_log_prefix = Lines of a log begin with Partition [topic,0] up to 0.11.
until_log_zk_version = Brokers log a zkVersion with a new ISR up to 2.7.
until_log_version = Brokers log the version of a new ISR in brackets up to 3.0.
until_space = kafka-topics prints no space after Topic: up to 2.3.
until_topic_id = Topics have no TopicId before 2.8.

## What changed between two readings of a live cluster

changed_broker_gone = { $count ->
        [one] Broker { $brokers } is no longer running
       *[other] Brokers { $brokers } are no longer running
    }
changed_broker_back = { $count ->
        [one] Broker { $brokers } is running
       *[other] Brokers { $brokers } are running
    }
changed_new = { $partitions }: new
changed_deleted = { $partitions }: deleted
changed_leader = { $partitions }: the leader is now { $after }, it was { $before }
changed_no_leader = { $partitions }: no leader any more, it was { $before }
changed_elected = { $partitions }: { $after } is the leader, there was none
changed_epoch = { $partitions }: the leader epoch is now { $after }, it was { $before }
changed_isr_left = { $partitions }: { $brokers } left the ISR
changed_isr_joined = { $partitions }: { $brokers } joined the ISR
changed_elr_left = { $partitions }: { $brokers } left the ELR
changed_elr_joined = { $partitions }: { $brokers } joined the ELR
changed_last_known_left = { $partitions }: { $brokers } is no longer the last known leader
changed_last_known_joined = { $partitions }: { $brokers } is the last known leader
changed_replicas_left = { $partitions }: { $brokers } is no longer a replica
changed_replicas_joined = { $partitions }: { $brokers } is a replica
changed_reassigning = { $partitions }: reassignment, adding { $adding }, removing { $removing }
changed_reassigned = { $partitions }: the reassignment has ended
changed_topic_setting = Topic { $topic }: { $setting } is now { $after }, it was { $before }
changed_broker_setting = Broker { $broker }: { $setting } is now { $after }, it was { $before }
changed_more = { $count } more changes
