### What happened: a sentence for every event, by its kind and its variant, with the formula of its rule.

Started = { $brokers ->
        [one] The start: Kafka { $kafka } with { $control }, broker { $brokers }.
       *[other] The start: Kafka { $kafka } with { $control }, brokers { $brokers }.
    }

RecordProduced = Broker { $broker } appends { $value } of producer { $producer } at offset { $offset }. Its log now ends at { $log_end_offset }.
RecordProduced-idempotent = Broker { $broker } appends { $value } of producer { $producer } at offset { $offset }, as sequence { $sequence } of producer id { $producer_id }. Its log now ends at { $log_end_offset }.
RecordProduced-transactional = Broker { $broker } appends { $value } at offset { $offset }, as sequence { $sequence } of producer id { $producer_id } and part of its open transaction. Consumers that read committed records only have to wait for its end.
DuplicateRecognised = Broker { $broker } has sequence { $sequence } of producer id { $producer_id } already: it is { $value } at offset { $offset }. Nothing is appended, and that offset is the answer.
    .formula = sequence { $sequence } ≤ last sequence { $last_sequence }
TransactionBegun = Producer { $producer }, with id { $producer_id }, begins a transaction. No log knows of it before its first record.
MarkerWritten = Broker { $broker } writes the end of producer id { $producer_id }’s transaction into { $partition } at offset { $offset }.
MarkerWritten-commit = Broker { $broker } writes a commit marker of producer id { $producer_id } into { $partition } at offset { $offset }: a record that no application reads. The transaction counts once the high watermark has passed the marker.
MarkerWritten-abort = Broker { $broker } writes an abort marker of producer id { $producer_id } into { $partition } at offset { $offset }. The records of the transaction stay in the log; readers of committed records drop them.
TransactionEnded = Producer { $producer }’s transaction has ended.
TransactionEnded-commit = Producer { $producer } commits: the marker of producer id { $producer_id } is in { $partitions }, and the decision stands.
TransactionEnded-abort = Producer { $producer } aborts: the marker of producer id { $producer_id } is in { $partitions }, and nobody who reads committed records will see what it wrote.
TransactionEnded-empty = Producer { $producer } ends a transaction in which it wrote nothing: no log is told.
ProduceAcknowledged = Broker { $broker } answers producer { $producer }: { $value } is at offset { $offset }, and acks={ $acks } is satisfied.
ProduceAcknowledged-all = Producer { $producer } is told that { $value } is safe: the high watermark, { $high_watermark }, has passed offset { $offset }, so as far as leader { $broker } knows the whole ISR has it.
    .formula = high watermark { $high_watermark } > offset { $offset }
ProduceAcknowledged-1 = Producer { $producer } is told that { $value } is written at offset { $offset }. With acks=1 that promises a copy on broker { $broker } and nowhere else.
ProduceFailed = Producer { $producer } is told that { $value } failed: { $error }.
ProduceFailed-NOT_ENOUGH_REPLICAS = Broker { $broker } refuses { $value } with NOT_ENOUGH_REPLICAS: the ISR is { "{" }{ $isr }{ "}" }, and min.insync.replicas asks for { $min_insync_replicas }. Nothing is appended.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
ProduceFailed-NOT_ENOUGH_REPLICAS_AFTER_APPEND = { $value } is committed, but meanwhile the ISR, { "{" }{ $isr }{ "}" }, has shrunk below min.insync.replicas { $min_insync_replicas }: producer { $producer } is told NOT_ENOUGH_REPLICAS_AFTER_APPEND, and the record stays.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
ProduceFailed-NOT_LEADER_OR_FOLLOWER = Broker { $broker } does not lead { $partition } and answers producer { $producer } with NOT_LEADER_OR_FOLLOWER. If { $value } was appended there before, it stays, and nobody was promised it.
ProduceFailed-REQUEST_TIMED_OUT = Time is up before the high watermark has passed { $value }: producer { $producer } is told REQUEST_TIMED_OUT. The record stays in broker { $broker }’s log and may still be committed.
ProduceFailed-LEADER_NOT_AVAILABLE = Producer { $producer } cannot send { $value }: nobody leads { $partition }.
ProduceFailed-OUT_OF_ORDER_SEQUENCE_NUMBER = Broker { $broker } refuses { $value } with OUT_OF_ORDER_SEQUENCE_NUMBER: it is sequence { $sequence } of producer id { $producer_id }, and what the log remembers of that producer does not lead up to it. Nothing is appended.
ProduceFailed-UNKNOWN_PRODUCER_ID = Broker { $broker } refuses { $value } with UNKNOWN_PRODUCER_ID: it is sequence { $sequence }, and the log holds nothing of producer id { $producer_id }. Nothing is appended.
ProduceWaiting = { $producer } sends { $value } for { $partition } to broker { $broker }, which is paused: the request waits until it goes on.
ProduceWaiting-isr_write = { $producer } sends { $value } for { $partition } to broker { $broker }, whose ISR change waits for ZooKeeper: the request waits with it.
ProduceUnanswered = Producer { $producer } gets no answer for { $value }: the connection to broker { $broker } is gone. Whether it was stored, the producer cannot know.
ConsumerRead = Consumer { $consumer } reads { $values } from broker { $broker } and goes on at offset { $to_offset }. It may read below the high watermark, { $high_watermark }.
ConsumerRead-follower = Consumer { $consumer } reads { $values } from follower { $broker } and goes on at offset { $to_offset }. A follower serves what is below its own high watermark, { $high_watermark }.
ConsumerRead-committed = Consumer { $consumer } reads { $values } from broker { $broker } and goes on at offset { $to_offset }. With read_committed it may read below the last stable offset, { $last_stable_offset }.
ConsumerPassedOver = Consumer { $consumer } passes over { $values }: markers take up offsets, and no application is handed them. It goes on at { $to_offset }.
ConsumerPassedOver-aborted = Consumer { $consumer } passes over { $values }: the broker sends the records of aborted transactions too, with a list of them, and the consumer drops them. It goes on at { $to_offset }.
ConsumerReadNothing = Consumer { $consumer } gets nothing at offset { $offset }: it may read below the high watermark, { $high_watermark }, and no further, though broker { $broker }’s log ends at { $log_end_offset }.
    .formula = offset { $offset } ≥ high watermark { $high_watermark }
