### What happened: a sentence for every event, by its kind and its variant, with the formula of its rule.

Started = 起点：Kafka { $kafka }，{ $control }，broker { $brokers }。

RecordProduced = Broker { $broker } 把 Producer { $producer } 的 { $value } 追加到位移 { $offset }，日志末端变为 { $log_end_offset }。
RecordProduced-idempotent = Broker { $broker } 把 Producer { $producer } 的 { $value } 追加到位移 { $offset }，它是 producer id { $producer_id } 的序号 { $sequence }。日志末端变为 { $log_end_offset }。
RecordProduced-transactional = Broker { $broker } 把 { $value } 追加到位移 { $offset }，它是 producer id { $producer_id } 的序号 { $sequence }，属于其尚未结束的事务。只读已提交消息的 consumer 要等事务结束。
DuplicateRecognised = Broker { $broker } 已有 producer id { $producer_id } 的序号 { $sequence }：它就是位移 { $offset } 处的 { $value }。不再追加，应答就是这个位移。
    .formula = 序号 { $sequence } ≤ 最后的序号 { $last_sequence }
TransactionBegun = Producer { $producer }（id 为 { $producer_id }）开始一个事务。在写入第一条消息之前，没有日志知道它。
MarkerWritten = Broker { $broker } 把 producer id { $producer_id } 的事务的结束写入 { $partition } 的位移 { $offset }。
MarkerWritten-commit = Broker { $broker } 在 { $partition } 的位移 { $offset } 写入 producer id { $producer_id } 的提交标记：任何应用都读不到它。高水位越过标记之后，事务才算数。
MarkerWritten-abort = Broker { $broker } 在 { $partition } 的位移 { $offset } 写入 producer id { $producer_id } 的中止标记。事务的消息仍留在日志中；只读已提交消息的 consumer 会丢弃它们。
TransactionEnded = Producer { $producer } 的事务已结束。
TransactionEnded-commit = Producer { $producer } 提交事务：{ $partitions } 中已有 producer id { $producer_id } 的标记，决定不再改变。
TransactionEnded-abort = Producer { $producer } 中止事务：{ $partitions } 中已有 producer id { $producer_id } 的标记，只读已提交消息的 consumer 不会看到它写的内容。
TransactionEnded-empty = Producer { $producer } 结束了一个什么都没写的事务：没有日志需要知道。
ProduceAcknowledged = Broker { $broker } 应答 Producer { $producer }：{ $value } 位于位移 { $offset }，acks={ $acks } 已满足。
ProduceAcknowledged-all = Producer { $producer } 得知 { $value } 已安全：高水位 { $high_watermark } 已越过位移 { $offset }，据 leader { $broker } 所知，整个 ISR 都拥有它。
    .formula = 高水位 { $high_watermark } > 位移 { $offset }
ProduceAcknowledged-1 = Producer { $producer } 得知 { $value } 已写入位移 { $offset }。acks=1 只保证 broker { $broker } 上有这一份。
ProduceFailed = Producer { $producer } 得知 { $value } 失败：{ $error }。
ProduceFailed-NOT_ENOUGH_REPLICAS = Broker { $broker } 以 NOT_ENOUGH_REPLICAS 拒绝 { $value }：ISR 为 { "{" }{ $isr }{ "}" }，而 min.insync.replicas 要求 { $min_insync_replicas }。什么都没有追加。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
ProduceFailed-NOT_ENOUGH_REPLICAS_AFTER_APPEND = { $value } 已提交，但 ISR { "{" }{ $isr }{ "}" } 此时已小于 min.insync.replicas { $min_insync_replicas }：Producer { $producer } 收到 NOT_ENOUGH_REPLICAS_AFTER_APPEND，而消息仍留在日志中。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
ProduceFailed-NOT_LEADER_OR_FOLLOWER = Broker { $broker } 不是 { $partition } 的 leader，以 NOT_LEADER_OR_FOLLOWER 应答 Producer { $producer }。如果 { $value } 此前已追加在那里，它仍留着，但没有向任何人作过保证。
ProduceFailed-REQUEST_TIMED_OUT = 在高水位越过 { $value } 之前时限已到：Producer { $producer } 收到 REQUEST_TIMED_OUT。消息仍在 broker { $broker } 的日志中，之后仍可能被提交。
ProduceFailed-LEADER_NOT_AVAILABLE = Producer { $producer } 无法发送 { $value }：{ $partition } 没有 leader。
ProduceFailed-OUT_OF_ORDER_SEQUENCE_NUMBER = Broker { $broker } 以 OUT_OF_ORDER_SEQUENCE_NUMBER 拒绝 { $value }：它是 producer id { $producer_id } 的序号 { $sequence }，与日志记得的该 producer 的序号接不上。什么都没有追加。
ProduceFailed-UNKNOWN_PRODUCER_ID = Broker { $broker } 以 UNKNOWN_PRODUCER_ID 拒绝 { $value }：它是序号 { $sequence }，而日志中没有 producer id { $producer_id } 的任何消息。什么都没有追加。
ProduceWaiting = { $producer } 把 { $partition } 的 { $value } 发给已暂停的 broker { $broker }：请求要等它恢复才被处理。
ProduceWaiting-isr_write = { $producer } 把 { $partition } 的 { $value } 发给 broker { $broker }，而它的 ISR 修改正在等待 ZooKeeper：请求只能一起等待。
ProduceUnanswered = Producer { $producer } 没有收到 { $value } 的应答：与 broker { $broker } 的连接已断。它是否已写入，Producer 无从得知。
ConsumerRead = Consumer { $consumer } 从 broker { $broker } 读到 { $values }，下一位移为 { $to_offset }。它只能读到高水位 { $high_watermark } 以下。
ConsumerRead-follower = Consumer { $consumer } 从 follower { $broker } 读到 { $values }，下一位移为 { $to_offset }。Follower 提供它自己的高水位 { $high_watermark } 以下的内容。
ConsumerRead-committed = Consumer { $consumer } 从 broker { $broker } 读到 { $values }，下一位移为 { $to_offset }。read_committed 只能读到最后稳定位移 { $last_stable_offset } 以下。
ConsumerPassedOver = Consumer { $consumer } 越过 { $values }：标记占用位移，但不会交给应用。它从 { $to_offset } 继续。
ConsumerPassedOver-aborted = Consumer { $consumer } 越过 { $values }：broker 也会发送已中止事务的消息并附上清单，由 consumer 丢弃。它从 { $to_offset } 继续。
ConsumerReadNothing = Consumer { $consumer } 在位移 { $offset } 处什么也没读到：它只能读到高水位 { $high_watermark } 以下，而 broker { $broker } 的日志末端为 { $log_end_offset }。
    .formula = 位移 { $offset } ≥ 高水位 { $high_watermark }
