### A sentence for every event, by kind and variant, with the formula of its rule.

Started = { $brokers ->
        [one] Start: Kafka { $kafka } with { $control }, broker { $brokers }.
       *[other] Start: Kafka { $kafka } with { $control }, brokers { $brokers }.
    }

RecordProduced = Broker { $broker } appends { $value } of producer { $producer } at offset { $offset }. Its log now ends at { $log_end_offset }.
RecordProduced-idempotent = Broker { $broker } appends { $value } of producer { $producer } at offset { $offset }, as sequence { $sequence } of producer id { $producer_id }. Its log now ends at { $log_end_offset }.
RecordProduced-transactional = Broker { $broker } appends { $value } at offset { $offset }, as sequence { $sequence } of producer id { $producer_id }, in its open transaction. Consumers with read_committed must wait until the transaction ends.
DuplicateRecognised = Broker { $broker } already has sequence { $sequence } of producer id { $producer_id }: { $value } at offset { $offset }. It appends nothing and returns that offset.
    .formula = sequence { $sequence } ≤ last sequence { $last_sequence }
TransactionBegun = Producer { $producer }, with id { $producer_id }, begins a transaction. No log contains it until its first record.
MarkerWritten = Broker { $broker } writes the transaction marker of producer id { $producer_id } to { $partition } at offset { $offset }.
MarkerWritten-commit = Broker { $broker } writes a commit marker of producer id { $producer_id } to { $partition } at offset { $offset }. Applications do not see markers. The transaction takes effect when the high watermark passes the marker.
MarkerWritten-abort = Broker { $broker } writes an abort marker of producer id { $producer_id } to { $partition } at offset { $offset }. The records of the transaction stay in the log; consumers with read_committed drop them.
TransactionEnded = Producer { $producer }’s transaction has ended.
TransactionEnded-commit = Producer { $producer } commits: the marker of producer id { $producer_id } is in { $partitions }, and the decision is final.
TransactionEnded-abort = Producer { $producer } aborts: the marker of producer id { $producer_id } is in { $partitions }. Consumers with read_committed will not see its records.
TransactionEnded-hanging = An administrator aborts the transaction of producer id { $producer_id }, which the log of { $partitions } showed as open, although producer { $producer } has no open transaction: its marker had been lost. Consumers with read_committed can continue, and drop its records.
TransactionEnded-empty = Producer { $producer } ends a transaction without records; no marker is written.
ProduceAcknowledged = Broker { $broker } responds to producer { $producer }: { $value } is at offset { $offset }, and acks={ $acks } is satisfied.
ProduceAcknowledged-all = Producer { $producer } gets the acknowledgement for { $value }: the high watermark, { $high_watermark }, has passed offset { $offset }, so leader { $broker } knows that the whole ISR has the record.
    .formula = high watermark { $high_watermark } > offset { $offset }
ProduceAcknowledged-1 = Producer { $producer } gets the acknowledgement for { $value } at offset { $offset }. With acks=1, only broker { $broker } is guaranteed to have a copy.
ProduceFailed = The produce of { $value } by producer { $producer } fails: { $error }.
ProduceFailed-NOT_ENOUGH_REPLICAS = Broker { $broker } rejects { $value } with NOT_ENOUGH_REPLICAS: the ISR is { "{" }{ $isr }{ "}" }, and min.insync.replicas is { $min_insync_replicas }. Nothing is appended.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
ProduceFailed-NOT_ENOUGH_REPLICAS_AFTER_APPEND = { $value } is committed, but the ISR, { "{" }{ $isr }{ "}" }, has meanwhile shrunk below min.insync.replicas ({ $min_insync_replicas }). Producer { $producer } gets NOT_ENOUGH_REPLICAS_AFTER_APPEND, and the record stays in the log.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
ProduceFailed-NOT_LEADER_OR_FOLLOWER = Broker { $broker } is not the leader of { $partition } and responds to producer { $producer } with NOT_LEADER_OR_FOLLOWER. If { $value } was already appended, it stays in the log unacknowledged.
ProduceFailed-REQUEST_TIMED_OUT = The request times out before the high watermark passes { $value }: producer { $producer } gets REQUEST_TIMED_OUT. The record stays in broker { $broker }’s log and may still be committed.
ProduceFailed-LEADER_NOT_AVAILABLE = Producer { $producer } cannot send { $value }: { $partition } has no leader.
ProduceFailed-OUT_OF_ORDER_SEQUENCE_NUMBER = Broker { $broker } rejects { $value } with OUT_OF_ORDER_SEQUENCE_NUMBER: sequence { $sequence } of producer id { $producer_id } does not follow the last sequence in the log. Nothing is appended.
ProduceFailed-UNKNOWN_PRODUCER_ID = Broker { $broker } rejects { $value } with UNKNOWN_PRODUCER_ID: it has sequence { $sequence }, and the log has no records of producer id { $producer_id }. Nothing is appended.
ProduceFailed-UNKNOWN_TOPIC_OR_PARTITION = Broker { $broker } does not host { $partition } and responds to producer { $producer } with UNKNOWN_TOPIC_OR_PARTITION. { $value } is not appended.
ProduceWaiting = { $producer } sends { $value } for { $partition } to broker { $broker }, which is paused. The request waits until the broker resumes.
ProduceWaiting-isr_write = { $producer } sends { $value } for { $partition } to broker { $broker }, whose ISR change is waiting for ZooKeeper. The request waits too.
ProduceUnanswered = Producer { $producer } gets no response for { $value }: the connection to broker { $broker } is broken. The producer cannot know whether the record was stored.
ConsumerRead = Consumer { $consumer } reads { $values } from broker { $broker } and continues at offset { $to_offset }. It may read below the high watermark, { $high_watermark }.
ConsumerRead-follower = Consumer { $consumer } reads { $values } from follower { $broker } and continues at offset { $to_offset }. A follower serves records below its own high watermark, { $high_watermark }.
ConsumerRead-committed = Consumer { $consumer } reads { $values } from broker { $broker } and continues at offset { $to_offset }. With read_committed it may read below the last stable offset, { $last_stable_offset }.
ConsumerPassedOver = Consumer { $consumer } skips { $values }: markers have offsets, but applications do not see them. It continues at { $to_offset }.
ConsumerPassedOver-aborted = Consumer { $consumer } skips { $values }: the broker also sends the records of aborted transactions, with a list of these transactions, and the consumer drops them. It continues at { $to_offset }.
ConsumerReadNothing = Consumer { $consumer } gets no records at offset { $offset }: it may read only below the high watermark, { $high_watermark }, although broker { $broker }’s log ends at { $log_end_offset }.
    .formula = offset { $offset } ≥ high watermark { $high_watermark }
ConsumerReadNothing-end = Consumer { $consumer } gets no records at offset { $offset }: broker { $broker }’s log ends there.
    .formula = offset { $offset } ≥ log end offset { $log_end_offset }
ConsumerReadNothing-follower = Consumer { $consumer } gets no records at offset { $offset } from follower { $broker }: a follower serves records below its own high watermark, { $high_watermark }, which only its fetches can advance.
    .formula = offset { $offset } ≥ high watermark { $high_watermark }
ConsumerReadNothing-committed = Consumer { $consumer } gets no records at offset { $offset }: with read_committed it may read only below the last stable offset, { $last_stable_offset }, although broker { $broker }’s high watermark is { $high_watermark }.
    .formula = offset { $offset } ≥ last stable offset { $last_stable_offset }
ConsumerOutOfRange = Consumer { $consumer } fetches from offset { $offset }, which is outside broker { $broker }’s log; the log ends at { $log_end_offset }. The consumer continues at { $reset_to }.
    .formula = offset { $offset } > log end offset { $log_end_offset }
ConsumerOutOfRange-follower = Consumer { $consumer } fetches from offset { $offset } at follower { $broker }, past the end of its log, { $log_end_offset }. The follower may be behind, so the consumer returns to the leader and keeps its position.
    .formula = offset { $offset } > log end offset { $log_end_offset }
ConsumerOutOfRange-below_start = Consumer { $consumer } fetches from offset { $offset }, below the start of broker { $broker }’s log, { $log_start_offset }. The consumer continues at { $reset_to }.
    .formula = offset { $offset } < log start offset { $log_start_offset }