ConsumerReadNothing-follower = Consumer { $consumer } gets nothing at offset { $offset } from follower { $broker }: that serves what is below its own high watermark, { $high_watermark }, which moves with its next fetch.
    .formula = offset { $offset } ≥ high watermark { $high_watermark }
ConsumerReadNothing-committed = Consumer { $consumer } gets nothing at offset { $offset }: with read_committed it may read below the last stable offset, { $last_stable_offset }, though broker { $broker }’s high watermark is { $high_watermark }.
    .formula = offset { $offset } ≥ last stable offset { $last_stable_offset }
ConsumerOutOfRange = Consumer { $consumer } asks for offset { $offset }, which is outside broker { $broker }’s log: that ends at { $log_end_offset }. The consumer goes on at { $reset_to }.
    .formula = offset { $offset } > log end offset { $log_end_offset }
ConsumerOutOfRange-follower = Consumer { $consumer } asks follower { $broker } for offset { $offset }, beyond the end of its log, { $log_end_offset }. A follower may be behind: the consumer goes back to the leader, its position as it was.
    .formula = offset { $offset } > log end offset { $log_end_offset }
ConsumerOutOfRange-below_start = Consumer { $consumer } asks for offset { $offset }, below the start of broker { $broker }’s log, { $log_start_offset }. The consumer goes on at { $reset_to }.
    .formula = offset { $offset } < log start offset { $log_start_offset }
ConsumerOutOfRange-undefined = Broker { $broker } does not know the epoch of what consumer { $consumer } read last, so nobody can tell where the logs part. The consumer goes on at { $reset_to }, no longer at { $offset }.
ConsumerSentToFollower = Leader { $broker } sends consumer { $consumer }, which is in rack { $rack }, to follower { $follower } in the same rack.
ConsumerOffsetNotAvailable = Broker { $broker } does not tell consumer { $consumer } its latest offset: its high watermark, { $high_watermark }, has not reached the start of its epoch, { $leader_epoch_start_offset }, so the answer could be lower than one given before. The consumer stays at { $offset } and asks again.
    .formula = high watermark { $high_watermark } < epoch start offset { $leader_epoch_start_offset }
ConsumerTruncationDetected = Consumer { $consumer } stands at offset { $offset } and read epoch { $epoch } last; broker { $broker } says that this epoch ends at { $end_offset }. What it read from there on is gone: it goes on at { $end_offset }.
    .formula = end of epoch { $epoch }: { $end_offset } < offset { $offset }
ConsumerPositionValidated = Consumer { $consumer } asks broker { $broker } where epoch { $epoch }, which it read last, ends: at { $end_offset }, so its position { $offset } is still on the log.
    .formula = end of epoch { $epoch }: { $end_offset } ≥ offset { $offset }
ConsumeFailed = Consumer { $consumer } cannot read { $partition }: { $error }.
ConsumeFailed-LEADER_NOT_AVAILABLE = Consumer { $consumer } cannot read { $partition }: nobody leads it.
ConsumeFailed-NOT_LEADER_OR_FOLLOWER = Consumer { $consumer } asks broker { $broker }, which does not lead { $partition } and answers NOT_LEADER_OR_FOLLOWER.
ConsumeFailed-UNKNOWN_LEADER_EPOCH = Consumer { $consumer } knows of a newer leadership of { $partition } than broker { $broker }, which answers UNKNOWN_LEADER_EPOCH until it has heard.
ClientMetadataRefreshed = Client { $client } asks who leads { $partition } now: { $leader }.

FetchSent = Broker { $broker } asks leader { $leader } for records of { $partition } from offset { $fetch_offset }. To the leader that means: it has everything below.
FetchSent-with_epoch = Broker { $broker } asks leader { $leader } for records of { $partition } from offset { $fetch_offset } and names epoch { $last_fetched_epoch } as its latest. If the leader’s log agrees, that means: it has everything below.
FetchHandled = Leader { $broker } answers broker { $follower } with { $records } of its records from offset { $fetch_offset }, and with the high watermark as it stood when it read them: { $high_watermark }.
FetchHandled-empty = Leader { $broker } answers broker { $follower } without records, for it has none from offset { $fetch_offset } on, but with the high watermark as it stood when it looked: { $high_watermark }.
FetchParked = Leader { $broker } has nothing from offset { $fetch_offset } on, so broker { $follower }’s fetch waits, for { $wait_ms } ms at most.
LongPollExpired = Leader { $broker } answers broker { $follower }’s waiting fetch without records, but with the high watermark as it is by now: { $high_watermark }.
FetchDiverging = Broker { $follower } names epoch { $last_fetched_epoch } up to offset { $fetch_offset }, which leader { $broker }’s log does not have: instead of records the leader answers that epoch { $diverging_epoch } ends at { $end_offset }.
    .formula = epoch { $diverging_epoch } < last fetched epoch { $last_fetched_epoch }, or end { $end_offset } < fetch offset { $fetch_offset }
FetchOutOfRange = Broker { $follower } asks for offset { $fetch_offset }, but leader { $broker }’s log ends at { $log_end_offset }: OFFSET_OUT_OF_RANGE.
    .formula = fetch offset { $fetch_offset } > leader’s log end offset { $log_end_offset }
FetchOutOfRange-below_start = Broker { $follower } asks for offset { $fetch_offset }, but leader { $broker }’s log begins at { $log_start_offset }: OFFSET_OUT_OF_RANGE.
    .formula = fetch offset { $fetch_offset } < leader’s log start offset { $log_start_offset }
FetchOutOfRange-undefined = Leader { $broker } cannot tell where the last epoch of broker { $follower }’s fetch at offset { $fetch_offset } ends, and answers OFFSET_OUT_OF_RANGE.
FetchRejected = Broker { $broker } answers broker { $follower }’s request with { $error }: it carries leader epoch { $request_epoch }, and broker { $broker } is in epoch { $leader_epoch }. The request counts for nothing.
FetchRejected-FENCED_LEADER_EPOCH = Broker { $broker } fences broker { $follower }’s request: it speaks of epoch { $request_epoch }, which is over. It counts for nothing.
    .formula = request’s epoch { $request_epoch } < { $leader_epoch }
FetchRejected-UNKNOWN_LEADER_EPOCH = Broker { $broker } does not know epoch { $request_epoch } of broker { $follower }’s request yet and answers UNKNOWN_LEADER_EPOCH. It counts for nothing.
    .formula = request’s epoch { $request_epoch } > { $leader_epoch }