ConsumerReadNothing-follower = Consumer { $consumer } 在位移 { $offset } 处没有从 follower { $broker } 读到任何内容：follower 只提供自己的高水位 { $high_watermark } 以下的内容，而它要随下一次拉取才会移动。
    .formula = 位移 { $offset } ≥ 高水位 { $high_watermark }
ConsumerReadNothing-committed = Consumer { $consumer } 在位移 { $offset } 处什么也没读到：read_committed 只能读到最后稳定位移 { $last_stable_offset } 以下，而 broker { $broker } 的高水位为 { $high_watermark }。
    .formula = 位移 { $offset } ≥ 最后稳定位移 { $last_stable_offset }
ConsumerOutOfRange = Consumer { $consumer } 请求位移 { $offset }，超出了 broker { $broker } 的日志（末端为 { $log_end_offset }）。它改从 { $reset_to } 继续。
    .formula = 位移 { $offset } > 日志末端 { $log_end_offset }
ConsumerOutOfRange-follower = Consumer { $consumer } 向 follower { $broker } 请求位移 { $offset }，超出了它的日志末端 { $log_end_offset }。Follower 可能落后：consumer 回到 leader，位置不变。
    .formula = 位移 { $offset } > 日志末端 { $log_end_offset }
ConsumerOutOfRange-below_start = Consumer { $consumer } 请求位移 { $offset }，低于 broker { $broker } 的日志起点 { $log_start_offset }。它改从 { $reset_to } 继续。
    .formula = 位移 { $offset } < 日志起点 { $log_start_offset }
ConsumerOutOfRange-undefined = Broker { $broker } 不认识 consumer { $consumer } 最后读到的消息的纪元，无从得知日志在哪里分开。Consumer 不再从 { $offset }、而从 { $reset_to } 继续。
ConsumerSentToFollower = Leader { $broker } 让位于机架 { $rack } 的 consumer { $consumer } 去同一机架的 follower { $follower } 读取。
ConsumerOffsetNotAvailable = Broker { $broker } 不告诉 consumer { $consumer } 最新位移：它的高水位 { $high_watermark } 还没有到达其纪元的起点 { $leader_epoch_start_offset }，答案可能比以前给出的更低。Consumer 停在 { $offset }，稍后再问。
    .formula = 高水位 { $high_watermark } < 纪元起始位移 { $leader_epoch_start_offset }
ConsumerTruncationDetected = Consumer { $consumer } 位于位移 { $offset }，最后读到的是纪元 { $epoch }；broker { $broker } 说该纪元结束于 { $end_offset }。它从那里起读到的内容已不存在：改从 { $end_offset } 继续。
    .formula = 纪元 { $epoch } 的末端：{ $end_offset } < 位移 { $offset }
ConsumerPositionValidated = Consumer { $consumer } 询问 broker { $broker }，它最后读到的纪元 { $epoch } 在哪里结束：在 { $end_offset }，所以它的位置 { $offset } 仍在日志上。
    .formula = 纪元 { $epoch } 的末端：{ $end_offset } ≥ 位移 { $offset }
ConsumeFailed = Consumer { $consumer } 无法读取 { $partition }：{ $error }。
ConsumeFailed-LEADER_NOT_AVAILABLE = Consumer { $consumer } 无法读取 { $partition }：它没有 leader。
ConsumeFailed-NOT_LEADER_OR_FOLLOWER = Consumer { $consumer } 询问了 broker { $broker }，但它不是 { $partition } 的 leader，应答为 NOT_LEADER_OR_FOLLOWER。
ConsumeFailed-UNKNOWN_LEADER_EPOCH = Consumer { $consumer } 所知的 { $partition } 的领导任期比 broker { $broker } 更新；broker { $broker } 在得知之前应答 UNKNOWN_LEADER_EPOCH。
ClientMetadataRefreshed = 客户端 { $client } 重新询问 { $partition } 的 leader：{ $leader }。

FetchSent = Broker { $broker } 向 leader { $leader } 请求 { $partition } 位移 { $fetch_offset } 起的消息。对 leader 而言，这表示它已拥有之前的全部消息。
FetchSent-with_epoch = Broker { $broker } 向 leader { $leader } 请求 { $partition } 位移 { $fetch_offset } 起的消息，并报告自己最新的纪元为 { $last_fetched_epoch }。如果与 leader 的日志相符，就表示它已拥有之前的全部消息。
FetchHandled = Leader { $broker } 以位移 { $fetch_offset } 起的 { $records } 条消息应答 broker { $follower }，附带读取那一刻的高水位 { $high_watermark }。
FetchHandled-empty = Leader { $broker } 应答 broker { $follower }：位移 { $fetch_offset } 之后没有消息，但附带查看那一刻的高水位 { $high_watermark }。
FetchParked = Leader { $broker } 在位移 { $fetch_offset } 之后没有消息，broker { $follower } 的拉取在此等待，最多 { $wait_ms } ms。
LongPollExpired = Leader { $broker } 应答 broker { $follower } 等待中的拉取：没有消息，但附带此刻的高水位 { $high_watermark }。
FetchDiverging = Broker { $follower } 报告纪元 { $last_fetched_epoch } 延续到位移 { $fetch_offset }，而 leader { $broker } 的日志并非如此：leader 不返回消息，而是应答纪元 { $diverging_epoch } 结束于 { $end_offset }。
    .formula = 纪元 { $diverging_epoch } < 最后拉取的纪元 { $last_fetched_epoch }，或终点 { $end_offset } < 拉取位移 { $fetch_offset }
FetchOutOfRange = Broker { $follower } 请求位移 { $fetch_offset }，而 leader { $broker } 的日志结束于 { $log_end_offset }：OFFSET_OUT_OF_RANGE。
    .formula = 拉取位移 { $fetch_offset } > leader 的日志末端 { $log_end_offset }
FetchOutOfRange-below_start = Broker { $follower } 请求位移 { $fetch_offset }，而 leader { $broker } 的日志从 { $log_start_offset } 开始：OFFSET_OUT_OF_RANGE。
    .formula = 拉取位移 { $fetch_offset } < leader 的日志起点 { $log_start_offset }
FetchOutOfRange-undefined = Leader { $broker } 无法判断 broker { $follower } 在位移 { $fetch_offset } 处的最后纪元在哪里结束，应答 OFFSET_OUT_OF_RANGE。
FetchRejected = Broker { $broker } 以 { $error } 应答 broker { $follower } 的请求：请求带的 leader 纪元为 { $request_epoch }，而 broker { $broker } 处于纪元 { $leader_epoch }。该请求不起任何作用。
FetchRejected-FENCED_LEADER_EPOCH = Broker { $broker } 拒绝 broker { $follower } 的请求：它还停留在已经结束的纪元 { $request_epoch }。该请求不起任何作用。
    .formula = 请求的纪元 { $request_epoch } < { $leader_epoch }