ConsumerOutOfRange-undefined = Broker { $broker } does not know the epoch of the last record that consumer { $consumer } read, so the point of divergence is unknown. The consumer continues at { $reset_to } instead of { $offset }.
ConsumerSentToFollower = Leader { $broker } sends consumer { $consumer }, which is in rack { $rack }, to follower { $follower } in the same rack.
ConsumerOffsetNotAvailable = Broker { $broker } does not return its latest offset to consumer { $consumer }: its high watermark, { $high_watermark }, has not reached the start of its epoch, { $leader_epoch_start_offset }, so the offset could be lower than an earlier one. The consumer stays at { $offset } and retries.
    .formula = high watermark { $high_watermark } < epoch start offset { $leader_epoch_start_offset }
ConsumerTruncationDetected = Consumer { $consumer } is at offset { $offset } and last read a record of epoch { $epoch }. Broker { $broker } responds that this epoch ends at { $end_offset }. The records that it read from that offset on were truncated, so it continues at { $end_offset }.
    .formula = end of epoch { $epoch }: { $end_offset } < offset { $offset }
ReadReplaced = Consumer { $consumer } has read { $values } at { $values ->
    [one] offset
   *[other] offsets
} { $offsets } of { $partition }, where leader { $leader } now has { $instead }.
ConsumerPositionValidated = Consumer { $consumer } asks broker { $broker } where epoch { $epoch }, the epoch of the last record it read, ends: at { $end_offset }. Its position { $offset } is valid.
    .formula = end of epoch { $epoch }: { $end_offset } ≥ offset { $offset }
ConsumeFailed = Consumer { $consumer } cannot read { $partition }: { $error }.
ConsumeFailed-LEADER_NOT_AVAILABLE = Consumer { $consumer } cannot read { $partition }: it has no leader.
ConsumeFailed-NOT_LEADER_OR_FOLLOWER = Consumer { $consumer } fetches from broker { $broker }, which is not the leader of { $partition } and responds with NOT_LEADER_OR_FOLLOWER.
ConsumeFailed-REPLICA_NOT_AVAILABLE = Consumer { $consumer } fetches from broker { $broker }, which has no replica of { $partition } and responds with REPLICA_NOT_AVAILABLE.
ConsumeFailed-UNKNOWN_LEADER_EPOCH = Consumer { $consumer } knows a newer leader epoch of { $partition } than broker { $broker }, which responds with UNKNOWN_LEADER_EPOCH until it learns of that epoch.
ConsumeFailed-UNKNOWN_TOPIC_OR_PARTITION = Consumer { $consumer } fetches from broker { $broker }, which does not host { $partition } and responds with UNKNOWN_TOPIC_OR_PARTITION.
ClientMetadataRefreshed = Client { $client } refreshes its metadata. Leader of { $partition }: { $leader }.

FetchSent = Broker { $broker } fetches { $partition } from leader { $leader } at offset { $fetch_offset }. This acknowledges every record below that offset.
FetchSent-with_epoch = Broker { $broker } fetches { $partition } from leader { $leader } at offset { $fetch_offset }, with { $last_fetched_epoch } as its last fetched epoch. If the leader’s log matches, this acknowledges every record below that offset.
FetchHandled = Leader { $broker } responds to broker { $follower } with { $records ->
        [one] { $records } record
       *[other] { $records } records
    } from offset { $fetch_offset } and the high watermark at the time of the read: { $high_watermark }.
FetchHandled-empty = Leader { $broker } responds to broker { $follower } without records, because it has none from offset { $fetch_offset }, and with the high watermark at the time of the read: { $high_watermark }.
FetchHandled-no_replica = Leader { $broker } responds to broker { $follower } without records and without an error, because broker { $follower } is not one of its replicas.
FetchParked = Leader { $broker } has no records from offset { $fetch_offset }, so broker { $follower }’s fetch waits for at most { $wait_ms } ms.
LongPollExpired = Leader { $broker } completes broker { $follower }’s waiting fetch without records, with the current high watermark: { $high_watermark }.
FetchDiverging = Broker { $follower } fetches at offset { $fetch_offset } with last fetched epoch { $last_fetched_epoch }, which does not match leader { $broker }’s log. Instead of records, the leader returns that epoch { $diverging_epoch } ends at { $end_offset }.
    .formula = epoch { $diverging_epoch } < last fetched epoch { $last_fetched_epoch }, or end { $end_offset } < fetch offset { $fetch_offset }
FetchOutOfRange = Broker { $follower } fetches from offset { $fetch_offset }, but leader { $broker }’s log ends at { $log_end_offset }: OFFSET_OUT_OF_RANGE.
    .formula = fetch offset { $fetch_offset } > leader’s log end offset { $log_end_offset }
FetchOutOfRange-below_start = Broker { $follower } fetches from offset { $fetch_offset }, but leader { $broker }’s log starts at { $log_start_offset }: OFFSET_OUT_OF_RANGE.
    .formula = fetch offset { $fetch_offset } < leader’s log start offset { $log_start_offset }
FetchOutOfRange-undefined = Leader { $broker } does not know where the last epoch of broker { $follower }’s fetch at offset { $fetch_offset } ends, and responds with OFFSET_OUT_OF_RANGE.
FetchRejected = Broker { $broker } rejects broker { $follower }’s request with { $error }: it carries leader epoch { $request_epoch }, and broker { $broker } is in epoch { $leader_epoch }.
FetchRejected-FENCED_LEADER_EPOCH = Broker { $broker } fences broker { $follower }’s request: its epoch, { $request_epoch }, is outdated.
    .formula = request’s epoch { $request_epoch } < { $leader_epoch }
FetchRejected-UNKNOWN_LEADER_EPOCH = Broker { $broker } does not know epoch { $request_epoch } of broker { $follower }’s request yet and responds with UNKNOWN_LEADER_EPOCH.
    .formula = request’s epoch { $request_epoch } > { $leader_epoch }
FetchRejected-unknown_replica = Leader { $broker } rejects broker { $follower }’s request with { $error }: it does not have broker { $follower } as a replica of { $partition }. The request has no effect.
FetchRejected-stale_broker_epoch = Broker { $broker } rejects broker { $follower }’s fetch with { $error }: it carries broker epoch { $request_broker_epoch }, and broker { $follower } has since restarted with broker epoch { $broker_epoch }. The fetch has no effect.
    .formula = request’s broker epoch { $request_broker_epoch } < { $broker_epoch }