FetchRejected-stale_broker_epoch = Broker { $broker } answers broker { $follower }’s fetch with { $error }: it carries broker epoch { $request_broker_epoch }, and broker { $follower } has started anew since, with broker epoch { $broker_epoch }. The fetch counts for nothing.
    .formula = request’s broker epoch { $request_broker_epoch } < { $broker_epoch }
FetchRejected-NOT_LEADER_OR_FOLLOWER = Broker { $broker } does not lead { $partition } and answers broker { $follower } with NOT_LEADER_OR_FOLLOWER.
FetchApplied = Broker { $broker } appends { $values } from leader { $leader }; its log now ends at { $log_end_offset }. The response says that the high watermark is { $high_watermark }.
FetchApplied-empty = Broker { $broker } gets no new records from leader { $leader }, but word of the high watermark: { $high_watermark }.
FetchedEpochForgotten = That answer had no records, and with it broker { $broker } forgets that epoch { $epoch } is the last it fetched. Until records come its requests name none, and leader { $leader } cannot see whether the logs part.
LeaderOffsetHeard = Leader { $leader }’s log starts at { $offset }, and broker { $broker }’s ends at { $log_end_offset }, not below it: nothing is cut, and it goes on fetching from there.
LeaderOffsetHeard-latest = Leader { $leader }’s log ends at { $offset }, not below broker { $broker }’s at { $log_end_offset }: there is nothing to cut, and broker { $broker } will ask where it starts.
FetchErrorReceived = Broker { $broker } is answered { $error } by broker { $leader } and will try again in { $backoff_ms } ms.
FetchErrorReceived-out_of_range = Broker { $broker } is told that its offset is outside leader { $leader }’s log. Next it asks where that log ends.
PartitionFailed = Broker { $broker } gives up fetching { $partition } after { $error }, until the controller tells it something newer.
ResponseIgnored = Broker { $broker } ignores the { $message }: its fetch loop has started over since it sent the request.
ResponseIgnored-superseded = Broker { $broker } ignores the { $message }: newer metadata has overtaken it.
ResponseIgnored-given_up = Leader { $broker } ignores the { $message }: it speaks of another epoch of { $partition } than the one known here. Its proposal stays pending until newer metadata comes.
ResponseIgnored-another_epoch = Broker { $broker } ignores the { $message }: it speaks of leader epoch { $leader_epoch }, and the broker is in epoch { $own_leader_epoch } as far as its metadata goes. Its proposal stays pending until newer metadata comes.
LateAnswerDropped = Broker { $broker } drops the { $message } of broker { $leader }: it sent the request in epoch { $asked_in }, and by now it follows in epoch { $leader_epoch }.
LateAnswerDropped-lookup = Broker { $broker } drops broker { $leader }’s answer on where an epoch ends: it asked in epoch { $asked_in }, and by now it follows in epoch { $leader_epoch }.
LateAnswerTaken = Broker { $broker } accepts broker { $leader }’s answer to a request that it sent in epoch { $asked_in }, though by now it follows in epoch { $leader_epoch }: it still fetches from offset { $fetch_offset }, and nothing else is compared.
LateAnswerTaken-lookup = Broker { $broker } accepts broker { $leader }’s answer to a question that it asked in epoch { $asked_in }, though by now it follows in epoch { $leader_epoch }: the epochs are not compared.
FollowerHighWatermarkSet = Broker { $broker } sets its high watermark from { $before } to { $after }; the leader’s response says { $response_high_watermark }.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
FollowerHighWatermarkSet-diverging = The leader’s answer says that broker { $broker }’s log parts from its own, and carries the high watermark { $response_high_watermark }. Broker { $broker } first takes over what fits its log, { $before } → { $after }, over records that it is about to cut.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
DivergenceHeard = Leader { $leader }’s answer says that broker { $broker }’s log parts from its own: epoch { $diverging_epoch } ends at { $end_offset } there. The high watermark stays at { $high_watermark }, and cutting the log is broker { $broker }’s next step.
FollowerHighWatermarkSet-back = Broker { $broker }’s high watermark goes back from { $before } to { $after }: a follower takes what the leader’s response says. Nothing is cut by that.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
EpochLookupSent = Before it fetches, broker { $broker } asks leader { $leader } where epoch { $epoch }, its latest, ended.
EpochLookupSent-no_epoch = Before it fetches, broker { $broker } asks leader { $leader } where its latest epoch ended. It knows no epoch yet, so it asks with −1.
EpochLookupAnswered = Broker { $follower } asked where epoch { $epoch } ended. Leader { $broker } answers: epoch { $answer_epoch } ended at offset { $end_offset }.
EpochLookupAnswered-offset_only = Broker { $follower } asked where epoch { $epoch } ended. Leader { $broker } answers: at offset { $end_offset }, where its next larger epoch starts or its log ends.
EpochLookupAnswered-undefined = Leader { $broker } cannot say where epoch { $epoch } ended. Broker { $follower } falls back to its own high watermark.
EpochLookupAnswered-no_epoch = Broker { $follower } knows no epoch and asked with −1. Leader { $broker } has no answer to that; broker { $follower } falls back to its own high watermark.
EpochLookupAnswered-no_epoch_either = Broker { $follower } knows no epoch and asked with −1. Leader { $broker } knows none either, so −1 is its latest too: it answers with the end of its log, { $end_offset }.
ListOffsetsSent = Broker { $broker } asks leader { $leader } for the { $which } offset of its log.
ListOffsetsAnswered = Leader { $broker } answers broker { $follower }: the { $which } offset of its log is { $offset }.

LogTruncated = Broker { $broker } cuts its log from { $before } to { $to } and drops { $values }.
LogTruncated-high_watermark = Broker { $broker } is told to follow and cuts its log to its own high watermark, { $to }. It drops { $values } without asking what the leader has.
    .formula = truncate to own high watermark = { $to }
LogTruncated-kip_101 = On the leader, broker { $broker }’s latest epoch ends at { $leader_end_offset }. Broker { $broker } cuts its log to { $to } and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-no_epoch_either = Neither broker { $broker } nor its leader knows an epoch, so broker { $broker } goes by the leader’s log end, { $leader_end_offset }. It cuts its log to { $to } and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279 = By their epochs both logs are the same below offset { $to }. Broker { $broker } cuts its log there and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279_again = Broker { $broker } does not have epoch { $leader_epoch_answered }. It cuts to { $to }, where its epochs up to that one end, drops { $values }, and asks again, about epoch { $next_epoch }.
    .formula = truncate to own end of epochs ≤ { $leader_epoch_answered } = { $to }