FetchRejected-UNKNOWN_LEADER_EPOCH = Broker { $broker } 还不知道 broker { $follower } 请求中的纪元 { $request_epoch }，应答 UNKNOWN_LEADER_EPOCH。该请求不起任何作用。
    .formula = 请求的纪元 { $request_epoch } > { $leader_epoch }
FetchRejected-stale_broker_epoch = Broker { $broker } 以 { $error } 应答 broker { $follower } 的拉取：请求带的 broker 纪元为 { $request_broker_epoch }，而 broker { $follower } 此后已重新启动，纪元为 { $broker_epoch }。该拉取不起任何作用。
    .formula = 请求的 broker 纪元 { $request_broker_epoch } < { $broker_epoch }
FetchRejected-NOT_LEADER_OR_FOLLOWER = Broker { $broker } 不是 { $partition } 的 leader，以 NOT_LEADER_OR_FOLLOWER 应答 broker { $follower }。
FetchApplied = Broker { $broker } 追加来自 leader { $leader } 的 { $values }，日志末端变为 { $log_end_offset }。应答中的高水位为 { $high_watermark }。
FetchApplied-empty = Broker { $broker } 没有从 leader { $leader } 得到新消息，但得知了高水位：{ $high_watermark }。
FetchedEpochForgotten = 该应答没有消息，broker { $broker } 随之忘了自己最后拉取的纪元是 { $epoch }。在新消息到来之前它的请求不带纪元，leader { $leader } 看不出两份日志是否已分开。
LeaderOffsetHeard = Leader { $leader } 的日志从 { $offset } 开始，broker { $broker } 的日志末端 { $log_end_offset } 不低于它：什么也不截断，继续从那里拉取。
LeaderOffsetHeard-latest = Leader { $leader } 的日志末端为 { $offset }，不低于 broker { $broker } 的 { $log_end_offset }：没有要截断的，broker { $broker } 接着会问它从哪里开始。
FetchErrorReceived = Broker { $broker } 收到 broker { $leader } 的 { $error }，将在 { $backoff_ms } ms 后重试。
FetchErrorReceived-out_of_range = Broker { $broker } 得知自己的位移超出了 leader { $leader } 的日志。接下来它会询问那份日志在哪里结束。
PartitionFailed = Broker { $broker } 收到 { $error } 后放弃拉取 { $partition }，直到 controller 告诉它更新的信息。
ResponseIgnored = Broker { $broker } 忽略此应答（{ $message }）：发出请求之后，它的拉取循环已重新开始。
ResponseIgnored-superseded = Broker { $broker } 忽略此应答（{ $message }）：更新的元数据已经先到。
ResponseIgnored-given_up = Leader { $broker } 忽略此应答（{ $message }）：它说的是 { $partition } 的另一个纪元。提议过的变更保持待定，直到更新的元数据到来。
ResponseIgnored-another_epoch = Broker { $broker } 忽略此应答（{ $message }）：它说的是 leader 纪元 { $leader_epoch }，而就它的元数据而言，broker 还在纪元 { $own_leader_epoch }。提议过的变更保持待定，直到更新的元数据到来。
LateAnswerDropped = Broker { $broker } 丢弃 broker { $leader } 的“{ $message }”：请求是在纪元 { $asked_in } 发出的，而它如今在纪元 { $leader_epoch } 跟随。
LateAnswerDropped-lookup = Broker { $broker } 丢弃 broker { $leader } 关于纪元末端的应答：询问时是纪元 { $asked_in }，而它如今在纪元 { $leader_epoch } 跟随。
LateAnswerTaken = Broker { $broker } 接受了 broker { $leader } 的一个应答：请求是在纪元 { $asked_in } 发出的，而它如今已在纪元 { $leader_epoch } 跟随。它仍从位移 { $fetch_offset } 拉取，除此之外什么都不比较。
LateAnswerTaken-lookup = Broker { $broker } 接受了 broker { $leader } 的一个应答：询问是在纪元 { $asked_in } 发出的，而它如今已在纪元 { $leader_epoch } 跟随。纪元不作比较。
FollowerHighWatermarkSet = Broker { $broker } 把自己的高水位从 { $before } 设为 { $after }；leader 的应答中是 { $response_high_watermark }。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
FollowerHighWatermarkSet-diverging = Leader 的应答说 broker { $broker } 的日志与它的已分开，并带有高水位 { $response_high_watermark }。Broker { $broker } 先采用日志容得下的部分，{ $before } → { $after }，盖过了即将截断的消息。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
DivergenceHeard = Leader { $leader } 的应答说 broker { $broker } 的日志与它的已分开：纪元 { $diverging_epoch } 在它那里结束于 { $end_offset }。高水位仍为 { $high_watermark }，截断日志是 broker { $broker } 的下一步。
FollowerHighWatermarkSet-back = Broker { $broker } 的高水位从 { $before } 退回 { $after }：follower 照 leader 的应答设置它。这不会截断任何消息。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
EpochLookupSent = 在拉取之前，broker { $broker } 询问 leader { $leader }：自己最新的纪元 { $epoch } 在哪里结束？
EpochLookupSent-no_epoch = 在拉取之前，broker { $broker } 询问 leader { $leader }：自己最新的纪元在哪里结束？它还不知道任何纪元，于是以 −1 询问。
EpochLookupAnswered = Broker { $follower } 询问纪元 { $epoch } 在哪里结束。Leader { $broker } 回答：纪元 { $answer_epoch } 结束于位移 { $end_offset }。
EpochLookupAnswered-offset_only = Broker { $follower } 询问纪元 { $epoch } 在哪里结束。Leader { $broker } 回答：位移 { $end_offset }——下一个更大的纪元从那里开始，或日志在那里结束。
EpochLookupAnswered-undefined = Leader { $broker } 答不出纪元 { $epoch } 在哪里结束。Broker { $follower } 只能退回到自己的高水位。
EpochLookupAnswered-no_epoch = Broker { $follower } 不知道任何纪元，以 −1 询问。Leader { $broker } 对此没有答案；broker { $follower } 退回到自己的高水位。
EpochLookupAnswered-no_epoch_either = Broker { $follower } 不知道任何纪元，以 −1 询问。Leader { $broker } 也不知道任何纪元，−1 便也是它最新的：它以自己的日志末端 { $end_offset } 作答。
ListOffsetsSent = Broker { $broker } 询问 leader { $leader } 日志的{ $which }位移。
ListOffsetsAnswered = Leader { $broker } 回答 broker { $follower }：日志的{ $which }位移是 { $offset }。