FetchRejected-NOT_LEADER_OR_FOLLOWER = Broker { $broker } is not the leader of { $partition } and responds to broker { $follower } with NOT_LEADER_OR_FOLLOWER.
FetchRejected-UNKNOWN_TOPIC_OR_PARTITION = Broker { $broker } does not host { $partition } and responds to broker { $follower } with UNKNOWN_TOPIC_OR_PARTITION. The request has no effect.
FollowerEndForgotten = The fetch failed, so leader { $broker } no longer knows broker { $follower }’s log end offset, which was { $before }, until broker { $follower } fetches again.
FetchApplied = Broker { $broker } appends { $values } from leader { $leader }; its log now ends at { $log_end_offset }. The response carries the high watermark { $high_watermark }.
FetchApplied-empty = Broker { $broker } receives no records from leader { $leader }, only the high watermark: { $high_watermark }.
FetchedEpochForgotten = The response had no records, so broker { $broker } forgets that { $epoch } is its last fetched epoch. Until it receives records, its fetches carry no epoch, and leader { $leader } cannot detect a divergence.
LeaderOffsetHeard = Leader { $leader }’s log starts at { $offset }. Broker { $broker }’s log ends at { $log_end_offset }, not below that, so nothing is truncated and it continues to fetch from there.
LeaderOffsetHeard-latest = Leader { $leader }’s log ends at { $offset }, not below the end of broker { $broker }’s log at { $log_end_offset }. There is nothing to truncate, and broker { $broker } will look up the log start offset.
RoundsRepeat = This repeats: broker { $broker } and leader { $leader } are in the same state as before these requests, so the next ones are the same, until something else changes.
RoundsRepeat-lookup = This repeats: the response removes no record from broker { $broker }’s log, so epoch { $epoch } remains its latest, and it looks up the same epoch again. It fetches nothing until something else changes.
RoundsRepeat-out_of_range = This repeats: broker { $broker } truncates nothing, so its next fetch is the same, and leader { $leader } responds with OFFSET_OUT_OF_RANGE again, because it does not know where epoch { $epoch } ends. It goes on until something else changes, for example until the leader appends a record.
FetchErrorReceived = Broker { $broker } gets { $error } from broker { $leader } and retries in { $backoff_ms } ms.
FetchErrorReceived-out_of_range = Broker { $broker } gets OFFSET_OUT_OF_RANGE from leader { $leader }. Next it looks up where that log ends.
PartitionFailed = Broker { $broker } stops fetching { $partition } after { $error }, until it gets newer state from the controller.
ResponseIgnored = Broker { $broker } ignores the { $message }: its fetch loop has restarted since it sent the request.
ResponseIgnored-superseded = Broker { $broker } ignores the { $message }: it already has newer metadata.
ResponseIgnored-given_up = Leader { $broker } ignores the { $message }: it carries a different epoch of { $partition } than the leader’s. The ISR change stays pending until newer metadata arrives.
ResponseIgnored-another_epoch = Broker { $broker } ignores the { $message }: it carries leader epoch { $leader_epoch }, and the broker’s metadata is at epoch { $own_leader_epoch }. The ISR change stays pending until newer metadata arrives.
LateResponseDiscarded = Broker { $broker } drops the { $message } from broker { $leader }: it sent the request in epoch { $asked_in } and now follows in epoch { $leader_epoch }.
LateResponseDiscarded-lookup = Broker { $broker } drops the epoch lookup response from broker { $leader }: it sent the request in epoch { $asked_in } and now follows in epoch { $leader_epoch }.
LateResponseAccepted = Broker { $broker } applies broker { $leader }’s response to a request from epoch { $asked_in }, although it now follows in epoch { $leader_epoch }: it still fetches from offset { $fetch_offset }, and nothing else is checked.
LateResponseAccepted-lookup = Broker { $broker } applies broker { $leader }’s response to an epoch lookup from epoch { $asked_in }, although it now follows in epoch { $leader_epoch }: the epochs are not compared.
FollowerHighWatermarkSet = Broker { $broker } sets its high watermark from { $before } to { $after }; the leader’s response has { $response_high_watermark }.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
FollowerHighWatermarkSet-diverging = The leader’s response reports that broker { $broker }’s log diverges, and carries the high watermark { $response_high_watermark }. Broker { $broker } first applies it up to its log end, { $before } → { $after }, even if that covers records that it is about to truncate.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
DivergenceHeard = Leader { $leader }’s response reports that broker { $broker }’s log diverges: epoch { $diverging_epoch } ends at { $end_offset } on the leader. The high watermark stays at { $high_watermark }, and broker { $broker } truncates next.
FollowerHighWatermarkSet-back = Broker { $broker }’s high watermark goes back from { $before } to { $after }: a follower uses the value in the leader’s response. This truncates nothing.
    .formula = high watermark = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
EpochLookupSent = Before it fetches, broker { $broker } asks leader { $leader } where its latest epoch, { $epoch }, ends.
EpochLookupSent-no_epoch = Before it fetches, broker { $broker } asks leader { $leader } where its latest epoch ends. It has no epoch yet, so it sends −1.
EpochLookupAnswered = Broker { $follower } asked where epoch { $epoch } ends. Leader { $broker } responds: epoch { $answer_epoch } ends at offset { $end_offset }.
EpochLookupAnswered-offset_only = Broker { $follower } asked where epoch { $epoch } ends. Leader { $broker } responds with offset { $end_offset }, where its next higher epoch starts or its log ends.
EpochLookupAnswered-undefined = Leader { $broker } does not know where epoch { $epoch } ends. Broker { $follower } falls back to its own high watermark.
EpochLookupAnswered-no_epoch = Broker { $follower } has no epoch and sent −1, which leader { $broker } cannot answer. Broker { $follower } falls back to its own high watermark.
EpochLookupAnswered-no_epoch_either = Broker { $follower } has no epoch and sent −1. Leader { $broker } has none either, so −1 is its latest too: it responds with the end of its log, { $end_offset }.
ListOffsetsSent = Broker { $broker } requests the { $which } offset of leader { $leader }.
ListOffsetsAnswered = Leader { $broker } responds to broker { $follower }: its { $which } offset is { $offset }.

LogTruncated = Broker { $broker } truncates its log from { $before } to { $to } and removes { $values }.
LogTruncated-high_watermark = Broker { $broker } becomes a follower and truncates its log to its own high watermark, { $to }. It removes { $values }, without checking what the leader has.
    .formula = truncate to own high watermark = { $to }
LogTruncated-kip_101 = On the leader, broker { $broker }’s latest epoch ends at { $leader_end_offset }. Broker { $broker } truncates its log to { $to } and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-no_epoch_either = Neither broker { $broker } nor its leader has an epoch, so broker { $broker } uses the leader’s log end, { $leader_end_offset }. It truncates its log to { $to } and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279 = According to their epochs, both logs are the same below offset { $to }. Broker { $broker } truncates its log there and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279_again = Broker { $broker } does not have epoch { $leader_epoch_answered }. It truncates its log to { $to }, the end of its epochs up to that one, removes { $values }, and looks up epoch { $next_epoch } next.
    .formula = truncate to own end of epochs ≤ { $leader_epoch_answered } = { $to }
LogTruncated-kip_279_alone = Broker { $broker } has neither epoch { $leader_epoch_answered } nor an older one, so it uses only the leader’s offset, { $leader_end_offset }. It truncates its log to { $to } and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-undefined = The leader does not know the end of broker { $broker }’s latest epoch, so broker { $broker } truncates its log to its own high watermark, { $to }, and removes { $values }.
    .formula = undefined end offset: truncate to own high watermark = { $to }
LogTruncated-no_answer = Broker { $broker } has no epoch, and the leader cannot answer that lookup, so broker { $broker } truncates its log to its own high watermark, { $to }, and removes { $values }.
    .formula = undefined end offset: truncate to own high watermark = { $to }
LogTruncated-on_fetch = The response carries the point of divergence: according to their epochs, both logs are the same below offset { $to }. Broker { $broker } truncates its log there and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-on_fetch_again = Broker { $broker } does not have epoch { $diverging_epoch }. It truncates its log to { $to }, the end of its epochs up to that one, removes { $values }, and fetches from there.
    .formula = truncate to own end of epochs ≤ { $diverging_epoch } = { $to }
LogTruncated-on_fetch_alone = Broker { $broker } has neither epoch { $diverging_epoch } nor an older one, so it uses only the leader’s offset, { $leader_end_offset }. It truncates its log to { $to } and removes { $values }.
    .formula = truncate to min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-out_of_range = Broker { $broker }’s log is longer than its leader’s. It truncates its log to the leader’s log end, { $to }, and removes { $values }.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $before }
LogTruncated-no_epochs = Broker { $broker } has no epoch to look up, so it truncates its log to its own high watermark, { $to }, and removes { $values }.
    .formula = truncate to own high watermark = { $to }
LogTruncated-full = The leader’s log starts at { $log_start_offset }, past broker { $broker }’s log end, { $before }. Broker { $broker } deletes its whole log, { $values }, and starts over there.
    .formula = leader’s log start offset { $log_start_offset } > { $before }
TruncationNotNeeded = Broker { $broker } has nothing to truncate: its log ends at { $log_end_offset }.
TruncationNotNeeded-high_watermark = Broker { $broker } becomes a follower. Its high watermark, { $to }, is its log end, so there is nothing to truncate.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-kip_101 = On the leader, broker { $broker }’s latest epoch ends at { $leader_end_offset }. Broker { $broker }’s log does not extend past that, so it keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-no_epoch_either = Neither broker { $broker } nor its leader has an epoch, so broker { $broker } uses the leader’s log end, { $leader_end_offset }. Its own log is not longer, so it keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279 = According to their epochs, both logs are the same up to broker { $broker }’s log end, { $log_end_offset }. It keeps everything.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279_again = Broker { $broker } does not have epoch { $leader_epoch_answered }. There is nothing to truncate yet; it looks up epoch { $next_epoch } next.
    .formula = own end of epochs ≤ { $leader_epoch_answered } = { $to }
TruncationNotNeeded-kip_279_alone = Broker { $broker } has neither epoch { $leader_epoch_answered } nor an older one, so it uses only the leader’s offset, { $leader_end_offset }. Its log ends at { $log_end_offset }, not past that, so it keeps everything, whether the leader has it or not.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-undefined = The leader does not know where broker { $broker }’s latest epoch ends. Broker { $broker } falls back to its own high watermark, { $to }, which is its log end: nothing is truncated.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-no_answer = Broker { $broker } has no epoch, and the leader cannot answer that lookup. Its high watermark, { $to }, is its log end: nothing is truncated.
    .formula = high watermark { $to } = log end offset { $log_end_offset }