LogTruncated-kip_279_alone = Broker { $broker } has neither epoch { $leader_epoch_answered } nor an older one, so it goes by the leader’s offset alone, { $leader_end_offset }: it cuts its log to { $to } and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-undefined = The leader cannot say where broker { $broker }’s latest epoch ended, so broker { $broker } cuts its log to its own high watermark, { $to }, and drops { $values }.
    .formula = no answer: truncate to own high watermark = { $to }
LogTruncated-no_answer = Broker { $broker } knows no epoch, and the leader has no answer to that, so broker { $broker } cuts its log to its own high watermark, { $to }, and drops { $values }.
    .formula = no answer: truncate to own high watermark = { $to }
LogTruncated-on_fetch = The response says where the logs part: by their epochs both are the same below offset { $to }. Broker { $broker } cuts its log there and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-on_fetch_again = Broker { $broker } does not have epoch { $diverging_epoch }. It cuts to { $to }, where its epochs up to that one end, drops { $values }, and fetches again from there.
    .formula = truncate to own end of epochs ≤ { $diverging_epoch } = { $to }
LogTruncated-on_fetch_alone = Broker { $broker } has neither epoch { $diverging_epoch } nor an older one, so it goes by the leader’s offset alone, { $leader_end_offset }: it cuts its log to { $to } and drops { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-out_of_range = Broker { $broker }’s log is longer than its leader’s. It cuts it to the leader’s end, { $to }, and drops { $values }.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $before }
LogTruncated-no_epochs = Broker { $broker } knows no epoch to ask about, so it cuts its log to its own high watermark, { $to }, and drops { $values }.
    .formula = truncate to own high watermark = { $to }
LogTruncated-full = The leader’s log begins at { $log_start_offset }, beyond broker { $broker }’s end, { $before }. Broker { $broker } drops all it has, { $values }, and starts over there.
    .formula = leader’s log start offset { $log_start_offset } > { $before }
TruncationNotNeeded = Broker { $broker } has nothing to cut: its log ends at { $log_end_offset }.
TruncationNotNeeded-high_watermark = Broker { $broker } is told to follow. Its high watermark, { $to }, is the end of its log, so there is nothing to cut.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-kip_101 = On the leader, broker { $broker }’s latest epoch ends at { $leader_end_offset }. Broker { $broker }’s log reaches no further than that, so it keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-no_epoch_either = Neither broker { $broker } nor its leader knows an epoch, so broker { $broker } goes by the leader’s log end, { $leader_end_offset }. Its own log reaches no further: it keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279 = By their epochs both logs are the same up to broker { $broker }’s end, { $log_end_offset }. It keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279_again = Broker { $broker } does not have epoch { $leader_epoch_answered }. Nothing is to cut yet; it asks again, about epoch { $next_epoch }.
    .formula = own end of epochs ≤ { $leader_epoch_answered } = { $to }
TruncationNotNeeded-kip_279_alone = Broker { $broker } has neither epoch { $leader_epoch_answered } nor an older one, so it goes by the leader’s offset alone, { $leader_end_offset }. Its log ends at { $log_end_offset }, no further than that: it keeps everything, whether the leader has it or not.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-undefined = The leader cannot say where broker { $broker }’s latest epoch ended. Broker { $broker } falls back to its own high watermark, { $to }, which is the end of its log: nothing is cut.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-no_answer = Broker { $broker } knows no epoch, and the leader has no answer to that. Its high watermark, { $to }, is the end of its log: nothing is cut.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-on_fetch = The epochs differ, but by them both logs are the same up to broker { $broker }’s end, { $log_end_offset }. It keeps every record and fetches again.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-on_fetch_again = Broker { $broker } does not have epoch { $diverging_epoch }. Nothing is to cut yet; it fetches again from { $log_end_offset }.
    .formula = own end of epochs ≤ { $diverging_epoch } = { $to }
TruncationNotNeeded-on_fetch_alone = Broker { $broker } has neither epoch { $diverging_epoch } nor an older one, so it goes by the leader’s offset alone, { $leader_end_offset }. Its log ends at { $log_end_offset }, no further than that: it keeps everything, whether the leader has it or not.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-out_of_range = Broker { $broker }’s log is no longer than its leader’s, which ends at { $leader_log_end_offset }: nothing is cut.
    .formula = leader’s log end offset { $leader_log_end_offset } ≥ { $log_end_offset }
TruncationNotNeeded-no_epochs = Broker { $broker } knows no epoch to ask about. Its high watermark, { $to }, is the end of its log, so there is nothing to cut.
    .formula = high watermark { $to } = log end offset { $log_end_offset }

EpochAssigned = Broker { $broker } writes into its epoch vector that epoch { $epoch } starts at offset { $start_offset }.
EpochAssigned-leader = As the new leader, broker { $broker } writes down at once that epoch { $epoch } starts at offset { $start_offset }, before it has a record in it.
EpochAssigned-goes_on = Broker { $broker } writes down at once that epoch { $epoch } starts at offset { $start_offset }, before it has a record in it.
EpochAssigned-append = With the record at offset { $start_offset }, broker { $broker } notes that epoch { $epoch } starts there.
EpochsDropped = Broker { $broker } removes { $epochs } from its epoch vector.

HighWatermarkAdvanced = Leader { $broker } moves the high watermark from { $before } to { $after }: as far as it knows, every replica that counts has all below { $after }.
    .formula = high watermark = min({ $log_end_offsets }) = { $after }
HighWatermarkHeld = The high watermark stays at { $high_watermark }: the ISR, { "{" }{ $isr }{ "}" }, is smaller than min.insync.replicas, { $min_insync_replicas }, so nothing new counts as committed.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
HighWatermarkHeld-outsider = The high watermark stays at { $high_watermark } although the ISR, { "{" }{ $isr }{ "}" }, has everything below { $without }: it waits for { "{" }{ $outsiders }{ "}" }, outside the ISR but caught up a moment ago, so as not to keep it from joining again.
    .formula = outside the ISR and caught up within { $lag_ms } ms
