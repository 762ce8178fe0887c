### Errors in scenario files, steps, campaign grids and imports: clauses without a full stop.
### The nouns are values of the sentences. They include their article.

## Nouns: a part of the input.

# A word of the input itself, such as the name of a key.
literal = { $of }
a_broker = a broker
a_client_name = a client's name
a_fault = a fault
a_feature_level = a feature's level
a_log = a log
a_log_end_offset = a log end offset
a_note = a note
a_partition = a partition
a_property = a property
a_question = a question
a_rack = a rack
a_reason = a reason
a_replica = a replica
a_rule = a rule
a_scenario = a scenario
a_setting = a setting
a_source = a source
a_start_offset = a start offset
a_term = a term of the glossary
a_topic = a topic
a_topic_name = a topic's name
a_value = a value
another_distribution = another distribution
an_answer = an answer
an_axis = an axis
an_epoch = an epoch
an_error = an error
correct_answer = correct, the index of the right answer, starting at 0,
election_kind = the kind of election
epoch_and_start = [epoch, start offset]
message_kind = the kind of message
rule_called = rule { $of }
start_of_epoch = the start of an epoch
the_explanation = the explanation
the_grid = the grid
the_leader = the leader
the_leader_or_none = the leader (or -1)
the_summary = the summary
the_title = the title
timer_kind = the kind of timer
a_member = a member of { $of }

## Nouns: kinds of things with names.

client = client
fault = fault
feature = feature
key = key
producer = producer
rule = rule
setting = setting
step = step
topic = topic

## Nouns: what was given instead.

empty = empty
empty_text = empty text
list = a list
mapping = a mapping
number_given = the number { $of }
switch_given = { $of }
text_given = the text { $of }

## Nouns: what is allowed.

characters = 1 to { $most } of { $of }
error_names = one of Kafka's names, such as NOT_ENOUGH_REPLICAS
value_characters = 1 to 32 printable characters without space, / and *
all_of = { $first } and { $last }
any_of = { $first } or { $last }
none_here = none here
epoch_entry = an epoch and its start offset
offset_entry = a topic, a partition and an offset

## The text of a file.

duplicate_key = duplicate key
document_empty = the document is empty; a scenario is a mapping
document_too_large = the document is larger than { $most } bytes
document_too_deep = the document is nested deeper than { $most }
document_too_long = the document has more than { $most } values
control_character_in_document = the document contains a control character
control_character = text contains a control character or an unpaired surrogate
second_document = a file may contain only one document; this is a second one
alias_not_supported = aliases (*name) are not supported; write the value
anchor_not_supported = anchors (&name) are not supported; write the value
tag_not_supported = tags (!name) are not supported; write the plain value
merge_key_not_supported = merge keys (<<) are not supported; write the keys
key_form = a key must be a word or a number
key_too_long = a key may have at most { $most } characters
not_finite = infinity and NaN are not allowed
number_too_large = this number is too large
number_too_long = this number has more than { $most } digits
value_not_possible = a scenario cannot contain this value
file_unreadable = the file cannot be read: { $problem }
file_not_utf8 = the file is not UTF-8
translation_unreadable = its translation cannot be read: { $problem }
not_yaml = this is not valid YAML
not_yaml_because = this is not valid YAML: { $reason }
yaml_other = { $problem }
yaml_within = { $context }, { $reason }

## Why a text is not YAML. The English texts are those of PyYAML, which are found by them.