TruncationNotNeeded-on_fetch = The epochs differ, but both logs are the same up to broker { $broker }’s log end, { $log_end_offset }. It keeps every record and fetches again.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-on_fetch_again = Broker { $broker } does not have epoch { $diverging_epoch }. There is nothing to truncate yet; it fetches again from { $log_end_offset }.
    .formula = own end of epochs ≤ { $diverging_epoch } = { $to }
TruncationNotNeeded-on_fetch_alone = Broker { $broker } has neither epoch { $diverging_epoch } nor an older one, so it uses only the leader’s offset, { $leader_end_offset }. Its log ends at { $log_end_offset }, not past that, so it keeps everything, whether the leader has it or not.
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-out_of_range = Broker { $broker }’s log is not longer than its leader’s, which ends at { $leader_log_end_offset }: nothing is truncated.
    .formula = leader’s log end offset { $leader_log_end_offset } ≥ { $log_end_offset }
TruncationNotNeeded-no_epochs = Broker { $broker } has no epoch to look up. Its high watermark, { $to }, is its log end, so there is nothing to truncate.
    .formula = high watermark { $to } = log end offset { $log_end_offset }

EpochAssigned = Broker { $broker } records in its epoch vector that epoch { $epoch } starts at offset { $start_offset }.
EpochAssigned-leader = As the new leader, broker { $broker } immediately records that epoch { $epoch } starts at offset { $start_offset }, before it has a record in that epoch.
EpochAssigned-goes_on = Broker { $broker } immediately records that epoch { $epoch } starts at offset { $start_offset }, before it has a record in that epoch.
EpochAssigned-append = With the record at offset { $start_offset }, broker { $broker } records that epoch { $epoch } starts there.
EpochAssigned-not_appended = Broker { $broker } records that epoch { $epoch } starts at offset { $start_offset }, and only then finds that it must not append this batch.
EpochsDropped = Broker { $broker } removes { $epochs } from its epoch vector.

HighWatermarkAdvanced = Leader { $broker } advances the high watermark from { $before } to { $after }: as far as it knows, every replica that it waits for has all records below { $after }.
    .formula = high watermark = min({ $log_end_offsets }) = { $after }
HighWatermarkHeld = The high watermark stays at { $high_watermark }: the ISR, { "{" }{ $isr }{ "}" }, is smaller than min.insync.replicas ({ $min_insync_replicas }), so no new record is committed.
    .formula = size of ISR { "{" }{ $isr }{ "}" } < { $min_insync_replicas }
HighWatermarkHeld-outsider = The high watermark stays at { $high_watermark }, although the ISR, { "{" }{ $isr }{ "}" }, has all records below { $without }. { $outsiders ->
        [one] It waits for broker { $outsiders }, which is outside the ISR but was recently caught up, so that it can rejoin.
       *[other] It waits for brokers { $outsiders }, which are outside the ISR but were recently caught up, so that they can rejoin.
    }
    .formula = outside the ISR and caught up within { $lag_ms } ms
BecameLeader = Broker { $broker } becomes leader of { $partition } in epoch { $leader_epoch } with its log as it is: it ends at { $log_end_offset }, and the high watermark is { $high_watermark }.
BecameLeader-goes_on = Broker { $broker } remains the leader of { $partition }, now in epoch { $leader_epoch }: its log ends at { $log_end_offset }, and its high watermark is { $high_watermark }.
BecameFollower = Broker { $broker } becomes a follower of broker { $leader } for { $partition } in epoch { $leader_epoch }.
LeaderStateReset = Broker { $broker } remains the leader of { $partition } in epoch { $leader_epoch }, but resets the epoch’s start to its log end offset, { $leader_epoch_start_offset }: every change of the partition resets the leader’s state.
PartitionChangeTaken = Leader { $broker } reads partition epoch { $partition_epoch } of { $partition }. It remains leader in epoch { $leader_epoch }; the ISR stays { "{" }{ $isr }{ "}" }.
PartitionChangeTaken-isr = Leader { $broker } reads that the ISR of { $partition } is now { "{" }{ $isr }{ "}" }, with partition epoch { $partition_epoch }. It remains leader in epoch { $leader_epoch }.
PartitionChangeTaken-proposal = Leader { $broker } reads in the metadata log that its ISR change was written: the ISR of { $partition } is { "{" }{ $isr }{ "}" }, the partition epoch { $partition_epoch }. It remains leader in epoch { $leader_epoch }.
PartitionChangeTaken-pending_dropped = Leader { $broker } reads partition epoch { $partition_epoch } of { $partition } with the ISR { "{" }{ $isr }{ "}" }, and drops its pending ISR { "{" }{ $pending }{ "}" }: the controller’s state takes precedence. It remains leader in epoch { $leader_epoch }.
PartitionChangeTaken-replicas = Leader { $broker } reads that the replicas of { $partition } are now { $replicas }, with the ISR { "{" }{ $isr }{ "}" } and partition epoch { $partition_epoch }. It remains leader in epoch { $leader_epoch }.
PartitionChangeTaken-follower = Broker { $broker } reads partition epoch { $partition_epoch } of { $partition }, and keeps following broker { $leader } in epoch { $leader_epoch }.
PartitionChangeTaken-follower_epoch = Broker { $broker } keeps following broker { $leader }, now in epoch { $leader_epoch } of { $partition }. The leader is the same, so its fetcher does not restart.
BecameLeaderless = Broker { $broker } learns that { $partition } has no leader in epoch { $leader_epoch }, and waits.
CommandIgnored = Broker { $broker } ignores a LeaderAndIsr of epoch { $leader_epoch }: it is already in epoch { $local_leader_epoch }.
    .formula = epoch { $leader_epoch } ≤ { $local_leader_epoch }
CommandIgnored-no_leader = Broker { $broker } receives a command that { $partition } has no leader in epoch { $leader_epoch }. It has no leader to follow, so { $local_leader_epoch ->
    [-1] it stays without an epoch.
   *[other] it stays in epoch { $local_leader_epoch }.
}
StatesPassedOver = { $states ->
        [one] Broker { $broker } reads { $states } change of { $partition } in one delivery and applies only the final state: leader { $leader }, epoch { $leader_epoch }, ISR { "{" }{ $isr }{ "}" }. The earlier states have no effect.
       *[other] Broker { $broker } reads { $states } changes of { $partition } in one delivery and applies only the final state: leader { $leader }, epoch { $leader_epoch }, ISR { "{" }{ $isr }{ "}" }. The earlier states have no effect.
    }