LogTruncated = Broker { $broker } 把日志从 { $before } 截断到 { $to }，丢弃 { $values }。
LogTruncated-high_watermark = Broker { $broker } 被告知成为 follower，把日志截断到自己的高水位 { $to }。它丢弃了 { $values }，没有询问 leader 拥有什么。
    .formula = 截断到自己的高水位 = { $to }
LogTruncated-kip_101 = 在 leader 上，broker { $broker } 的最新纪元结束于 { $leader_end_offset }。Broker { $broker } 把日志截断到 { $to }，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-no_epoch_either = Broker { $broker } 和它的 leader 都不知道任何纪元，broker { $broker } 便依据 leader 的日志末端 { $leader_end_offset }。它把日志截断到 { $to }，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279 = 按纪元判断，两份日志在位移 { $to } 以下相同。Broker { $broker } 在那里截断日志，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279_again = Broker { $broker } 没有纪元 { $leader_epoch_answered }。它截断到不大于该纪元的部分的终点 { $to }，丢弃 { $values }，然后就纪元 { $next_epoch } 再次询问。
    .formula = 截断到自己 ≤ { $leader_epoch_answered } 的纪元的终点 = { $to }
LogTruncated-kip_279_alone = Broker { $broker } 既没有纪元 { $leader_epoch_answered }，也没有更早的，只能依据 leader 给出的位移 { $leader_end_offset }：它把日志截断到 { $to }，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-undefined = Leader 答不出 broker { $broker } 的最新纪元在哪里结束，于是 broker { $broker } 把日志截断到自己的高水位 { $to }，丢弃 { $values }。
    .formula = 没有答案：截断到自己的高水位 = { $to }
LogTruncated-no_answer = Broker { $broker } 不知道任何纪元，leader 也没有答案，于是 broker { $broker } 把日志截断到自己的高水位 { $to }，丢弃 { $values }。
    .formula = 没有答案：截断到自己的高水位 = { $to }
LogTruncated-on_fetch = 应答指明了分叉处：按纪元判断，两份日志在位移 { $to } 以下相同。Broker { $broker } 在那里截断日志，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-on_fetch_again = Broker { $broker } 没有纪元 { $diverging_epoch }。它截断到不大于该纪元的部分的终点 { $to }，丢弃 { $values }，然后从那里再次拉取。
    .formula = 截断到自己 ≤ { $diverging_epoch } 的纪元的终点 = { $to }
LogTruncated-on_fetch_alone = Broker { $broker } 既没有纪元 { $diverging_epoch }，也没有更早的，只能依据 leader 给出的位移 { $leader_end_offset }：它把日志截断到 { $to }，丢弃 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-out_of_range = Broker { $broker } 的日志比 leader 的长。它把日志截断到 leader 的末端 { $to }，丢弃 { $values }。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $before }
LogTruncated-no_epochs = Broker { $broker } 没有可供询问的纪元，于是把日志截断到自己的高水位 { $to }，丢弃 { $values }。
    .formula = 截断到自己的高水位 = { $to }
LogTruncated-full = Leader 的日志从 { $log_start_offset } 开始，已超过 broker { $broker } 的末端 { $before }。Broker { $broker } 丢弃全部内容 { $values }，从那里重新开始。
    .formula = leader 的日志起点 { $log_start_offset } > { $before }
TruncationNotNeeded = Broker { $broker } 无需截断：日志结束于 { $log_end_offset }。
TruncationNotNeeded-high_watermark = Broker { $broker } 被告知成为 follower。它的高水位 { $to } 就是日志末端，无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-kip_101 = 在 leader 上，broker { $broker } 的最新纪元结束于 { $leader_end_offset }。Broker { $broker } 的日志没有超过那里，因此全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-no_epoch_either = Broker { $broker } 和它的 leader 都不知道任何纪元，broker { $broker } 便依据 leader 的日志末端 { $leader_end_offset }。它自己的日志没有超过那里，因此全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279 = 按纪元判断，两份日志一直相同到 broker { $broker } 的末端 { $log_end_offset }。它保留全部消息。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279_again = Broker { $broker } 没有纪元 { $leader_epoch_answered }。暂时无需截断，它就纪元 { $next_epoch } 再次询问。
    .formula = 自己 ≤ { $leader_epoch_answered } 的纪元的终点 = { $to }
TruncationNotNeeded-kip_279_alone = Broker { $broker } 既没有纪元 { $leader_epoch_answered }，也没有更早的，只能依据 leader 给出的位移 { $leader_end_offset }。它的日志末端 { $log_end_offset } 没有超过那里：不论 leader 有没有，它都全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-undefined = Leader 答不出 broker { $broker } 的最新纪元在哪里结束。Broker { $broker } 退回到自己的高水位 { $to }，它正是日志末端：无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-no_answer = Broker { $broker } 不知道任何纪元，leader 也没有答案。它的高水位 { $to } 正是日志末端：无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-on_fetch = 纪元有所不同，但据此判断，两份日志一直相同到 broker { $broker } 的末端 { $log_end_offset }。它保留全部消息并再次拉取。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-on_fetch_again = Broker { $broker } 没有纪元 { $diverging_epoch }。暂时无需截断，它从 { $log_end_offset } 再次拉取。
    .formula = 自己 ≤ { $diverging_epoch } 的纪元的终点 = { $to }
TruncationNotNeeded-on_fetch_alone = Broker { $broker } 既没有纪元 { $diverging_epoch }，也没有更早的，只能依据 leader 给出的位移 { $leader_end_offset }。它的日志末端 { $log_end_offset } 没有超过那里：不论 leader 有没有，它都全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-out_of_range = Broker { $broker } 的日志不比 leader 的长（末端 { $leader_log_end_offset }）：无需截断。
    .formula = leader 的日志末端 { $leader_log_end_offset } ≥ { $log_end_offset }
TruncationNotNeeded-no_epochs = Broker { $broker } 没有可供询问的纪元。它的高水位 { $to } 就是日志末端，无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }

EpochAssigned = Broker { $broker } 在纪元向量中记下：纪元 { $epoch } 从位移 { $start_offset } 开始。
EpochAssigned-leader = 作为新 leader，broker { $broker } 立即记下纪元 { $epoch } 从位移 { $start_offset } 开始，此时该纪元中还没有消息。
EpochAssigned-goes_on = Broker { $broker } 立即记下纪元 { $epoch } 从位移 { $start_offset } 开始，此时该纪元中还没有消息。
EpochAssigned-append = 随着位移 { $start_offset } 处的消息，broker { $broker } 记下纪元 { $epoch } 从那里开始。
EpochsDropped = Broker { $broker } 从纪元向量中移除 { $epochs }。