yaml_while_alias = while scanning an alias
yaml_while_anchor = while scanning an anchor
yaml_while_block_collection = while parsing a block collection
yaml_while_block_mapping = while parsing a block mapping
yaml_while_block_node = while parsing a block node
yaml_while_block_scalar = while scanning a block scalar
yaml_while_directive = while scanning a directive
yaml_while_double_quoted = while scanning a double-quoted scalar
yaml_while_flow_mapping = while parsing a flow mapping
yaml_while_flow_node = while parsing a flow node
yaml_while_flow_sequence = while parsing a flow sequence
yaml_while_next_token = while scanning for the next token
yaml_while_node = while parsing a node
yaml_while_parsing_directive = while parsing a directive
yaml_while_parsing_tag = while parsing a tag
yaml_while_quoted = while scanning a quoted scalar
yaml_while_simple_key = while scanning a simple key
yaml_while_tag = while scanning a tag
yaml_because_bad_start = found character { $found } that cannot start any token
yaml_because_bad_version = found incompatible YAML document (version 1.* is required)
yaml_because_duplicate_directive = found duplicate YAML directive
yaml_because_duplicate_handle = duplicate tag handle { $found }
yaml_because_end_in_quotes = found unexpected end of stream
yaml_because_escape = found unknown escape character { $found }
yaml_because_expected_bang = expected '!', but found { $found }
yaml_because_expected_block_end = expected <block end>, but found { $found }
yaml_because_expected_chomping = expected chomping or indentation indicators, but found { $found }
yaml_because_expected_colon = could not find expected ':'
yaml_because_expected_comma_or_brace = expected ',' or '{ "}" }', but got { $found }
yaml_because_expected_comma_or_bracket = expected ',' or ']', but got { $found }
yaml_because_expected_comment = expected a comment or a line break, but found { $found }
yaml_because_expected_content = expected the node content, but found { $found }
yaml_because_expected_digit = expected a digit, but found { $found }
yaml_because_expected_digit_or_dot = expected a digit or '.', but found { $found }
yaml_because_expected_digit_or_space = expected a digit or ' ', but found { $found }
yaml_because_expected_document = expected '<document start>', but found { $found }
yaml_because_expected_greater = expected '>', but found { $found }
yaml_because_expected_hexadecimal = expected escape sequence of { $count } hexadecimal numbers, but found { $found }
yaml_because_expected_indentation = expected indentation indicator in the range 1-9, but found 0
yaml_because_expected_letter = expected alphabetic or numeric character, but found { $found }
yaml_because_expected_space = expected ' ', but found { $found }
yaml_because_expected_uri = expected URI, but found { $found }
yaml_because_expected_uri_escape = expected URI escape sequence of 2 hexadecimal numbers, but found { $found }
yaml_because_keys_not_here = mapping keys are not allowed here
yaml_because_separator_in_quotes = found unexpected document separator
yaml_because_sequence_not_here = sequence entries are not allowed here
yaml_because_undefined_handle = found undefined tag handle { $found }
yaml_because_values_not_here = mapping values are not allowed here

## Types, ranges and names.

not_a_mapping = { $what } must be a mapping, not { $given }
not_a_list = { $what } must be a list, not { $given }
not_an_integer = { $what } must be an integer, not { $given }
not_a_switch = { $what } must be true or false, not { $given }
not_text = { $what } must be text, not { $given }
not_text_but_number = { $what } must be text, not { $given }; write "{ $right }"
not_on_one_line = { $what } must be on one line
text_too_long = { $what } may have at most { $most } characters and { $bytes } bytes
missing = { $what } needs { $names }
too_few_entries = { $what } must have at least { $least } entries, not { $count }
too_many_entries = { $what } must have at most { $most } entries, not { $count }
out_of_range = { $what } must be from { $lowest } to { $highest }, not { $number }
not_matching = { $what } must be { $right }, not { $given }
no_such = there is no { $what } { $name }
no_such_but_meant = there is no { $what } { $name }; did you mean { $meant }?
no_such_but_allowed = there is no { $what } { $name }; { $what }s are { $names }
left_out = { $name } is left out of Highwater: { $what }. { $reason }
cannot_be = { $what } cannot be { $given }
cannot_be_but_meant = { $what } cannot be { $given }; did you mean { $meant }?
cannot_be_but_allowed = { $what } cannot be { $given }; it must be { $names }

## Releases, protocol levels and rules.