DepositionMissed = Broker { $broker } reads the changes of { $partition } in epochs { $epochs } in one delivery and applies only the last: it goes directly from leader in epoch { $leader_epoch_before } to leader in epoch { $leader_epoch } and does not notice that another broker was leader in between ({ $leaders }). It keeps its followers’ log end offsets ({ $remembered }). Produce requests that are still pending: { $waiting }.
DepositionMissed-command_skipped = Of the changes of { $partition } in epochs { $epochs }, broker { $broker } receives only the last: it goes directly from leader in epoch { $leader_epoch_before } to leader in epoch { $leader_epoch } and does not notice that another broker was leader in between ({ $leaders }). It keeps its followers’ log end offsets ({ $remembered }). Produce requests that are still pending: { $waiting }.
DepositionMissed-ends_forgotten = Of the changes of { $partition } in epochs { $epochs }, broker { $broker } receives only the last: it goes directly from leader in epoch { $leader_epoch_before } to leader in epoch { $leader_epoch } and does not notice that another broker was leader in between ({ $leaders }). It forgets its followers’ log end offsets, as with every LeaderAndIsr. Produce requests that are still pending: { $waiting }.
CommandSkipped = The LeaderAndIsr to broker { $broker } for { $partition } with leader { $leader }, epoch { $leader_epoch }, never arrives: the next one replaces it.
MetadataApplied = Broker { $broker } reads the metadata log up to offset { $offset }. Nothing changes for its replicas.
MetadataUnread = Broker { $broker } is shutting down and has stopped reading the metadata log: it remains leader of its partitions until it stops.
RoleIgnored = Broker { $broker } is shutting down and ignores its new role in epoch { $leader_epoch }: it keeps its old role until it stops.
MetadataRecordsWritten = The last record of the controller’s metadata log is now at offset { $offset }; records written: { $count }.
IsrExpandProposed = Leader { $broker } asks the controller to add broker { $replica } to the ISR. Until the response arrives, the high watermark waits for { "{" }{ $maximal_isr }{ "}" }.
IsrShrinkProposed = Leader { $broker } asks the controller to remove { "{" }{ $replicas }{ "}" } from the ISR as out of sync. Until the response arrives, the high watermark still waits for { "{" }{ $maximal_isr }{ "}" }.
IsrShrinkProposed-counts_already = Leader { $broker } asks the controller to remove { "{" }{ $replicas }{ "}" } from the ISR as out of sync. In this what-if, the high watermark waits only for { "{" }{ $maximal_isr }{ "}" } from now on, before the controller has agreed.
IsrExpanded = Broker { $replica } has caught up and joins the ISR of { $partition }, now { "{" }{ $isr }{ "}" }.
FollowerOutOfSync = Leader { $broker } finds broker { $replica } out of sync for { $partition }: it was last caught up { $elapsed_ms } ms ago.
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-never = Leader { $broker } finds broker { $replica } out of sync for { $partition }: it has never caught up with this leader.
FollowerOutOfSync-stuck = Leader { $broker } finds broker { $replica } stuck for { $partition }: its last fetch was { $elapsed_ms } ms ago.
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-slow = { $behind ->
        [one] Leader { $broker } finds broker { $replica } slow for { $partition }: its log ends at { $log_end_offset }, { $behind } record behind the leader’s { $leader_log_end_offset }. The time of its last fetch does not matter.
       *[other] Leader { $broker } finds broker { $replica } slow for { $partition }: its log ends at { $log_end_offset }, { $behind } records behind the leader’s { $leader_log_end_offset }. The time of its last fetch does not matter.
    }
    .formula = { $behind } > replica.lag.max.messages { $lag_messages }
IsrShrunk = { $replicas ->
        [one] Broker { $replicas } leaves the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
       *[other] Brokers { $replicas } leave the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
    }
IsrShrunk-leader = { $replicas ->
        [one] Broker { $replicas }, found out of sync, leaves the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
       *[other] Brokers { $replicas }, found out of sync, leave the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
    }
IsrShrunk-controller = The controller removes { "{" }{ $replicas }{ "}" } from the ISR of { $partition }, which is now { "{" }{ $isr }{ "}" }.
IsrCommitted = Leader { $broker } learns that its ISR change was written: the ISR is { "{" }{ $isr }{ "}" }.
IsrJoinRefused = Broker { $replica } has reached the high watermark, { $high_watermark }, but may not join the ISR: leader { $broker }’s epoch starts at { $leader_epoch_start_offset }, and the replica is at { $log_end_offset }.
    .formula = high watermark { $high_watermark } ≤ { $log_end_offset } < start of the leader’s epoch { $leader_epoch_start_offset }
IsrChangeRepeated = The ISR of { $partition } is already { "{" }{ $isr }{ "}" }, as leader { $broker } requests. Nothing is written.
IsrChangeRejected = Leader { $broker }’s ISR change for { $partition } is rejected: { $error }. The ISR does not change.
IsrChangeRejected-heard = Leader { $broker } learns that its ISR change for { $partition } was rejected: { $error }.
IsrChangeRejected-sent_again = Leader { $broker } gets { $error } for its ISR change for { $partition } and sends it again; the change stays pending.
IsrChangeBlocked = Leader { $broker } cannot reach ZooKeeper to change the ISR of { $partition }, so the ISR does not change. Until the write succeeds, the leader accepts no records.
IsrChangeBlocked-controller = Leader { $broker }’s ISR change for { $partition } does not reach the controller, so the ISR does not change.

SessionExpired = Broker { $broker }’s ZooKeeper session expires: the controller no longer considers it alive.
BrokerFenced = The controller fences broker { $broker }, because no heartbeat of the registered process arrived in time. A fenced broker cannot lead a partition or join an ISR.
BrokerFenced-shutdown = Broker { $broker } leads no partition: the controller fences it and lets it stop.
BrokerRegistered = Broker { $broker } registers and gets broker epoch { $broker_epoch }. It stays fenced until it has read the metadata log.
BrokerRegistered-clean_shutdown = Broker { $broker } registers and gets broker epoch { $broker_epoch }. Its clean-shutdown marker has { $previous_broker_epoch }, which matches the controller’s value: it stopped cleanly, lost nothing, and remains in every ELR.
BrokerRegistered-unclean_shutdown = Broker { $broker } registers and gets broker epoch { $broker_epoch }. It reports { $previous_broker_epoch } as the broker epoch of its last clean shutdown, but the controller has { $registered_broker_epoch }: it did not stop cleanly, its log may be shorter than before, and it is removed from every ISR and ELR.
EligibleLeaderReplicasChanged = The eligible leader replicas of { $partition } are now { "{" }{ $elr }{ "}" }.
EligibleLeaderReplicasChanged-joined = { $replicas ->
        [one] Broker { $replicas } left the ISR of { $partition }, which is below min.insync.replicas. No more records are committed, so this replica is still eligible: the ELR is now { "{" }{ $elr }{ "}" }.
       *[other] Brokers { $replicas } left the ISR of { $partition }, which is below min.insync.replicas. No more records are committed, so these replicas are still eligible: the ELR is now { "{" }{ $elr }{ "}" }.
    }
EligibleLeaderReplicasChanged-cleared = The ISR of { $partition } is { "{" }{ $isr }{ "}" }, large enough for min.insync.replicas, so the controller clears the ELR, which was { "{" }{ $replicas }{ "}" }.
EligibleLeaderReplicasChanged-unclean_shutdown = { $replicas ->
        [one] Broker { $replicas } may have lost records of { $partition } and is no longer an eligible leader replica: the ELR is { "{" }{ $elr }{ "}" }.
       *[other] Brokers { $replicas } may have lost records of { $partition } and are no longer eligible leader replicas: the ELR is { "{" }{ $elr }{ "}" }.
    }
EligibleLeaderReplicasChanged-config = min.insync.replicas has changed, so it is unknown which replicas have all committed records of { $partition }: { $replicas ->
        [one] broker { $replicas } is removed from the ELR, which is now empty.
       *[other] brokers { $replicas } are removed from the ELR, which is now empty.
    }
BrokerUnfenced = Broker { $broker } has read the metadata log and is unfenced. This alone does not return it to any ISR.
BrokerUnfenced-again = The controller receives broker { $broker }’s heartbeat again and unfences it. This alone does not return it to any ISR.
BrokerJoined = The controller sees broker { $broker } in ZooKeeper again and sends it the partitions that it leads and follows.
LeaderElected = Broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive,
        [paused] , which is paused but which the controller still considers alive,
        [cut_off] , which the controller cannot reach but still considers alive,
       *[up] { "" }
    } is elected leader of { $partition } in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-clean = Broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive,
        [paused] , which is paused but which the controller still considers alive,
        [cut_off] , which the controller cannot reach but still considers alive,
       *[up] { "" }
    } is elected leader of { $partition } in epoch { $leader_epoch } as a member of the ISR, which is now { "{" }{ $isr }{ "}" }.
LeaderElected-preferred = Broker { $leader }, the preferred leader of { $partition }, is elected leader in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.{ $leader_is ->
        [down] { " " }The broker is down, but the controller still considers it alive.
        [paused] { " " }The broker is paused, but the controller still considers it alive.
        [cut_off] { " " }The controller cannot reach the broker, but still considers it alive.
       *[up] { "" }
    }
LeaderElected-unclean = Broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive,
        [paused] , which is paused but which the controller still considers alive,
        [cut_off] , which the controller cannot reach but still considers alive,
       *[up] { "" }
    } is elected leader of { $partition } in epoch { $leader_epoch } although it was not in the ISR. Records that it does not have are at risk.
LeaderElected-shutdown = Broker { $previous_leader } is shutting down, so broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive,
        [paused] , which is paused but which the controller still considers alive,
        [cut_off] , which the controller cannot reach but still considers alive,
       *[up] { "" }
    } becomes leader of { $partition } in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.