HighWatermarkAdvanced = Leader { $broker } 把高水位从 { $before } 推进到 { $after }：据它所知，所有计入的副本都已拥有 { $after } 以下的全部消息。
    .formula = 高水位 = min({ $log_end_offsets }) = { $after }
HighWatermarkHeld = 高水位停在 { $high_watermark }：ISR { "{" }{ $isr }{ "}" } 小于 min.insync.replicas { $min_insync_replicas }，新的消息都不算提交。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
HighWatermarkHeld-outsider = 高水位停在 { $high_watermark }，尽管 ISR { "{" }{ $isr }{ "}" } 拥有 { $without } 之前的一切：它在等 ISR 之外、但刚刚还赶得上的 { "{" }{ $outsiders }{ "}" }，以免其无法重新加入。
    .formula = 在 ISR 之外，且在 { $lag_ms } 毫秒内赶上过
BecameLeader = Broker { $broker } 在纪元 { $leader_epoch } 开始领导 { $partition }，以它现有的日志：末端为 { $log_end_offset }，高水位为 { $high_watermark }。
BecameLeader-goes_on = Broker { $broker } 继续领导 { $partition }，现在处于纪元 { $leader_epoch }：日志末端为 { $log_end_offset }，高水位为 { $high_watermark }。
BecameFollower = Broker { $broker } 在纪元 { $leader_epoch } 跟随 broker { $leader }（{ $partition }）。
LeaderStateReset = Broker { $broker } 继续在纪元 { $leader_epoch } 中领导 { $partition }，并把自己的日志末端 { $leader_epoch_start_offset } 当作纪元起点：分区的每次变更都让它重新开始。
PartitionChangeTaken = Leader { $broker } 记下 { $partition } 的分区纪元 { $partition_epoch }。它在纪元 { $leader_epoch } 继续领导；ISR 仍为 { "{" }{ $isr }{ "}" }。
PartitionChangeTaken-isr = Leader { $broker } 读到 { $partition } 的 ISR 现在是 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它在纪元 { $leader_epoch } 继续领导。
PartitionChangeTaken-proposal = Leader { $broker } 在元数据日志中读到自己的提议已写入：{ $partition } 的 ISR 为 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它在纪元 { $leader_epoch } 继续领导。
PartitionChangeTaken-pending_dropped = Leader { $broker } 读到 { $partition } 的分区纪元 { $partition_epoch }，ISR 为 { "{" }{ $isr }{ "}" }，于是放弃自己提议的 ISR { "{" }{ $pending }{ "}" }：以 controller 为准。它在纪元 { $leader_epoch } 继续领导。
PartitionChangeTaken-replicas = Leader { $broker } 读到 { $partition } 的副本现在是 { $replicas }，ISR 为 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它在纪元 { $leader_epoch } 继续领导。
PartitionChangeTaken-follower = Broker { $broker } 记下 { $partition } 的分区纪元 { $partition_epoch }，继续在纪元 { $leader_epoch } 跟随 broker { $leader }。
PartitionChangeTaken-follower_epoch = Broker { $broker } 继续跟随 broker { $leader }，{ $partition } 现在是纪元 { $leader_epoch }：leader 没有变，拉取线程不重新开始。
BecameLeaderless = Broker { $broker } 得知 { $partition } 在纪元 { $leader_epoch } 没有 leader，于是等待。
CommandIgnored = Broker { $broker } 忽略迟到的 LeaderAndIsr（纪元 { $leader_epoch }）：它已处于纪元 { $local_leader_epoch }。
    .formula = 纪元 { $leader_epoch } ≤ { $local_leader_epoch }
CommandIgnored-no_leader = Broker { $broker } 被告知 { $partition } 在纪元 { $leader_epoch } 没有 leader。它无人可跟随，于是维持原状，仍处于纪元 { $local_leader_epoch }。
StatesPassedOver = Broker { $broker } 在一次投递中读到 { $partition } 的 { $states } 个变更，只应用它们最终得到的状态：leader { $leader }，纪元 { $leader_epoch }，ISR { "{" }{ $isr }{ "}" }。之前的状态在这里不起作用。
DepositionMissed = Broker { $broker } 在一次投递中读到 { $partition } 在纪元 { $epochs } 的变更，只应用最后一个：它从纪元 { $leader_epoch_before } 的 leader 直接成为纪元 { $leader_epoch } 的 leader，没有发现其间的 leader 是 broker { $leaders }。它继续相信自己记得的 follower 日志末端（{ $remembered }）；继续等待的生产请求：{ $waiting }。
DepositionMissed-command_skipped = { $partition } 在纪元 { $epochs } 的变更中，broker { $broker } 只被告知最后一个：它从纪元 { $leader_epoch_before } 的 leader 直接成为纪元 { $leader_epoch } 的 leader，没有发现其间的 leader 是 broker { $leaders }。它继续相信自己记得的 follower 日志末端（{ $remembered }）；继续等待的生产请求：{ $waiting }。
CommandSkipped = 告诉 broker { $broker } { $partition } 的 leader 为 { $leader }、纪元为 { $leader_epoch } 的 LeaderAndIsr 不会到达：由下一个取代。
MetadataApplied = Broker { $broker } 把元数据日志读到位移 { $offset }。它的副本没有变化。
MetadataUnread = Broker { $broker } 正在关闭，不再读元数据日志：它领导的分区会一直领导到停止。
RoleIgnored = Broker { $broker } 正在关闭，不理会纪元 { $leader_epoch } 中的新角色：在停止之前一切照旧。
MetadataRecordsWritten = Controller 的元数据日志现在到达位移 { $offset }，写入记录数：{ $count }。
IsrExpandProposed = Leader { $broker } 请 controller 把 broker { $replica } 加入 ISR。在应答到来之前，高水位要等待 { "{" }{ $maximal_isr }{ "}" }。
IsrShrinkProposed = Leader { $broker } 请 controller 把不同步的 { "{" }{ $replicas }{ "}" } 移出 ISR。在应答到来之前，高水位仍要等待 { "{" }{ $maximal_isr }{ "}" }。
IsrExpanded = Broker { $replica } 已赶上，加入 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
FollowerOutOfSync = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中不同步：它上次赶上是在 { $elapsed_ms } 毫秒前。
    .formula = { $elapsed_ms } 毫秒 > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-never = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中不同步：它从未赶上过这个 leader。