format_not_supported = only version { $version } of the format is supported: scenario: 1
version_not_quoted = a version must be a string: write "{ $right }" with the quotes; without quotes it is a number, and 0.10 means 0.1
version_not_text = a version is a string like "2.0.1", not { $given }
version_form = '{ $kafka }' is not a Kafka version; releases are { $names }
no_release = there is no Kafka { $kafka }; releases are { $names }
no_patch = there is no Kafka { $kafka }; releases of { $line } are { $names }
release_of_vendor = { $kafka } is a version of { $what }, which contains Kafka { $right }: write { $right }
release_too_new = Kafka { $kafka } is unknown; the newest known release is { $newest }: ask for { $line } to run under its rules; releases are { $names }
release_too_old = Kafka { $kafka } is older than { $oldest }, the oldest release modelled here; releases are { $names }
range_form = a range of versions is like '>=0.11 <3.6'; releases are { $names }
no_level = there is no level { $level }; levels are { $names }
no_level_setting = Kafka { $kafka } under KRaft has no metadata.version setting: it exists from 3.3, and before that brokers use { $level }
level_not_supported = Kafka { $kafka } cannot run at { $name } { $level }; it takes { $oldest } to { $newest }
level_of_other_control = a cluster under { $control } uses { $right }, not { $name }
level_of_topic = { $name } is a setting of the whole cluster, not of a topic or a broker
config_of_two = a config step changes the settings of a topic or of a broker, not of both
control_not_supported = Kafka { $kafka } does not support { $control }; it supports { $names }
no_rule = there is no rule '{ $name }'; rules are { $names }
rule_needs_rule = rule { $name } needs { $right }, which is off
no_feature = Kafka { $kafka } under { $control } has no { $name }: it exists from { $since }, under KRaft

## Settings.

setting_removed = { $name } was removed in Kafka { $since }
setting_too_new = { $name } exists since Kafka { $since }, this is { $kafka }
setting_not_a_switch = { $name } must be true or false
setting_not_an_integer = { $name } must be an integer
setting_choices = { $name } is { $names }
setting_out_of_range = { $name } must be from { $lowest } to { $highest }, not { $number }
setting_far_out_of_range = { $name } must be from { $lowest } to { $highest }, not a number of more than 20 digits
setting_of_topic = { $name } is a topic's setting; for brokers it is { $right }
setting_of_broker = { $name } is a setting of brokers, not of a topic
setting_of_controller = only the controller reads { $name }: set it for the cluster, in configs
min_isr_of_one_broker = with eligible leader replicas (KIP-966), { $name } is a setting of the cluster or of a topic, not of one broker
setting_of_broker_named = { $name } is a setting of brokers; for a topic it is { $right }
no_setting = there is no setting { $name }

## Brokers, topics and partitions.

broker_count = brokers must have 1 to { $most } entries, not { $count }
broker_twice = broker { $broker } is listed twice
broker_twice_in = broker { $broker } is listed twice in { $what }
no_broker = there is no broker { $broker }; brokers are { $names }
not_a_replica = { $what } must be one of the partition's replicas { $names }, not { $broker }
not_by_replica = { $what } are by replica; there is no replica { $given }, replicas are { $names }
leader_not_in_isr = the ISR must contain the leader, { $broker }
first_replica_not_in_isr = the ISR must contain the leader, { $broker }; add leader: if another replica is the leader
start_impossible_in = a cluster of Kafka { $kafka } cannot be in this initial state: { $where }: { $reason }
start_fences_no_broker = a ZooKeeper controller does not fence brokers; a broker is running, stopped or unknown
start_leader_not_active = broker { $broker } cannot lead: the controller has ended its session, and with it its leaderships; write leader: -1, or let the broker run
start_isr_member_not_active = broker { $broker } cannot be in the ISR: the controller removed it when its session ended, and a fenced broker cannot join (KIP-841)
start_would_be_elected = broker { $broker } is running and in the ISR, so the controller would have elected it (ELECTION-CLEAN). If its log directory has failed: there is one log directory per broker here, so write state: stopped
start_elr_would_be_elected = broker { $broker } is running and an eligible leader replica, and the ISR is empty, so the controller would have elected it (KIP-966)
start_isr_of_several = a partition without a leader has at most one member in its ISR, the last one, not { $count }: the controller removes each broker when its session ends
start_isr_empty = in Kafka { $kafka } the last member of an ISR stays in it, so the ISR cannot be empty without eligible leader replicas (KIP-966)
start_without_elr = Kafka { $kafka } has no eligible leader replicas here (KIP-966, from 4.0 under KRaft)
start_elr_in_isr = broker { $broker } is in the ISR, so it is not in the ELR
start_elr_with_whole_isr = the ELR is empty while the ISR has at least min.insync.replicas members: it has { $count }, min.insync.replicas is { $least } (KIP-966)
start_last_known_is_one = the last known leader is one broker
start_last_known_with_leader = the last known leader is stored only while the partition has no leader (KIP-966)
start_removes_all = a reassignment cannot remove every replica
partition_number_too_small = the partitions of a topic must be in the order of their numbers: this number must be at least { $least }, not { $number }
topic_twice = there are two topics { $name }
too_many_partitions = a scenario may have at most { $most } partitions in total, not { $count }
no_partition = there is no partition { $name }; partitions are { $names }