BecameLeader = Broker { $broker } begins to lead { $partition } in epoch { $leader_epoch }, with what it has: its log ends at { $log_end_offset }, its high watermark is { $high_watermark }.
BecameLeader-goes_on = Broker { $broker } goes on leading { $partition }, now in epoch { $leader_epoch }: its log ends at { $log_end_offset }, its high watermark is { $high_watermark }.
BecameFollower = Broker { $broker } follows broker { $leader } for { $partition }, in epoch { $leader_epoch }.
LeaderStateReset = Broker { $broker } goes on leading { $partition } in epoch { $leader_epoch }, but takes its log end offset { $leader_epoch_start_offset } for the epoch’s start: every change of the partition makes it start over.
PartitionChangeTaken = Leader { $broker } takes note of partition epoch { $partition_epoch } of { $partition }. It goes on leading in epoch { $leader_epoch }; the ISR stays { "{" }{ $isr }{ "}" }.
PartitionChangeTaken-isr = Leader { $broker } reads that the ISR of { $partition } is now { "{" }{ $isr }{ "}" }, with partition epoch { $partition_epoch }. It goes on leading in epoch { $leader_epoch }.
PartitionChangeTaken-proposal = Leader { $broker } reads in the metadata log that its proposal is written: the ISR of { $partition } is { "{" }{ $isr }{ "}" }, the partition epoch { $partition_epoch }. It goes on leading in epoch { $leader_epoch }.
PartitionChangeTaken-pending_dropped = Leader { $broker } reads partition epoch { $partition_epoch } of { $partition }, with the ISR { "{" }{ $isr }{ "}" }, and drops the ISR { "{" }{ $pending }{ "}" } that it had asked for: what the controller says counts. It goes on leading in epoch { $leader_epoch }.
PartitionChangeTaken-replicas = Leader { $broker } reads that the replicas of { $partition } are now { $replicas }, with the ISR { "{" }{ $isr }{ "}" } and partition epoch { $partition_epoch }. It goes on leading in epoch { $leader_epoch }.
PartitionChangeTaken-follower = Broker { $broker } takes note of partition epoch { $partition_epoch } of { $partition }, and goes on following broker { $leader } in epoch { $leader_epoch }.
PartitionChangeTaken-follower_epoch = Broker { $broker } goes on following broker { $leader }, now in epoch { $leader_epoch } of { $partition }: the leader is the same, so its fetcher does not start over.
BecameLeaderless = Broker { $broker } learns that nobody leads { $partition } in epoch { $leader_epoch }, and waits.
CommandIgnored = Broker { $broker } ignores a LeaderAndIsr of epoch { $leader_epoch } that comes late: it is in epoch { $local_leader_epoch } already.
    .formula = epoch { $leader_epoch } ≤ { $local_leader_epoch }
CommandIgnored-no_leader = Broker { $broker } is told that nobody leads { $partition } in epoch { $leader_epoch }. It has nobody to follow, so it stays as it was, in epoch { $local_leader_epoch }.
StatesPassedOver = { $states ->
        [one] Broker { $broker } reads { $states } change of { $partition } in one delivery and applies only the state that they lead to: leader { $leader }, epoch { $leader_epoch }, ISR { "{" }{ $isr }{ "}" }. The states before it have no effect here.
       *[other] Broker { $broker } reads { $states } changes of { $partition } in one delivery and applies only the state that they lead to: leader { $leader }, epoch { $leader_epoch }, ISR { "{" }{ $isr }{ "}" }. The states before it have no effect here.
    }
DepositionMissed = Broker { $broker } reads the changes of { $partition } in epochs { $epochs } in one delivery and applies only the last: it goes straight from leading in epoch { $leader_epoch_before } to leading in epoch { $leader_epoch } and does not notice that another broker led in between ({ $leaders }). It keeps what it remembers of its followers’ log ends ({ $remembered }); produce requests that go on waiting: { $waiting }.
DepositionMissed-command_skipped = Of the changes of { $partition } in epochs { $epochs } broker { $broker } is told the last alone: it goes straight from leading in epoch { $leader_epoch_before } to leading in epoch { $leader_epoch } and does not notice that another broker led in between ({ $leaders }). It keeps what it remembers of its followers’ log ends ({ $remembered }); produce requests that go on waiting: { $waiting }.
CommandSkipped = The LeaderAndIsr that tells broker { $broker } of { $partition } with leader { $leader }, epoch { $leader_epoch }, never arrives: the next one stands in for it.
MetadataApplied = Broker { $broker } reads the metadata log up to offset { $offset }. For its replicas nothing changes.
MetadataUnread = Broker { $broker } is shutting down and reads the metadata log no further: what it leads it goes on leading until it stops.
RoleIgnored = Broker { $broker } is shutting down and passes over its new role in epoch { $leader_epoch }: it goes on as it was until it stops.
MetadataRecordsWritten = The controller’s metadata log now reaches offset { $offset }; records written: { $count }.
IsrExpandProposed = Leader { $broker } asks the controller to take broker { $replica } into the ISR. Until the answer comes, the high watermark waits for { "{" }{ $maximal_isr }{ "}" }.
IsrShrinkProposed = Leader { $broker } asks the controller to take { "{" }{ $replicas }{ "}" } out of the ISR, as out of sync. Until the answer comes, the high watermark still waits for { "{" }{ $maximal_isr }{ "}" }.
IsrExpanded = Broker { $replica } has caught up and joins the ISR of { $partition }, now { "{" }{ $isr }{ "}" }.
FollowerOutOfSync = Leader { $broker } finds broker { $replica } out of sync in { $partition }: it was last caught up { $elapsed_ms } ms ago.
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-never = Leader { $broker } finds broker { $replica } out of sync in { $partition }: it has not been caught up with this leader at all.
FollowerOutOfSync-stuck = Leader { $broker } finds broker { $replica } stuck in { $partition }: its last fetch was { $elapsed_ms } ms ago.
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-slow = { $behind ->
        [one] Leader { $broker } finds broker { $replica } slow in { $partition }: it ends at { $log_end_offset }, { $behind } record behind the leader’s { $leader_log_end_offset }. When it last fetched plays no part.
       *[other] Leader { $broker } finds broker { $replica } slow in { $partition }: it ends at { $log_end_offset }, { $behind } records behind the leader’s { $leader_log_end_offset }. When it last fetched plays no part.
    }
    .formula = { $behind } > replica.lag.max.messages { $lag_messages }