LeaderElected-returned = Broker { $leader }, a member of the ISR, is back and becomes leader of { $partition } in epoch { $leader_epoch }; the ISR is { "{" }{ $isr }{ "}" }.{ $leader_is ->
        [down] { " " }The broker is down, but the controller still considers it alive.
        [paused] { " " }The broker is paused, but the controller still considers it alive.
        [cut_off] { " " }The controller cannot reach the broker, but still considers it alive.
       *[up] { "" }
    }
LeaderElected-elr = Broker { $leader }, an eligible leader replica of { $partition }, is elected in epoch { $leader_epoch }. The election is clean: the controller assumes that it has all committed records. The ISR is { "{" }{ $isr }{ "}" }, the ELR { "{" }{ $elr }{ "}" }.{ $leader_is ->
        [down] { " " }The broker is down, but the controller still considers it alive.
        [paused] { " " }The broker is paused, but the controller still considers it alive.
        [cut_off] { " " }The controller cannot reach the broker, but still considers it alive.
       *[up] { "" }
    }
LeaderElected-last_known_leader = ISR and ELR of { $partition } are empty, so the last known leader, broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive
        [paused] , which is paused but which the controller still considers alive
        [cut_off] , which the controller cannot reach but still considers alive
       *[up] { "" }
    }, is elected in epoch { $leader_epoch }{ $leader_is ->
        [fenced] , although the controller has fenced it: 4.0 does not check
       *[up] { "" }
    }. This is an unclean election: records that it does not have are at risk.
LeaderLost-elr = { $partition } has no leader: broker { $previous_leader } was the last member of the ISR, which is now empty. The controller can still elect the ELR { "{" }{ $elr }{ "}" }, the replicas that left when no more records could be committed. The epoch is { $leader_epoch }.
LeaderLost-last_known = { $partition } has no leader: broker { $previous_leader } was the last member of the ISR. ISR and ELR are now empty. The controller waits for the last known leader. The epoch is { $leader_epoch }.
LeaderLost = { $partition } has no leader: broker { $previous_leader } can no longer lead, and no other eligible replica is alive. The ISR is { "{" }{ $isr }{ "}" }, the epoch { $leader_epoch }.
UncleanSettingNotRead = { $partition } has no leader: { $live ->
        [one] the live replica, broker { $live }, is
       *[other] the live replicas, brokers { $live }, are
    } not in the ISR. unclean.leader.election.enable is on, but this controller does not read it. The partition waits for a member of the ISR { "{" }{ $isr }{ "}" }, or for an administrator to request an unclean election.
UncleanSettingNotRead-no_request = { $partition } has no leader: { $live ->
        [one] the live replica, broker { $live }, is
       *[other] the live replicas, brokers { $live }, are
    } not in the ISR. unclean.leader.election.enable is on, but this controller does not read it, and an administrator cannot request an election yet. The partition waits for a member of the ISR { "{" }{ $isr }{ "}" }.
ElectionNotPossible = No leader can be elected for { $partition }: the ISR is { "{" }{ $isr }{ "}" }; live brokers: { $live }.
ElectionNotPossible-shutdown = Broker { $leader } is shutting down, and no broker can take over { $partition }: no other member of the ISR, { "{" }{ $isr }{ "}" }, is alive.
LeaderRecovered = The leader recovery state of { $partition } is now RECOVERED; leader { $leader } was elected uncleanly.
MetadataCacheUpdated = Broker { $broker } updates its metadata cache: { $partitions }; live brokers: { $live }.
MetadataCacheUpdated-brokers = Broker { $broker } updates its metadata cache; live brokers: { $live }.
IsrChangesKept = At { $checked_ms } ms, broker { $broker } does not notify the controller of the ISR of { $partitions } yet: the ISR changed { $since_change_ms } ms ago, and the last notification was { $since_propagation_ms } ms ago.
    .formula = { $since_change_ms } ≤ 5000 and { $since_propagation_ms } ≤ 60000
IsrChangesKept-none = Broker { $broker } has no ISR changes to report.
IsrChangesTold = Broker { $broker } writes a notification to ZooKeeper that it changed the ISR of { $partitions }: there was no change for { $since_change_ms } ms.
    .formula = { $since_change_ms } > 5000
IsrChangesTold-overdue = Broker { $broker } writes a notification to ZooKeeper that it changed the ISR of { $partitions }: changes continue, but the last notification was { $since_propagation_ms } ms ago.
    .formula = { $since_propagation_ms } > 60000
IsrChangesTaken = The controller reads the ISR of { $partitions } that broker { $broker } wrote, updates the metadata cache of every live broker, and deletes the notification. No epoch changes.
ControllerElected = The controller has failed, and another one takes over with controller epoch { $controller_epoch }. It reads every partition from ZooKeeper and sends the state again to the brokers that it considers alive: { $live }. This alone changes no leader epoch.
    .formula = controller epoch { $before } + 1 = { $controller_epoch }
CommandFenced = Broker { $broker } rejects a command of the controller because it is outdated.
CommandFenced-STALE_CONTROLLER_EPOCH = Broker { $broker } rejects a command of controller epoch { $controller_epoch } (STALE_CONTROLLER_EPOCH): it knows controller epoch { $known_controller_epoch }, so the sender is no longer the controller.
    .formula = { $controller_epoch } < { $known_controller_epoch }
CommandFenced-STALE_BROKER_EPOCH = Broker { $broker } rejects a command for one of its earlier starts (STALE_BROKER_EPOCH): the command has broker epoch { $broker_epoch }, and this process has { $own_broker_epoch }.
    .formula = { $broker_epoch } < { $own_broker_epoch }
ReassignmentStarted = { $partition } is being reassigned from brokers { $before } to { $target }; adding: { $adding }, removing: { $removing }. Until the new { $adding ->
        [one] replica is
       *[other] replicas are
    } in the ISR, all of these brokers are replicas.
ReassignmentStarted-adding = { $partition } gets more replicas: brokers { $target } instead of { $before }; adding: { $adding }. The reassignment is complete when { $adding ->
        [one] it is
       *[other] they are
    } in the ISR.
ReassignmentStarted-removing = { $partition } gets fewer replicas: brokers { $target } instead of { $before }; removing: { $removing }.
ReassignmentStarted-reordering = { $partition } gets its replicas in another order: brokers { $target } instead of { $before }. The order applies now, but the reassignment is complete only when all of them are in the ISR. Until then the controller accepts no other reassignment of { $partition }, and each return of one of them writes a new leader epoch.
ReassignmentStarted-replaced = The reassignment of { $partition } that is in progress is replaced: its replicas { $before } become { $target }.{ $adding ->
        [nothing] { "" }
       *[other] { " " }Adding: { $adding }.
    }{ $removing ->
        [nothing] { "" }
       *[other] { " " }Removing: { $removing }.
    }{ $stopped ->
        [nothing] { "" }
        [one] { " " }Broker { $stopped } is no longer a replica.
       *[other] { " " }Brokers { $stopped } are no longer replicas.
    }
ReassignmentStarted-kept = An administrator reassigns { $partition } to brokers { $asked }, but the controller keeps part of the reassignment in progress: it compares with the current replicas { $before } and does not apply an empty difference. Adding: { $adding }, removing: { $removing }. The reassignment therefore leads to brokers { $target }.
ReassignmentStarted-never_completes = An administrator reassigns { $partition } to brokers { $asked }, but the controller keeps part of the reassignment in progress: it compares with the current replicas { $before } and does not apply an empty difference. Adding: { $adding }, removing: { $removing }. A broker that is in both lists can never satisfy the condition, so the reassignment never completes. Cancelling ends it.
ReassignmentCancelled = The reassignment of { $partition } is cancelled. The replicas { $before } become { $replicas }; the ISR is { "{" }{ $isr }{ "}" }. The controller no longer knows the order that they had before the reassignment.
ReassignmentCancelled-unclean = The reassignment of { $partition } is cancelled. The replicas { $before } become { $replicas }. Only added replicas were in the ISR, so it is now { "{" }{ $isr }{ "}" }: the first of the remaining replicas, alive or not, although it may lack committed records.
ReassignmentRepeated = { $partition } is reassigned to { $asked }, which it already has or is already being reassigned to. The controller reports success and writes nothing.
ReassignmentRepeated-epoch = { $partition } is reassigned to { $asked }, which it already has or is already being reassigned to. The controller changes no replica, but sends every replica leader epoch { $leader_epoch }.
ReassignmentRepeated-kept = { $partition } is reassigned to { $asked }, the replicas that it has during the reassignment in progress. The controller finds no difference, reports success and writes nothing. The reassignment in progress continues to { $target }.
ReassignmentDropped = The new controller does not continue the reassignment of { $partition }: its target { $target } is already the list of replicas, so the controller considers the reassignment complete.
ReassignmentDropped-dead = The new controller does not continue the reassignment of { $partition }: not all of its target brokers { $target } are alive. The partition keeps all its replicas: { $replicas }.
ReassignmentCompleted = The reassignment of { $partition } is complete: it has the replicas { $replicas } and the ISR { "{" }{ $isr }{ "}" }. { $leader ->
        [-1] It has no leader in epoch { $leader_epoch }.
       *[other] Broker { $leader } is the leader in epoch { $leader_epoch }.
    }