## Starting logs.

record_form = a record must be value or value/epoch (x*20/epoch for twenty records), not { $given }
record_count = x*{ $count } must be at least 1 and at most { $most } records
too_many_records = a log may have at most { $most } records
offset_out_of_log = { $what } must be from { $lowest } to the log end, { $highest }, not { $number }
acked_of_no_record = an acknowledged record has a value that exactly one record of these logs has; { $value } is the value of { $count }
recovery_point_not_flushed = everything below the recovery point must be flushed: { $number } is above flushed { $flushed }
record_epoch_decreases = epochs must not decrease along a log: { $value } has epoch { $epoch } after { $before }
record_epoch_differs = the record at offset { $offset } has epoch { $right }, not { $epoch }
log_epoch_too_high = the log contains epoch { $epoch }, so leader_epoch must be at least { $epoch }, not { $leader_epoch }
entry_epoch_too_high = epoch { $epoch } must not be above leader_epoch { $leader_epoch }
epoch_not_rising = epochs must increase: { $epoch } follows { $before }
start_decreases = start offsets must not decrease: { $offset } follows { $before }

## Steps.

too_many_steps = a scenario may have at most { $most } steps, not { $count }
step_not_a_mapping = a step must be a mapping such as { "{" }crash: { "{" }broker: 1{ "}" }{ "}" }, not { $given }
step_empty = a step is empty
step_of_several = a step must have one action; this one has { $names }
not_an_action = `{ $name }` is not an action; it is allowed only in a scenario file
refused_not_here = `refused` is allowed only in a scenario file
refused_twice = `refused` is listed twice
acks_form = acks must be all, 1 or 0, not { $given }
endpoint_form = an endpoint is a broker or controller, not { $given }
no_client_before = no { $what } { $name } exists before this step; known { $what }s: { $names }
no_client_yet = no { $what } { $name } exists before this step; none exists yet
no_replica_of = broker { $broker } has no replica of { $names }
same_ends = from and to must differ, both are { $given }
config_without_setting = config needs a setting, such as min.insync.replicas: 2
idempotence_needs_acks = idempotence needs acks: all, not { $given }
sequence_needs_idempotence = sequence needs idempotent: true
sequence_needs_one_value = sequence needs exactly one value
broker_or_rack = use either broker or rack, not both
metadata_from_controller = the metadata log must come from controller
nth_of_one_message = nth selects one message; it is not allowed for the metadata log or with skip
records_of_metadata = records is allowed only for the metadata log
metadata_without_partition = the metadata log has no partition
skip_of_command = skip is allowed only for leader_and_isr
timer_needs_broker = timer { $given } needs broker
timer_of_broker = timer { $given } belongs to a broker, not to the controller
heal_of_both = heal needs either from and to, or broker, not both
heal_of_nothing = heal needs from and to, or broker

## Questions and expectations.

reason_count = reasons must have one entry for each of the { $expected } answers, not { $count }
expectation_empty = an expectation must not be empty
partition_not_named = there are several partitions; name one, for example partition: { $name }