IsrShrunk = The ISR of { $partition } loses { "{" }{ $replicas }{ "}" } and is now { "{" }{ $isr }{ "}" }.
IsrShrunk-leader = The ISR of { $partition } loses { "{" }{ $replicas }{ "}" }, found out of sync, and is now { "{" }{ $isr }{ "}" }.
IsrShrunk-controller = The controller takes { "{" }{ $replicas }{ "}" } out of the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
IsrCommitted = Leader { $broker } hears that its proposal is written: the ISR is { "{" }{ $isr }{ "}" }.
IsrJoinRefused = Broker { $replica } has reached the high watermark, { $high_watermark }, but may not join the ISR: leader { $broker }’s epoch starts at { $leader_epoch_start_offset }, and it is at { $log_end_offset }.
    .formula = high watermark { $high_watermark } ≤ { $log_end_offset } < start of the leader’s epoch { $leader_epoch_start_offset }
IsrChangeRepeated = The ISR of { $partition } is already what leader { $broker } asks for: { "{" }{ $isr }{ "}" }. Nothing is written.
IsrChangeRejected = The ISR change that leader { $broker } wants for { $partition } is refused: { $error }. The ISR stays as it is.
IsrChangeRejected-heard = Leader { $broker } hears that its ISR change for { $partition } was refused: { $error }.
IsrChangeRejected-sent_again = Leader { $broker } hears { $error } about its ISR change for { $partition } and sends it again; meanwhile the change stays pending.
IsrChangeBlocked = Leader { $broker } cannot reach ZooKeeper to change the ISR of { $partition }, so it stays as it is; until that write is through, the leader takes no records.
IsrChangeBlocked-controller = Leader { $broker }’s proposal for the ISR of { $partition } does not reach the controller, so the ISR stays as it is.

SessionExpired = Broker { $broker }’s ZooKeeper session ends: the controller no longer counts it among the live brokers.
BrokerFenced = The controller has not heard of broker { $broker } in time and fences it: it may lead nothing and join no ISR.
BrokerFenced-shutdown = Broker { $broker } leads nothing now: the controller fences it and lets it stop.
BrokerRegistered = Broker { $broker } registers and gets broker epoch { $broker_epoch }. It stays fenced until it has read the metadata log.
BrokerRegistered-clean_shutdown = Broker { $broker } registers and gets broker epoch { $broker_epoch }. Its clean-shutdown file names { $previous_broker_epoch }, the epoch that the controller has: it stopped cleanly, lost nothing, and stays an eligible leader where it is one.
BrokerRegistered-unclean_shutdown = Broker { $broker } registers and gets broker epoch { $broker_epoch }. As the broker epoch of its last clean stop it reports { $previous_broker_epoch }, but the controller knows { $registered_broker_epoch }: it did not stop cleanly, its log may be shorter than before, and it leaves every ISR and ELR.
EligibleLeaderReplicasChanged = The eligible leader replicas of { $partition } are now { "{" }{ $elr }{ "}" }.
EligibleLeaderReplicasChanged-joined = { "{" }{ $replicas }{ "}" } left the ISR of { $partition }, which is below min.insync.replicas. Nothing more is committed there, so the controller may still elect from those who left: the ELR is now { "{" }{ $elr }{ "}" }.
EligibleLeaderReplicasChanged-cleared = The ISR of { $partition } is { "{" }{ $isr }{ "}" }, enough for min.insync.replicas: records are committed again without { "{" }{ $replicas }{ "}" }, so the ELR is now { "{" }{ $elr }{ "}" }.
EligibleLeaderReplicasChanged-unclean_shutdown = { $replicas ->
        [one] Broker { $replicas } may have lost records of { $partition } and is no eligible leader any more: the ELR is { "{" }{ $elr }{ "}" }.
       *[other] Brokers { $replicas } may have lost records of { $partition } and are no eligible leaders any more: the ELR is { "{" }{ $elr }{ "}" }.
    }
EligibleLeaderReplicasChanged-config = min.insync.replicas has changed, so nobody can say any more who has all that was committed in { $partition }: { "{" }{ $replicas }{ "}" } left the ELR, which is empty.
BrokerUnfenced = Broker { $broker } has read the metadata log and is unfenced. That alone puts it into no ISR.
BrokerJoined = The controller sees broker { $broker } in ZooKeeper again and tells it what it leads and follows.
LeaderElected = Broker { $leader } is elected leader of { $partition } in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-clean = Broker { $leader } is elected leader of { $partition } in epoch { $leader_epoch }: it is alive and was in the ISR, which is now { "{" }{ $isr }{ "}" }.
LeaderElected-preferred = Broker { $leader }, the preferred leader of { $partition }, is made its leader in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-unclean = Broker { $leader } is elected leader of { $partition } in epoch { $leader_epoch } though it was not in the ISR. Whatever it does not have is given up.
LeaderElected-shutdown = Broker { $previous_leader } is about to stop, so broker { $leader } takes over { $partition } in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-returned = Broker { $leader } of the ISR is back, so { $partition } has a leader again, in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-elr = Broker { $leader } is an eligible leader replica of { $partition } and back, so it is elected in epoch { $leader_epoch }, and cleanly: the controller takes it to have all that is committed. The ISR is { "{" }{ $isr }{ "}" }, the ELR { "{" }{ $elr }{ "}" }.
LeaderElected-last_known_leader = ISR and ELR of { $partition } are empty, so its last known leader, broker { $leader }, is elected in epoch { $leader_epoch }. That is an unclean election: whatever it does not have is given up.
LeaderLost-elr = Nobody leads { $partition } any more: broker { $previous_leader } was the last of the ISR, which is now empty. Whom the controller may still elect is the ELR { "{" }{ $elr }{ "}" }, those who left when nothing more could be committed. The epoch is { $leader_epoch }.
LeaderLost-last_known = Nobody leads { $partition } any more: broker { $previous_leader } was the last of the ISR, which is empty now, and so is the ELR. The controller waits for the last known leader. The epoch is { $leader_epoch }.
LeaderLost = Nobody leads { $partition } any more: broker { $previous_leader } no longer may, and nobody who could take over is alive. The ISR is { "{" }{ $isr }{ "}" }, the epoch { $leader_epoch }.
UncleanSettingNotRead = Nobody leads { $partition }: the live replicas, { "{" }{ $live }{ "}" }, are not in the ISR, and unclean.leader.election.enable, though on, is not read by this controller. It waits for a member of the ISR { "{" }{ $isr }{ "}" }, or for an administrator who asks for an unclean election.
UncleanSettingNotRead-no_request = Nobody leads { $partition }: the live replicas, { "{" }{ $live }{ "}" }, are not in the ISR, and unclean.leader.election.enable, though on, is not read by this controller. Nor can an administrator ask it for an election yet: it waits for a member of the ISR { "{" }{ $isr }{ "}" }.
ElectionNotPossible = Nobody can be elected for { $partition }: the ISR is { "{" }{ $isr }{ "}" }; live brokers: { $live }.
ElectionNotPossible-shutdown = Broker { $leader } is about to stop, and nobody can take over { $partition } from it: of the ISR, { "{" }{ $isr }{ "}" }, no other broker is alive.
LeaderRecovered = Leader { $leader } of { $partition }, elected uncleanly, now counts as RECOVERED.
MetadataCacheUpdated = Broker { $broker } updates its metadata cache: { $partitions }; live brokers: { $live }.
MetadataCacheUpdated-brokers = Broker { $broker } updates its metadata cache; live brokers: { $live }.
IsrChangesKept = Broker { $broker } does not tell the controller of the ISR of { $partitions } yet: it changed { $since_change_ms } ms ago, and the last notification was { $since_propagation_ms } ms ago.
    .formula = { $since_change_ms } ≤ 5000 and { $since_propagation_ms } ≤ 60000