ControllerFailed = The controller fails with an exception and writes nothing: as the leader of { $partition }, it considers broker { $replica }, which is not among the replicas { $replicas }.
ControllerFailed-registration = The controller fails while it registers broker { $broker }: as the next leader of { $partition }, it considers broker { $replica }, which is not among the replicas { $replicas } (IllegalArgumentException). It writes nothing and resigns. The next controller fails in the same way each time broker { $broker } tries again, so broker { $broker } stays unregistered.
ControllerFailed-unfencing = The controller fails while it unfences broker { $broker }: as the next leader of { $partition }, it considers broker { $replica }, which is not among the replicas { $replicas } (IllegalArgumentException). It writes nothing and resigns. The next controller fails in the same way, so broker { $broker } stays fenced.
ControllerFailed-election = The controller fails while it elects a leader of { $partition }: it considers broker { $replica }, which is not among the replicas { $replicas } (IllegalArgumentException). It writes nothing and resigns.
ReplicaCreated = Broker { $broker } creates an empty log for { $partition }: it is now a replica and has to fetch everything.
ReplicaDeleted = Broker { $broker } deletes its replica of { $partition }, whose log ended at { $log_end_offset }: it learns that it is no longer assigned one.
StopReplicaIgnored = Broker { $broker } ignores a StopReplica for { $partition }: it has no such replica.
StopReplicaIgnored-same_epoch = Broker { $broker } ignores a StopReplica for { $partition }: its leader epoch, { $leader_epoch }, is not newer than the broker’s. The broker keeps fetching.
FetchingStopped = Broker { $broker } is shutting down: it does not fetch { $partition } any more.
DeletionDelayed = Broker { $broker } stops fetching for { $partition }, but cannot delete its replica yet: it waits for the response to its last fetch.
LeaderElected-reassigned = Broker { $leader }{ $leader_is ->
        [down] , which is down but which the controller still considers alive,
        [paused] , which is paused but which the controller still considers alive,
        [cut_off] , which the controller cannot reach but still considers alive,
       *[up] { "" }
    } becomes leader of { $partition } in epoch { $leader_epoch }: broker { $previous_leader } is no longer a replica, and { $leader } is the first target replica that is alive and in the ISR.
ReplicasReordered = The replicas of { $partition } are now { $replicas }; the first one is the preferred leader.
ProtocolLevelChanged = The cluster’s { $name } changes from { $before } to { $level }.
ProtocolLevelChanged-raised = The cluster’s { $name } is raised from { $before } to { $level }. Now in effect: { $opened }.
ProtocolLevelChanged-raised_only = The cluster’s { $name } is raised from { $before } to { $level }. No rule modelled here depends on the levels in between.
ProtocolLevelChanged-lowered_only = The cluster’s { $name } is lowered from { $before } to { $level }. No rule modelled here depends on the levels in between.
ProtocolLevelChanged-lowered = The cluster’s { $name } is lowered from { $before } to { $level }. No longer in effect: { $closed }.

ConfigChanged = { $name } is now { $value }.
ConfigChanged-topic = { $name } of topic { $topic } is now { $value }.
ConfigChanged-broker = { $name } of broker { $broker } alone is now { $value }.

BrokerCrashed = Broker { $broker }’s process is killed. Its writes are still in the page cache, and the controller has not detected the crash yet.
BrokerCrashed-away = Broker { $broker }’s process is killed. Its writes are still in the page cache. For the controller, the broker was not available before either.
PowerLost = Broker { $broker } loses power: its process ends, and all data that is not on disk is lost.
UnflushedRecordsLost = When broker { $broker } lost power, its log of { $partition } ended at { $before }, but was flushed only up to { $kept }: { $values } did not reach the disk.
DiskLost = Broker { $broker } loses its disk with all logs, epochs and checkpoints. It will restart with empty logs.
ShutdownStarted = Broker { $broker } starts a controlled shutdown.
RegistrationRefused = Broker { $broker } cannot register: its old session still exists in ZooKeeper. It exits.

BrokerStopped = Broker { $broker } has flushed its logs, written its checkpoints and its clean-shutdown marker, and stopped.
BrokerPaused = Broker { $broker } is paused, as in a long garbage collection: it keeps its state and does not respond.
BrokerResumed = Broker { $broker } resumes where it was paused.
BrokerBooted = Broker { $broker } starts and opens its logs. It does not know yet which partitions to lead or follow.
LogLoaded = Broker { $broker } opens its log of { $partition }: it ends at { $log_end_offset }; the high watermark, { $high_watermark }, is from the checkpoint.
LogLoaded-clean = Broker { $broker } stopped cleanly: its log of { $partition } ends at { $log_end_offset }, and its high watermark is { $high_watermark }, as before.
LogLoaded-recovered = Broker { $broker } recovers its log of { $partition } from recovery point { $recovery_point }: it ends at { $log_end_offset }. The high watermark, { $high_watermark }, is from the last checkpoint; the log is not truncated to it.
LogLoaded-recovered_outside_log = Broker { $broker } recovers its log of { $partition } from recovery point { $recovery_point }: it ends at { $log_end_offset }. The high watermark in the last checkpoint, { $checkpoint_high_watermark }, is outside the log, so the broker starts with { $high_watermark }.
BrokerExited = Broker { $broker } exits: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and with unclean election off it does not truncate records that the leader lacks.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }
BrokerHalted = Broker { $broker }’s process halts immediately: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and with unclean election off it does not truncate records that the leader lacks. It writes nothing before it ends.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }
BrokerHung = Broker { $broker } starts to shut down and hangs: its log of { $partition } ends at { $log_end_offset }, the leader’s at { $leader_log_end_offset }, and unclean election is off. Its session stays alive, but it follows no leader.
    .formula = leader’s log end offset { $leader_log_end_offset } < { $log_end_offset }

HighWatermarkCheckpointed = Broker { $broker } writes its high watermarks to the checkpoint file: { $high_watermarks }. After a restart it starts with these values.
RecoveryPointCheckpointed = Broker { $broker } writes its recovery points to the checkpoint file: { $recovery_points }. Records below them are on disk.
LogFlushed = Broker { $broker } flushes its log of { $partition }: every record below { $flushed } is now on disk.
IsrChecked = Leader { $broker } checks the ISR of { $partition }: no member has fallen behind.
IsrChecked-behind = At { $checked_ms } ms, leader { $broker } checks the ISR of { $partition }: broker { $replica } was last caught up { $elapsed_ms } ms ago, so it stays a member.
    .formula = { $elapsed_ms } ms ≤ replica.lag.time.max.ms { $lag_ms }
IsrChecked-behind_fetching = At { $checked_ms } ms, leader { $broker } checks the ISR of { $partition }: broker { $replica } last fetched or was caught up { $elapsed_ms } ms ago, so it stays a member.
    .formula = { $elapsed_ms } ms ≤ replica.lag.time.max.ms { $lag_ms }
IsrChecked-pending = Leader { $broker } does not check the ISR of { $partition }: its change to { "{" }{ $proposed }{ "}" } is still pending.
IsrChecked-pending_behind = At { $checked_ms } ms, leader { $broker } does not check the ISR of { $partition }, because its change to { "{" }{ $proposed }{ "}" } is still pending. Broker { $replica }, last caught up { $elapsed_ms } ms ago, therefore stays a member.
IsrChecked-nothing_led = Broker { $broker } leads no partition, so there is no ISR to check.
HeartbeatReceived = The controller receives broker { $broker }’s heartbeat.
HeartbeatReceived-zookeeper = ZooKeeper receives broker { $broker }’s heartbeat, so the broker’s session goes on.
PreferredLeadersChecked = The controller checks for partitions whose preferred leader could be elected.
PreferredLeadersChecked-reassigning = The controller elects no preferred leaders: a partition is being reassigned.
UncleanLeadersChecked = The controller checks for leaderless partitions that may elect a replica outside the ISR.
BackoffEnded = Broker { $broker }’s backoff ends, and it may fetch { $partition } again.
TimeAdvanced = Time advances by { $ms } ms.