## Runs and campaign grids.

run_too_long = the run has more than { $most } { $name }
too_many_cells = a grid may have at most { $most } cells, not { $count }
value_impossible = { $name } cannot be { $given }: { $reason }
feature_and_rule = { $name } switches the rule { $right }: give only one of them
value_twice = an axis must not have a value twice
budget_form = a budget must look like "crash=1,produce=2" and may name { $right }, not { $given }
rate_out_of_range = a rate must be from 0 to { $right } faults for each broker and step, not { $given }

## Imports from a real cluster.

import_inconsistent = the imported state is inconsistent: { $name }: { $reason }
import_impossible = { $name } cannot be as it is described: { $reason }
import_without_topic = there is no topic { $name }; topics are { $names }
import_without_partition = no partition is described: give the output of kafka-topics --describe, or a broker's data directory
import_describes_none = this was read: { $what }. It describes no partition: add the output of kafka-topics --describe, or a broker's data directory
import_not_read = this is output of { $name }, which is not read; paste the output of kafka-topics --describe instead
import_json_form = this JSON is not one that is read: kcat -L -J, kafka-log-dirs --describe, a plan of kafka-reassign-partitions, or a node of ZooKeeper or of the metadata shell
import_json_cut = this JSON is incomplete or wrong; paste it whole
import_node_without_path = this node does not contain its own path; write the path on the line above: { $example }
import_resource_form = this is not YAML that can be read; paste the output of kubectl get --output yaml
import_whose = which broker is this from? write it on a line above: # broker 1
import_not_utf8 = this is not text in UTF-8
import_line_unknown = this line cannot be parsed; the accepted input is the output of kafka-topics --describe, kafka-dump-log, kafka-metadata-quorum describe, kafka-configs --describe, kafka-features, kafka-get-offsets, kafka-log-dirs, kafka-reassign-partitions, kafka-leader-election and kcat -L, the logs of brokers, nodes of ZooKeeper and of the metadata shell, resources of Strimzi, checkpoint files, meta.properties and server.properties
checkpoint_entry = the file says that it has { $expected } entries, and this is entry { $count }: it must be { $right }
checkpoint_without_name = a checkpoint file starts here, but its name is missing; pass the file by its name, or write the name on a line above, as head does: ==> broker-1/replication-offset-checkpoint <==
epochs_without_partition = an epoch file starts here, but its partition is missing; give its path, or write it on a line above: ==> broker-1/orders-0/leader-epoch-checkpoint <==
epochs_not_rising = epochs must increase, and their start offsets must not decrease
properties_without_broker = meta.properties must have node.id or broker.id
dump_without_partition = a dumped log starts here, but its partition is missing; keep the line 'Dumping …/orders-0/00000000000000000000.log' above it
dump_too_long = a dump of more than { $most } records is too long
observers_form = CurrentObservers must be a list of ids, or of objects with an id
topics_incomplete = a line of kafka-topics --describe is not complete: { $reason }
field_not_a_number = { $name } must be a number
field_not_broker_ids = { $name } must be broker ids, such as 1,2,3
field_not_a_leader = Leader must be a broker id or none
field_missing = { $name } is missing
partition_fields_missing = Partition or PartitionCount is missing
segment_without_partition = a segment must be in the folder of its partition, as orders-0
not_a_segment = this is not a log segment: { $reason }
segment_without_batch = there is no batch at byte { $number }
segment_too_long = it has more than { $most } records
batch_too_short = the batch at offset { $offset } is too short
batch_without_end = the batch at offset { $offset } has no last offset
record_too_long = a record is longer than its batch
record_cut_off = a record is cut off inside its batch
number_without_end = a number of a record has no end
message_cut_off = the record at offset { $offset } is cut off

## An assessment.

assess_acks = acks must be all, 1 or 0, not '{ $value }'
assess_elr = elr must be on or off, not '{ $value }'
assess_control = control must be zookeeper or kraft, not '{ $value }'