IsrChangesKept-none = Broker { $broker } has written no ISR that the controller has not been told of.
IsrChangesTold = Broker { $broker } leaves a notification in ZooKeeper that it has changed the ISR of { $partitions }: for { $since_change_ms } ms nothing has changed.
    .formula = { $since_change_ms } > 5000
IsrChangesTold-overdue = Broker { $broker } leaves a notification in ZooKeeper that it has changed the ISR of { $partitions }: changes go on, but the last notification was { $since_propagation_ms } ms ago.
    .formula = { $since_propagation_ms } > 60000
IsrChangesTaken = The controller reads the ISR of { $partitions } that broker { $broker } has written, tells every live broker for its cache, and deletes the notification. No epoch changes.
ControllerElected = The controller has failed, and another broker takes over with controller epoch { $controller_epoch }. It reads every partition from ZooKeeper and tells all live brokers again, under the leader epochs that stand.
    .formula = controller epoch { $before } + 1 = { $controller_epoch }
CommandFenced = Broker { $broker } refuses a command of the controller: it comes too late.
CommandFenced-STALE_CONTROLLER_EPOCH = Broker { $broker } refuses a command of controller epoch { $controller_epoch } (STALE_CONTROLLER_EPOCH): it has heard of controller epoch { $known_controller_epoch }, so whoever sent this is no controller any more.
    .formula = { $controller_epoch } < { $known_controller_epoch }
CommandFenced-STALE_BROKER_EPOCH = Broker { $broker } refuses a command that was meant for an earlier start of it (STALE_BROKER_EPOCH): it says broker epoch { $broker_epoch }, and this process has { $own_broker_epoch }.
    .formula = { $broker_epoch } < { $own_broker_epoch }
ReassignmentStarted = { $partition } moves from brokers { $before } to { $target }; to be added: { $adding }, to be removed: { $removing }. Until the new replicas have joined the ISR, all of them are replicas.
ReassignmentStarted-adding = { $partition } gets more replicas, brokers { $target } instead of { $before }; to be added: { $adding }. The move is over when these are in the ISR.
ReassignmentStarted-removing = { $partition } gets fewer replicas, brokers { $target } instead of { $before }; to be removed: { $removing }.
ReassignmentCompleted = The move of { $partition } is done: all of { $replicas } are in the ISR { "{" }{ $isr }{ "}" }. Broker { $leader } leads in epoch { $leader_epoch }.
ReplicaCreated = Broker { $broker } makes an empty log for { $partition }: it is a replica now, and has everything still to fetch.
ReplicaDeleted = Broker { $broker } deletes its replica of { $partition }, a log that ended at { $log_end_offset }: it is not assigned to it any more.
StopReplicaIgnored = Broker { $broker } ignores a StopReplica for { $partition }: it has no such replica.
LeaderElected-reassigned = Broker { $leader } leads { $partition } from now on, in epoch { $leader_epoch }: broker { $previous_leader } does not stay a replica, and { $leader } is the first of the new ones that is live and in the ISR.
ReplicasReordered = The replicas of { $partition } are now listed as { $replicas }: the first one is preferred as leader.
ProtocolLevelChanged = The cluster’s { $name } changes from { $before } to { $level }.
ProtocolLevelChanged-raised = The cluster’s { $name } is raised from { $before } to { $level }. In force from here on: { $opened }.
ProtocolLevelChanged-raised_only = The cluster’s { $name } is raised from { $before } to { $level }. No rule modelled here depends on the levels in between.
ProtocolLevelChanged-lowered_only = The cluster’s { $name } is lowered from { $before } to { $level }. No rule modelled here depends on the levels in between.
ProtocolLevelChanged-lowered = The cluster’s { $name } is lowered from { $before } to { $level }. No longer in force: { $closed }.

ConfigChanged = { $name } is now { $value }.
ConfigChanged-topic = { $name } of topic { $topic } is now { $value }.

BrokerCrashed = Broker { $broker }’s process is gone. What it wrote is still in the page cache, and the controller has not noticed yet.
PowerLost = Broker { $broker } loses power: with its process goes every byte that is not on disk.
UnflushedRecordsLost = Of broker { $broker }’s log of { $partition } the disk has what is below { $kept }, not { $before }: { $values } had not been flushed.
DiskLost = Broker { $broker }’s disk is gone, with its logs, epochs and checkpoints. It will come back empty.
ShutdownStarted = Broker { $broker } begins a controlled shutdown.
RegistrationRefused = Broker { $broker } cannot register: its old session is still there in ZooKeeper. It exits.