FollowerOutOfSync-stuck = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中卡住：它上次拉取是在 { $elapsed_ms } 毫秒前。
    .formula = { $elapsed_ms } 毫秒 > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-slow = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中过慢：它的末端为 { $log_end_offset }，比 leader 的 { $leader_log_end_offset } 落后 { $behind } 条消息。它何时拉取过并不影响。
    .formula = { $behind } > replica.lag.max.messages { $lag_messages }
IsrShrunk = { $partition } 的 ISR 移除 { "{" }{ $replicas }{ "}" }，现在是 { "{" }{ $isr }{ "}" }。
IsrShrunk-leader = { $partition } 的 ISR 移除不同步的 { "{" }{ $replicas }{ "}" }，现在是 { "{" }{ $isr }{ "}" }。
IsrShrunk-controller = Controller 把 { "{" }{ $replicas }{ "}" } 移出 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
IsrCommitted = Leader { $broker } 得知自己的提议已写入：ISR 为 { "{" }{ $isr }{ "}" }。
IsrJoinRefused = Broker { $replica } 已到达高水位 { $high_watermark }，但还不能加入 ISR：leader { $broker } 的纪元从 { $leader_epoch_start_offset } 开始，而它只到 { $log_end_offset }。
    .formula = 高水位 { $high_watermark } ≤ { $log_end_offset } < leader 纪元的起点 { $leader_epoch_start_offset }
IsrChangeRepeated = { $partition } 的 ISR 已经是 leader { $broker } 所要求的 { "{" }{ $isr }{ "}" }，不再写入。
IsrChangeRejected = Leader { $broker } 对 { $partition } 的 ISR 变更被拒绝：{ $error }。ISR 保持不变。
IsrChangeRejected-heard = Leader { $broker } 得知它对 { $partition } 的 ISR 变更被拒绝：{ $error }。
IsrChangeRejected-sent_again = Leader { $broker } 对 { $partition } 的 ISR 变更得到 { $error }，于是再次发送；在此期间该变更仍为待定。
IsrChangeBlocked = Leader { $broker } 无法连到 ZooKeeper 来修改 { $partition } 的 ISR，因此 ISR 保持不变；在这次写入完成之前，它不再接收消息。
IsrChangeBlocked-controller = Leader { $broker } 对 { $partition } 的 ISR 提议到不了 controller，因此 ISR 保持不变。

SessionExpired = Broker { $broker } 的 ZooKeeper 会话结束：controller 不再把它算作存活的 broker。
BrokerFenced = Controller 未能按时收到 broker { $broker } 的心跳，将其隔离：它不能领导任何分区，也不能加入任何 ISR。
BrokerFenced-shutdown = Broker { $broker } 此时没有领导任何分区：controller 将其隔离并允许它停止。
BrokerRegistered = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。在读完元数据日志之前它仍被隔离。
BrokerRegistered-clean_shutdown = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。它的 clean-shutdown 文件写着 { $previous_broker_epoch }，正是 controller 所记的纪元：它是正常停止的，没有丢失任何东西，原来在 ELR 中就仍在 ELR 中。
BrokerRegistered-unclean_shutdown = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。它报告的上次正常停止的 broker 纪元为 { $previous_broker_epoch }，而 controller 所记的是 { $registered_broker_epoch }：它不是正常停止的，日志可能变短，因此它离开所有 ISR 和 ELR。
EligibleLeaderReplicasChanged = { $partition } 的 ELR 现在是 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-joined = { "{" }{ $replicas }{ "}" } 离开了 { $partition } 的 ISR，而它已低于 min.insync.replicas。此后不再提交任何消息，所以 controller 仍可从离开者中选举：ELR 现在是 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-cleared = { $partition } 的 ISR 为 { "{" }{ $isr }{ "}" }，达到 min.insync.replicas：没有 { "{" }{ $replicas }{ "}" } 也会继续提交，所以 ELR 现在是 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-unclean_shutdown = Broker { $replicas } 可能丢失了 { $partition } 的消息，不再有资格当选：ELR 为 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-config = min.insync.replicas 变了，谁拥有 { $partition } 全部已提交的消息已无从判断：{ "{" }{ $replicas }{ "}" } 离开 ELR，ELR 为空。
BrokerUnfenced = Broker { $broker } 已读完元数据日志，解除隔离。仅此还不会让它进入任何 ISR。
BrokerJoined = Controller 在 ZooKeeper 中重新看到 broker { $broker }，告诉它领导和跟随哪些分区。
LeaderElected = Broker { $leader } 在纪元 { $leader_epoch } 当选 { $partition } 的 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-clean = Broker { $leader } 在纪元 { $leader_epoch } 当选 { $partition } 的 leader：它存活且在 ISR 中。ISR 现在是 { "{" }{ $isr }{ "}" }。
LeaderElected-preferred = { $partition } 的首选 leader，broker { $leader }，在纪元 { $leader_epoch } 成为 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-unclean = Broker { $leader } 不在 ISR 中，却在纪元 { $leader_epoch } 当选 { $partition } 的 leader。它没有的消息就此放弃。
LeaderElected-shutdown = Broker { $previous_leader } 即将停止，broker { $leader } 在纪元 { $leader_epoch } 接管 { $partition }；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-returned = ISR 中的 broker { $leader } 回来了，{ $partition } 在纪元 { $leader_epoch } 重新有了 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-elr = Broker { $leader } 在 { $partition } 的 ELR 中并已回来，于是在纪元 { $leader_epoch } 当选，而且是 clean 选举：controller 认为它拥有全部已提交的消息。ISR 为 { "{" }{ $isr }{ "}" }，ELR 为 { "{" }{ $elr }{ "}" }。
LeaderElected-last_known_leader = { $partition } 的 ISR 和 ELR 都空了，于是最后已知的 leader，broker { $leader }，在纪元 { $leader_epoch } 当选。这是 unclean 选举：它没有的消息就此放弃。
LeaderLost-elr = { $partition } 不再有 leader：broker { $previous_leader } 是 ISR 的最后一员，ISR 现在为空。Controller 仍可选的是 ELR { "{" }{ $elr }{ "}" }：它们离开时已不能再提交任何东西。纪元 { $leader_epoch }。
LeaderLost-last_known = { $partition } 不再有 leader：broker { $previous_leader } 是 ISR 的最后一员，ISR 现在为空，ELR 也为空。Controller 等待最后已知的 leader。纪元 { $leader_epoch }。
LeaderLost = { $partition } 不再有 leader：broker { $previous_leader } 不能再领导，可以接替它的副本都不在。ISR 为 { "{" }{ $isr }{ "}" }，纪元 { $leader_epoch }。
UncleanSettingNotRead = { $partition } 没有 leader：存活的副本 { "{" }{ $live }{ "}" } 不在 ISR 中，而 unclean.leader.election.enable 虽已开启，这个版本的 controller 却不读取它。它等待 ISR { "{" }{ $isr }{ "}" } 的成员回来，或等管理员要求 unclean 选举。
UncleanSettingNotRead-no_request = { $partition } 没有 leader：存活的副本 { "{" }{ $live }{ "}" } 不在 ISR 中，而 unclean.leader.election.enable 虽已开启，这个版本的 controller 却不读取它。它也还不处理管理员的选举请求，只等待 ISR { "{" }{ $isr }{ "}" } 的成员回来。
ElectionNotPossible = { $partition } 选不出 leader：ISR 为 { "{" }{ $isr }{ "}" }，存活的 broker：{ $live }。
ElectionNotPossible-shutdown = Broker { $leader } 即将停止，却没有 broker 能接管 { $partition }：ISR { "{" }{ $isr }{ "}" } 中没有其他存活的 broker。
LeaderRecovered = { $partition } 的 leader { $leader } 由 unclean 选举产生，现在记为 RECOVERED。
MetadataCacheUpdated = Broker { $broker } 更新元数据缓存：{ $partitions }；存活的 broker：{ $live }。
MetadataCacheUpdated-brokers = Broker { $broker } 更新元数据缓存；存活的 broker：{ $live }。
IsrChangesKept = Broker { $broker } 暂不把 { $partitions } 的 ISR 通知 controller：它在 { $since_change_ms } ms 前刚变更，而上一次通知在 { $since_propagation_ms } ms 前。
    .formula = { $since_change_ms } ≤ 5000 且 { $since_propagation_ms } ≤ 60000