MessageDropped = The { $message } from { $from } to { $to } is lost with its connection. A sender that waits for a response sees a disconnect.
MessageDropped-fetch_request = Broker { $from }’s fetch is lost before it reaches broker { $to }. Broker { $from } will retry.
MessageDropped-unawaited = The { $message } from { $from } to { $to } is lost. This changes nothing, because the follower no longer waits for the response.
MessageDropped-fetch_response = Leader { $from } has recorded broker { $to }’s fetch, but the response is lost: broker { $to } receives neither the records nor the high watermark in it, and will retry.
MessageDropped-fetch_response_empty = Leader { $from } has recorded broker { $to }’s fetch, but the response is lost: broker { $to } does not receive the high watermark in it, and will retry.
MessageDropped-fetch_response_without_effect = Broker { $from }’s response to broker { $to }’s fetch is lost. The fetch had no effect, and broker { $to } will retry.
MessageHeld = The { $message } from { $from } to { $to } is held until you release it.
MessageHeld-metadata_record = The metadata log is now held for broker { $to }: it reads no new records, while its heartbeats and its requests to the controller get through.
MessageReleased-metadata_record = The metadata log is released: broker { $to } can continue to read it, in one delivery or in several.
MessageReleased = The { $message } from { $from } to { $to } is released and can be delivered.
LinkCut = The link from { $from } to { $to } is cut: no message gets through in that direction until it is restored.
LinkHealed = The link from { $from } to { $to } is restored.
BrokerSlowed = { $ms ->
    [0] Broker { $broker }’s messages are no longer delayed.
   *[other] Broker { $broker }’s messages now take { $ms } ms longer.
}

ActionRefused = This action is not possible now: { $reason }.
Settled = Only routine messages are delivered. No log, ISR or leader changes.
RecordedStepUnseen = This step of the recording changes nothing that the stage shows.
DidNotSettle = After { $ms } ms of virtual time, work is still pending. The run stops waiting.
PropertyViolated = { $property } is violated.
PropertyViolated-NoAckedRecordLost = { $values ->
        [one] An acknowledged record is lost: { $values }, at offset { $offsets } of { $partition }.
       *[other] Acknowledged records are lost: { $values }, at offsets { $offsets } of { $partition }.
    }
PropertyViolated-LogMatching = Two logs differ below the high watermark: { $offsets ->
        [one] at offset { $offsets } brokers { $replicas } have { $values }
       *[other] at offsets { $offsets } brokers { $replicas } have different records
    }, and the protocol will not detect it.
PropertyViolated-WeakIsr = { $replicas ->
        [one] Broker { $replicas } is in the leader’s ISR but lacks { $values }, which the leader has committed.
       *[other] Brokers { $replicas } are in the leader’s ISR but lack { $values }, which the leader has committed.
    }
PropertyViolated-StrongIsr = { $replicas ->
        [one] Broker { $replicas } is in the controller’s ISR but lacks { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before. A clean election could choose it, and { $values ->
            [one] that record
           *[other] those records
        } would be lost.
       *[other] Brokers { $replicas } are in the controller’s ISR but lack { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before. A clean election could choose one of them, and its missing records would be lost.
    }
PropertyViolated-StrongIsr-leading = Broker { $leader } is leader and in the ISR, although it lacks { $values }, which { $values ->
        [one] was
       *[other] were
    } committed before. As long as it is the leader, its log is authoritative.
PropertyViolated-LeaderInIsr = The leader is not in its own ISR.
PropertyViolated-OneLeaderPerEpoch = Two brokers have led the same partition in the same epoch.
PropertyViolated-HighWatermarkWithinLog = A high watermark is outside its log.
PropertyViolated-MonotonicLeaderHighWatermark = A leader’s high watermark went back within one epoch.
PropertyViolated-EpochsIncrease = Epochs decrease along a log or in an epoch vector.
PropertyViolated-LeaderCompleteness = Leader { $replicas } of { $partition } lacks { $values }, which { $values ->
        [one] was
       *[other] were
    } committed before.
PropertyViolated-LeaderCandidateCompleteness = { $replicas ->
        [one] Broker { $replicas } could be elected cleanly now but lacks { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before.
       *[other] Brokers { $replicas } could be elected cleanly now but lack { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before.
    }
PropertyViolated-LeaderCandidateCompleteness-leading = Broker { $leader } is the controller’s leader and lacks { $values }, which { $values ->
        [one] was
       *[other] were
    } committed before. It is in the ISR, so any clean election may choose it.
PropertyViolated-EligibleLeaderCompleteness = { $replicas ->
        [one] Broker { $replicas } is in the ISR or the ELR but lacks { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before.
       *[other] Brokers { $replicas } are in the ISR or the ELR but lack { $values }, which { $values ->
            [one] was
           *[other] were
        } committed before.
    }
PropertyViolated-ReplicationQuorumSuperset = The controller’s ISR has a replica that the leader does not wait for.
PropertyViolated-ConsistentRead = What a consumer has read no longer matches the log of { $partition }: { $offsets ->
        [one] at offset { $offsets }
       *[other] at offsets { $offsets }
    } it has read another record, or none.
RecordLost = The last copy of { $value } is lost. It was not acknowledged.
RecordLost-sent_again = The last copy of the record { $value } that was appended at offset { $offset } is lost. It was not acknowledged. The producer sent { $value } more than once, and the other record still exists.
RecordLost-acked = { $value } is lost: no replica has it any more at offset { $offset }, where it was acknowledged with acks={ $acks }.
PropertyViolated-AckedRecordAtRisk = { $values ->
        [one] An acknowledged record is at risk: { $values }, at offset { $offsets } of { $partition }. Another election can still make it safe.
       *[other] Acknowledged records are at risk: { $values }, at offsets { $offsets } of { $partition }. Another election can still make them safe.
    }
RecordLost-replaced = { $value } is lost: { $instead } is now committed at offset { $offset } of { $partition }, although { $value } was acknowledged there with acks={ $acks }.
RecordLost-last_copy = The last copy of { $value }, which already counts as lost, is deleted as well.
RecordsAtRisk = { $values ->
        [one] { $values } is at risk: the controller’s leader of { $partition }, broker { $leader }, does not have this acknowledged record at offset { $offsets }. Brokers that have it: { $holders }.
       *[other] { $values } are at risk: the controller’s leader of { $partition }, broker { $leader }, does not have all of these acknowledged records, at offsets { $offsets }. Brokers that have at least one: { $holders }.
    }
RecordsAtRisk-leaderless = { $values ->
        [one] { $values } is at risk: { $partition } has no leader, and none of the replicas that could be elected cleanly, { "{" }{ $candidates }{ "}" }, has this acknowledged record at offset { $offsets }. Brokers that have it: { $holders }.
       *[other] { $values } are at risk: { $partition } has no leader, and none of the replicas that could be elected cleanly, { "{" }{ $candidates }{ "}" }, has these acknowledged records, at offsets { $offsets }. Brokers that have at least one: { $holders }.
    }
RecordsAtRisk-no_candidate = { $values ->
        [one] { $values } is at risk: { $partition } has no leader, and no replica could be elected cleanly. Brokers that have this acknowledged record at offset { $offsets }: { $holders }.
       *[other] { $values } are at risk: { $partition } has no leader, and no replica could be elected cleanly. Brokers that have at least one of these acknowledged records, at offsets { $offsets }: { $holders }.
    }
RecordsSafeAgain = { $values ->
        [one] { $values } is safe again: the leader of { $partition }, broker { $leader }, has it at offset { $offsets }.
       *[other] { $values } are safe again: the leader of { $partition }, broker { $leader }, has them at offsets { $offsets }.
    }
RecordsSafeAgain-leaderless = { $values ->
        [one] { $values } is safe again: { $partition } has no leader, but a replica that could be elected cleanly has it at offset { $offsets }. Clean candidates: { "{" }{ $candidates }{ "}" }.
       *[other] { $values } are safe again: { $partition } has no leader, but each of them is on a replica that could be elected cleanly, at offsets { $offsets }. Clean candidates: { "{" }{ $candidates }{ "}" }.
    }
