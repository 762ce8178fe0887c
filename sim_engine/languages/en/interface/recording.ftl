### A recorded run of a real cluster, compared with the engine.

tab = Real cluster
beside = Compare with the real cluster
besideText = Each step was performed on real brokers running Kafka { $kafka }. After each step, their files, the controller and the clients were read. Go to a step to compare these values with the engine’s.
besideAll = All recordings
nothingRead = Nothing was read from the real cluster after this step.
allEqual = { $count ->
        [one] One value was read after this step, and the engine has the same.
       *[other] { $count } values were read after this step, and the engine has the same.
    }
someDiffer = { $count ->
        [one] One value was read after this step, and it differs from the engine’s.
       *[other] { $differs } of { $count } values differ from the engine’s.
    }
unheld = { $count ->
        [one] One more value depends on when it was read, so it is shown but not checked.
       *[other] { $count } more depend on when they were read, so they are shown but not checked.
    }
unsettled = The cluster was read about 100 ms after the step, with messages still in flight.
value = Value
realKafka = Kafka { $kafka }
engine = Engine
equal = equal
differs = differs
not_held = not checked
ofBroker = Broker { $broker }
ofController = Controller
ofClients = Clients
yes = yes
no = no
none = none
is_leader = Leader
is_leader_epoch = Leader epoch
is_partition_epoch = Partition epoch
is_isr = ISR
is_elr = ELR
is_last_known_elr = Last known ELR
is_leader_recovery_state = Recovery state (1: recovering)
is_replicas = Replicas
is_adding_replicas = Adding replicas
is_removing_replicas = Removing replicas
is_controller_epoch = Controller epoch
is_metadata_records = Metadata records
is_process = Process
is_clean_shutdown = Clean-shutdown marker
is_fenced = Fenced
is_in_controlled_shutdown = In controlled shutdown
is_fetch_error = Error of a fetch from this broker
is_log = Log
is_leader_epoch_checkpoint = leader-epoch-checkpoint
is_live_high_watermark = High watermark
is_high_watermark_checkpoint = replication-offset-checkpoint
is_recovery_point_checkpoint = recovery-point-offset-checkpoint
is_consumable_end = A consumer may read up to
is_consumed = A new consumer reads
is_list_offsets_latest = ListOffsets: latest
is_list_offsets_error = ListOffsets: error
is_last_stable_offset = Last stable offset
is_consumable_end_read_committed = read_committed may read up to
is_fetched_read_committed = read_committed fetches
is_aborted_transactions = Aborted transactions (producer id → first offset)
is_consumed_read_committed = read_committed reads
is_produced_outcome = Response { $number } to the producer
is_produced_offset = Response { $number }: offset
is_produced_error = Response { $number }: error
is_consumed_from_records = The consumer read
is_consumed_from_high_watermark = High watermark in the consumer’s response
is_consumed_from_error = The consumer’s error
is_answers_leader_epoch = Response { $number }: epoch
is_answers_end_offset = Response { $number }: end offset
is_answers_error = Response { $number }: error
is_running = Running
is_high_watermark = High watermark
is_log_start_offset = Log start offset
is_log_end_offset = Log end offset
is_epoch_cache = Epochs of the log → start offset