BrokerStopped = Broker { $broker } has flushed its logs, written its checkpoints and its clean-shutdown marker, and stopped.
BrokerPaused = Broker { $broker } is paused, as by a long garbage collection: it keeps everything and answers nobody.
BrokerResumed = Broker { $broker } goes on where it was paused.
BrokerBooted = Broker { $broker } is up and opens its logs. Nobody has told it yet whom to lead or follow.
LogLoaded = Broker { $broker } opens its log of { $partition }: it ends at { $log_end_offset }; the high watermark, { $high_watermark }, is the checkpointed one.
LogLoaded-clean = Broker { $broker } had stopped cleanly: its log of { $partition } ends at { $log_end_offset }, and its high watermark is { $high_watermark }, as before.
LogLoaded-recovered = Broker { $broker } recovers its log of { $partition } from recovery point { $recovery_point } on: it ends at { $log_end_offset }. The high watermark is the last one checkpointed, { $high_watermark }; nothing is cut to it.
LogLoaded-recovered_outside_log = Broker { $broker } recovers its log of { $partition } from recovery point { $recovery_point } on: it ends at { $log_end_offset }. The last high watermark checkpointed, { $checkpoint_high_watermark }, lies outside the log, so it starts with { $high_watermark }.
BrokerExited = Broker { $broker } exits: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and with unclean election off it will not drop what the leader lacks.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }
BrokerHalted = The process of broker { $broker } is halted on the spot: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and with unclean election off it will not drop what the leader lacks. Nothing is written on the way out.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }
BrokerHung = Broker { $broker } begins to shut down and hangs: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and unclean election is off. Its session stays, but it follows nobody any more.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }

HighWatermarkCheckpointed = Broker { $broker } writes its high watermarks to the checkpoint file: { $high_watermarks }. After a restart it starts from these.
RecoveryPointCheckpointed = Broker { $broker } writes its recovery points to the checkpoint file: { $recovery_points }. What is below them is on disk.
LogFlushed = Broker { $broker } flushes its log of { $partition }: everything below { $flushed } is on disk now.
IsrChecked = Leader { $broker } checks the ISR of { $partition }: nobody in it has fallen behind.
IsrChecked-nothing_led = Broker { $broker } leads nothing, so there is no ISR to check.
HeartbeatReceived = The controller hears broker { $broker }’s heartbeat.
PreferredLeadersChecked = The controller looks for partitions whose preferred leader could lead and does not.
UncleanLeadersChecked = The controller looks for partitions without a leader that may be led by a replica from outside the ISR.
BackoffEnded = Broker { $broker } has waited long enough and may fetch { $partition } again.
TimeAdvanced = { $ms } ms pass.

MessageDropped = The { $message } from { $from } to { $to } is lost with its connection. Whoever waits for an answer sees a disconnect.
MessageDropped-fetch_request = Broker { $from }’s fetch is lost before broker { $to } has seen it. Broker { $from } will ask again.
MessageDropped-fetch_response = Leader { $from } has counted broker { $to }’s fetch, but its answer is lost: broker { $to } learns neither the records nor the high watermark in it, and will ask again.
MessageHeld = The { $message } from { $from } to { $to } is held back until it is released.
MessageHeld-metadata_record = From now on the metadata log is held back from broker { $to }: it reads nothing new of it, while its heartbeats and its requests to the controller pass.
MessageReleased-metadata_record = The metadata log is released: broker { $to } can read on, in one delivery or in several.
MessageReleased = The { $message } from { $from } to { $to } is released and can arrive.
LinkCut = The link from { $from } to { $to } is cut: nothing gets through that way until it is healed.
LinkHealed = The link from { $from } to { $to } carries messages again.
BrokerSlowed = From now on broker { $broker }’s messages take { $ms } ms longer.

ActionRefused = This cannot happen now: { $reason }.
Settled = Only routine messages are delivered. No log, ISR or leader changes.
DidNotSettle = After { $ms } ms of the run’s time something is still going on; nothing more is waited for.
PropertyViolated = { $property } is violated.
PropertyViolated-NoAckedRecordLost = Acknowledged and yet lost: { $values }. What producers were told is safe, the new leader, broker { $replicas }, does not have at offset { $offsets }.
PropertyViolated-LogMatching = Two logs differ below the high watermark: at offset { $offsets } brokers { $replicas } hold { $values }, and nothing in the protocol will notice.
PropertyViolated-WeakIsr = { $replicas ->
        [one] Broker { $replicas } counts as in sync with the leader and lacks { $values }, which the leader has committed.
       *[other] Brokers { $replicas } count as in sync with the leader and lack { $values }, which the leader has committed.
    }
PropertyViolated-StrongIsr = { $replicas ->
        [one] Broker { $replicas } is in the controller’s ISR and lacks { $values }, committed before: a clean election could choose it, and what it lacks would be lost.
       *[other] Brokers { $replicas } are in the controller’s ISR and lack { $values }, committed before: a clean election could choose one of them, and what it lacks would be lost.
    }
PropertyViolated-StrongIsr-leading = The controller has broker { $leader } as leader and in the ISR, though broker { $leader } lacks { $values }, committed before. As long as it is the leader, what it has is what counts.
PropertyViolated-LeaderInIsr = The leader is not in its own ISR.
PropertyViolated-OneLeaderPerEpoch = Two brokers have led the same partition in the same epoch.
PropertyViolated-HighWatermarkWithinLog = A high watermark lies outside its log.
PropertyViolated-MonotonicLeaderHighWatermark = A leader’s high watermark went down within one epoch.
PropertyViolated-EpochsIncrease = Epochs go down along a log or in an epoch vector.
PropertyViolated-LeaderCompleteness = Leader { $replicas } of { $partition } lacks { $values }, committed before.
PropertyViolated-LeaderCandidateCompleteness = { $replicas ->
        [one] Broker { $replicas } could be elected cleanly now and lacks { $values }, committed before.
       *[other] Brokers { $replicas } could be elected cleanly now and lack { $values }, committed before.
    }
PropertyViolated-LeaderCandidateCompleteness-leading = The controller has broker { $leader } as leader, which lacks { $values }, committed before. It counts as in sync, so every clean election may choose it.
PropertyViolated-EligibleLeaderCompleteness = { $replicas ->
        [one] Broker { $replicas } is in the ISR or the ELR and lacks { $values }, committed before.
       *[other] Brokers { $replicas } are in the ISR or the ELR and lack { $values }, committed before.
    }
PropertyViolated-ReplicationQuorumSuperset = The controller counts a replica in the ISR that the leader does not wait for.
PropertyViolated-ConsistentRead = A consumer sees another record at an offset that it has read, or has skipped one without a word.
RecordLost = The last copy of { $value } is gone. No producer was told that it was safe.
RecordLost-acked = { $value } is now on no replica, though its producer was told, with acks={ $acks }, that it was stored.