IsrChangesKept-none = Broker { $broker } 没有尚未通知 controller 的 ISR 变更。
IsrChangesTold = Broker { $broker } 在 ZooKeeper 中写下通知：它变更了 { $partitions } 的 ISR，此后 { $since_change_ms } ms 内再无变更。
    .formula = { $since_change_ms } > 5000
IsrChangesTold-overdue = Broker { $broker } 在 ZooKeeper 中写下通知：它变更了 { $partitions } 的 ISR。变更仍在继续，但上一次通知已是 { $since_propagation_ms } ms 前。
    .formula = { $since_propagation_ms } > 60000
IsrChangesTaken = Controller 读取 broker { $broker } 写下的 { $partitions } 的 ISR，通知每个存活的 broker 更新缓存，并删除通知。纪元不变。
ControllerElected = Controller 失效，另一个 broker 以 controller 纪元 { $controller_epoch } 接任。它从 ZooKeeper 读取每个分区，并按现有的 leader 纪元重新告知所有存活的 broker。
    .formula = Controller 纪元 { $before } + 1 = { $controller_epoch }
CommandFenced = Broker { $broker } 拒绝 controller 的命令：它来得太迟。
CommandFenced-STALE_CONTROLLER_EPOCH = Broker { $broker } 拒绝 controller 纪元 { $controller_epoch } 的命令（STALE_CONTROLLER_EPOCH）：它已得知 controller 纪元 { $known_controller_epoch }，发送者已不再是 controller。
    .formula = { $controller_epoch } < { $known_controller_epoch }
CommandFenced-STALE_BROKER_EPOCH = Broker { $broker } 拒绝发给它上一次启动的命令（STALE_BROKER_EPOCH）：命令带 broker 纪元 { $broker_epoch }，而本进程为 { $own_broker_epoch }。
    .formula = { $broker_epoch } < { $own_broker_epoch }
ReassignmentStarted = { $partition } 从 broker { $before } 迁往 { $target }：将加入 { $adding }，移除 { $removing }。新副本加入 ISR 之前，新旧副本都算副本。
ReassignmentStarted-adding = { $partition } 的副本从 broker { $before } 增加为 { $target }：将加入 { $adding }，待其进入 ISR 即告完成。
ReassignmentStarted-removing = { $partition } 的副本从 broker { $before } 减少为 { $target }：将移除 { $removing }。
ReassignmentCompleted = { $partition } 的迁移完成：{ $replicas } 都已在 ISR { "{" }{ $isr }{ "}" } 中。Broker { $leader } 以纪元 { $leader_epoch } 任 leader。
ReplicaCreated = Broker { $broker } 为 { $partition } 创建空日志：它成为副本，全部数据尚待拉取。
ReplicaDeleted = Broker { $broker } 删除 { $partition } 的副本（日志末端 { $log_end_offset }）：它不再分配给该 broker。
StopReplicaIgnored = Broker { $broker } 忽略对 { $partition } 的 StopReplica：它没有这个副本。
LeaderElected-reassigned = Broker { $leader } 从此以纪元 { $leader_epoch } 任 { $partition } 的 leader：broker { $previous_leader } 不再是副本，而 { $leader } 是新副本中第一个存活且在 ISR 中的。
ReplicasReordered = { $partition } 的副本列表现在是 { $replicas }：第一个是首选 leader。
ProtocolLevelChanged = 集群的 { $name } 从 { $before } 变为 { $level }。
ProtocolLevelChanged-raised = 集群的 { $name } 从 { $before } 升到 { $level }。从此生效的规则：{ $opened }。
ProtocolLevelChanged-raised_only = 集群的 { $name } 从 { $before } 升到 { $level }。这里模拟的规则都不受其间各级别影响。
ProtocolLevelChanged-lowered_only = 集群的 { $name } 从 { $before } 降到 { $level }。这里模拟的规则都不受其间各级别影响。
ProtocolLevelChanged-lowered = 集群的 { $name } 从 { $before } 降到 { $level }。不再生效的规则：{ $closed }。

ConfigChanged = { $name } 现在是 { $value }。
ConfigChanged-topic = topic { $topic } 的 { $name } 现在是 { $value }。

BrokerCrashed = Broker { $broker } 的进程没了。它写下的内容仍在页缓存中，controller 尚未察觉。
PowerLost = Broker { $broker } 断电：进程没了，尚未落盘的字节也没了。
UnflushedRecordsLost = Broker { $broker } 的 { $partition } 日志在磁盘上只到 { $kept }，而不是 { $before }：{ $values } 尚未落盘。
DiskLost = Broker { $broker } 的磁盘没了，日志、纪元和检查点一并丢失。它回来时将是空的。
ShutdownStarted = Broker { $broker } 开始正常关闭（controlled shutdown）。
RegistrationRefused = Broker { $broker } 无法注册：它的旧会话在 ZooKeeper 中仍然存在。它自行退出。

BrokerStopped = Broker { $broker } 已刷盘、写好检查点和正常关闭标记，停止运行。
BrokerPaused = Broker { $broker } 停住不动，如同一次长时间的垃圾回收：它保留一切，但不应答任何人。
BrokerResumed = Broker { $broker } 从停住的地方继续。
BrokerBooted = Broker { $broker } 启动并打开日志。还没有人告诉它领导或跟随谁。
LogLoaded = Broker { $broker } 打开 { $partition } 的日志：末端为 { $log_end_offset }，高水位 { $high_watermark } 取自检查点。
LogLoaded-clean = Broker { $broker } 上次是正常关闭：{ $partition } 的日志末端为 { $log_end_offset }，高水位仍为 { $high_watermark }。
LogLoaded-recovered = Broker { $broker } 从恢复点 { $recovery_point } 起恢复 { $partition } 的日志：末端为 { $log_end_offset }。高水位取最近一次检查点的 { $high_watermark }，日志不会因此截断。
LogLoaded-recovered_outside_log = Broker { $broker } 从恢复点 { $recovery_point } 起恢复 { $partition } 的日志：末端为 { $log_end_offset }。最近一次检查点的高水位 { $checkpoint_high_watermark } 落在日志之外，因此从 { $high_watermark } 开始。
BrokerExited = Broker { $broker } 自行退出：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }；unclean 选举关闭时，它不肯丢弃 leader 没有的消息。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }
BrokerHalted = Broker { $broker } 的进程就地终止：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }；unclean 选举关闭时，它不肯丢弃 leader 没有的消息。退出时什么都不写。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }
BrokerHung = Broker { $broker } 开始关闭却卡住：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }，且 unclean 选举关闭。它的会话还在，但不再跟随任何人。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }

HighWatermarkCheckpointed = Broker { $broker } 把高水位写入检查点文件：{ $high_watermarks }。重启之后从这些值开始。
RecoveryPointCheckpointed = Broker { $broker } 把恢复点写入检查点文件：{ $recovery_points }。在它们之下的内容都已落盘。
LogFlushed = Broker { $broker } 把 { $partition } 的日志刷盘：{ $flushed } 以下都已落盘。
IsrChecked = Leader { $broker } 检查 { $partition } 的 ISR：其中没有副本落后。
IsrChecked-nothing_led = Broker { $broker } 没有领导任何分区，没有 ISR 需要检查。
HeartbeatReceived = Controller 收到 broker { $broker } 的心跳。
PreferredLeadersChecked = Controller 检查哪些分区的首选 leader 可以领导却没有领导。
UncleanLeadersChecked = Controller 检查哪些没有 leader 的分区允许由 ISR 之外的副本领导。
BackoffEnded = Broker { $broker } 等待期满，可以再次拉取 { $partition }。
TimeAdvanced = 过去了 { $ms } ms。

MessageDropped = 从 { $from } 到 { $to } 的“{ $message }”随连接一起丢失。等待应答的一方会看到连接断开。
MessageDropped-fetch_request = Broker { $from } 的拉取请求在 broker { $to } 看到之前丢失。Broker { $from } 会再次请求。
MessageDropped-fetch_response = Leader { $from } 已计入 broker { $to } 的拉取，但应答丢失：broker { $to } 既没拿到其中的消息，也不知道其中的高水位，会再次请求。
MessageHeld = 从 { $from } 到 { $to } 的“{ $message }”被扣留，直到放行。
MessageHeld-metadata_record = 从现在起，发给 broker { $to } 的元数据日志被扣留：它读不到新的内容，但它的心跳和发给 controller 的请求照常通过。
MessageReleased-metadata_record = 元数据日志被放行：broker { $to } 可以继续读取，一次投递或分几次都可以。
MessageReleased = 从 { $from } 到 { $to } 的“{ $message }”被放行，可以到达了。
LinkCut = 从 { $from } 到 { $to } 的链路被切断：恢复之前，这个方向上什么都过不去。
LinkHealed = 从 { $from } 到 { $to } 的链路恢复。
BrokerSlowed = 从现在起 broker { $broker } 的消息要多花 { $ms } ms。

ActionRefused = 现在做不到：{ $reason }。
Settled = 只投递了例行消息，日志、ISR 和 leader 均无变化。
DidNotSettle = 经过 { $ms } ms 的运行时间仍有事情在进行，不再等待。
PropertyViolated = { $property } 被违反。
PropertyViolated-NoAckedRecordLost = 已确认，却丢失了：{ $values }。Producer 曾得知它已安全，而新 leader broker { $replicas } 的位移 { $offsets } 上没有它。
PropertyViolated-LogMatching = 两份日志在高水位以下出现差异：在位移 { $offsets } 处，broker { $replicas } 分别持有 { $values }，而协议中没有任何环节会察觉。
PropertyViolated-WeakIsr = Broker { $replicas } 被 leader 算作同步，却缺少 leader 已提交的 { $values }。
PropertyViolated-StrongIsr = Broker { $replicas } 在 controller 的 ISR 中，却缺少已提交的 { $values }：clean 选举可能选中它，它缺少的就会丢失。
PropertyViolated-StrongIsr-leading = Controller 以 broker { $leader } 为 leader，它也在 ISR 中，却缺少已提交的 { $values }。只要它是 leader，就以它的日志为准。
PropertyViolated-LeaderInIsr = Leader 不在自己的 ISR 中。
PropertyViolated-OneLeaderPerEpoch = 两个 broker 在同一纪元领导过同一分区。
PropertyViolated-HighWatermarkWithinLog = 有高水位落在日志之外。
PropertyViolated-MonotonicLeaderHighWatermark = 同一纪元内 leader 的高水位下降了。
PropertyViolated-EpochsIncrease = 日志或纪元向量中的纪元出现下降。
PropertyViolated-LeaderCompleteness = { $partition } 的 leader { $replicas } 缺少此前已提交的 { $values }。
PropertyViolated-LeaderCandidateCompleteness = Broker { $replicas } 此刻可以通过 clean 选举当选，却缺少已提交的 { $values }。
PropertyViolated-LeaderCandidateCompleteness-leading = Controller 以 broker { $leader } 为 leader，它却缺少已提交的 { $values }。它算作同步，所以今后的 clean 选举都可能选中它。
PropertyViolated-EligibleLeaderCompleteness = Broker { $replicas } 在 ISR 或 ELR 中，却缺少已提交的 { $values }。
PropertyViolated-ReplicationQuorumSuperset = Controller 的 ISR 中有一个 leader 并不等待的副本。
PropertyViolated-ConsistentRead = Consumer 在已读过的位移上看到了另一条消息，或者毫无察觉地跳过了一条。
RecordLost = { $value } 的最后一份副本没了。没有 Producer 被告知它已安全。
RecordLost-acked = { $value } 已不在任何副本上，而 Producer 曾以 acks={ $acks } 得知它已写入。
