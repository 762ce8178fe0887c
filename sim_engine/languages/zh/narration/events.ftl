### A sentence for every event, by kind and variant, with the formula of its rule.

Started = 起点：Kafka { $kafka }，{ $control }，broker { $brokers }。

RecordProduced = Broker { $broker } 将 producer { $producer } 的 { $value } 追加到位移 { $offset }，日志末端变为 { $log_end_offset }。
RecordProduced-idempotent = Broker { $broker } 将 producer { $producer } 的 { $value } 追加到位移 { $offset }，它是 producer id { $producer_id } 的序号 { $sequence }。日志末端变为 { $log_end_offset }。
RecordProduced-transactional = Broker { $broker } 将 { $value } 追加到位移 { $offset }，它是 producer id { $producer_id } 的序号 { $sequence }，属于其未结束的事务。使用 read_committed 的 consumer 必须等事务结束。
DuplicateRecognised = Broker { $broker } 已有 producer id { $producer_id } 的序号 { $sequence }：位移 { $offset } 处的 { $value }。它不再追加，直接返回该位移。
    .formula = 序号 { $sequence } ≤ 最后的序号 { $last_sequence }
TransactionBegun = Producer { $producer }（id 为 { $producer_id }）开始一个事务。在写入第一条消息之前，日志中没有该事务的内容。
MarkerWritten = Broker { $broker } 在 { $partition } 的位移 { $offset } 写入 producer id { $producer_id } 的事务标记。
MarkerWritten-commit = Broker { $broker } 在 { $partition } 的位移 { $offset } 写入 producer id { $producer_id } 的提交标记。应用看不到标记。高水位越过标记之后，事务才生效。
MarkerWritten-abort = Broker { $broker } 在 { $partition } 的位移 { $offset } 写入 producer id { $producer_id } 的中止标记。事务的消息仍留在日志中；使用 read_committed 的 consumer 会丢弃它们。
TransactionEnded = Producer { $producer } 的事务已结束。
TransactionEnded-commit = Producer { $producer } 提交事务：{ $partitions } 中已有 producer id { $producer_id } 的标记，提交不可撤销。
TransactionEnded-abort = Producer { $producer } 中止事务：{ $partitions } 中已有 producer id { $producer_id } 的标记。使用 read_committed 的 consumer 不会读到它的消息。
TransactionEnded-hanging = 管理员中止 producer id { $producer_id } 的事务：{ $partitions } 的日志显示它尚未结束，而 producer { $producer } 没有未结束的事务，因为它的标记已丢失。使用 read_committed 的 consumer 可以继续读取，并丢弃它的消息。
TransactionEnded-empty = Producer { $producer } 结束了一个没有消息的事务，无需写入标记。
ProduceAcknowledged = Broker { $broker } 响应 producer { $producer }：{ $value } 位于位移 { $offset }，acks={ $acks } 已满足。
ProduceAcknowledged-all = Producer { $producer } 收到 { $value } 的确认：高水位 { $high_watermark } 已越过位移 { $offset }，因此 leader { $broker } 知道整个 ISR 都拥有它。
    .formula = 高水位 { $high_watermark } > 位移 { $offset }
ProduceAcknowledged-1 = Producer { $producer } 收到位移 { $offset } 处 { $value } 的确认。acks=1 只保证 broker { $broker } 上有一份。
ProduceFailed = Producer { $producer } 写入 { $value } 失败：{ $error }。
ProduceFailed-NOT_ENOUGH_REPLICAS = Broker { $broker } 以 NOT_ENOUGH_REPLICAS 拒绝 { $value }：ISR 为 { "{" }{ $isr }{ "}" }，而 min.insync.replicas 为 { $min_insync_replicas }。没有追加任何消息。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
ProduceFailed-NOT_ENOUGH_REPLICAS_AFTER_APPEND = { $value } 已提交，但 ISR { "{" }{ $isr }{ "}" } 此时已小于 min.insync.replicas（{ $min_insync_replicas }）。Producer { $producer } 收到 NOT_ENOUGH_REPLICAS_AFTER_APPEND，消息仍留在日志中。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
ProduceFailed-NOT_LEADER_OR_FOLLOWER = Broker { $broker } 不是 { $partition } 的 leader，以 NOT_LEADER_OR_FOLLOWER 响应 producer { $producer }。如果 { $value } 此前已追加，它仍留在日志中，但未被确认。
ProduceFailed-REQUEST_TIMED_OUT = 高水位越过 { $value } 之前，请求已超时：producer { $producer } 收到 REQUEST_TIMED_OUT。消息仍在 broker { $broker } 的日志中，之后仍可能被提交。
ProduceFailed-LEADER_NOT_AVAILABLE = Producer { $producer } 无法发送 { $value }：{ $partition } 没有 leader。
ProduceFailed-OUT_OF_ORDER_SEQUENCE_NUMBER = Broker { $broker } 以 OUT_OF_ORDER_SEQUENCE_NUMBER 拒绝 { $value }：producer id { $producer_id } 的序号 { $sequence } 与日志中的最后序号不连续。没有追加任何消息。
ProduceFailed-UNKNOWN_PRODUCER_ID = Broker { $broker } 以 UNKNOWN_PRODUCER_ID 拒绝 { $value }：它的序号为 { $sequence }，而日志中没有 producer id { $producer_id } 的消息。没有追加任何消息。
ProduceFailed-UNKNOWN_TOPIC_OR_PARTITION = Broker { $broker } 目前不承载 { $partition }，以 UNKNOWN_TOPIC_OR_PARTITION 响应 producer { $producer }。{ $value } 没有追加。
ProduceWaiting = { $producer } 将 { $partition } 的 { $value } 发给已暂停的 broker { $broker }。请求要等 broker 恢复运行。
ProduceWaiting-isr_write = { $producer } 将 { $partition } 的 { $value } 发给 broker { $broker }，而它的 ISR 变更正在等待 ZooKeeper。该请求也要等待。
ProduceUnanswered = Producer { $producer } 没有收到 { $value } 的响应：与 broker { $broker } 的连接已断开。Producer 无法知道消息是否已写入。
ConsumerRead = Consumer { $consumer } 从 broker { $broker } 读到 { $values }，下一位移为 { $to_offset }。它只能读到高水位 { $high_watermark } 以下。
ConsumerRead-follower = Consumer { $consumer } 从 follower { $broker } 读到 { $values }，下一位移为 { $to_offset }。Follower 提供自己的高水位 { $high_watermark } 以下的消息。
ConsumerRead-committed = Consumer { $consumer } 从 broker { $broker } 读到 { $values }，下一位移为 { $to_offset }。使用 read_committed 只能读到最后稳定位移 { $last_stable_offset } 以下。
ConsumerPassedOver = Consumer { $consumer } 跳过 { $values }：标记占用位移，但应用看不到。它从 { $to_offset } 继续。
ConsumerPassedOver-aborted = Consumer { $consumer } 跳过 { $values }：broker 也会发送已中止事务的消息，并附上这些事务的列表，由 consumer 丢弃。它从 { $to_offset } 继续。
ConsumerReadNothing = Consumer { $consumer } 在位移 { $offset } 处没有读到消息：它只能读到高水位 { $high_watermark } 以下，而 broker { $broker } 的日志末端为 { $log_end_offset }。
    .formula = 位移 { $offset } ≥ 高水位 { $high_watermark }
ConsumerReadNothing-end = Consumer { $consumer } 在位移 { $offset } 处没有读到消息：broker { $broker } 的日志到此结束。
    .formula = 位移 { $offset } ≥ 日志末端位移 { $log_end_offset }
ConsumerReadNothing-follower = Consumer { $consumer } 在位移 { $offset } 处没有从 follower { $broker } 读到消息：follower 只提供自己的高水位 { $high_watermark } 以下的消息，而该高水位只有通过拉取才能推进。
    .formula = 位移 { $offset } ≥ 高水位 { $high_watermark }
ConsumerReadNothing-committed = Consumer { $consumer } 在位移 { $offset } 处没有读到消息：使用 read_committed 只能读到最后稳定位移 { $last_stable_offset } 以下，而 broker { $broker } 的高水位为 { $high_watermark }。
    .formula = 位移 { $offset } ≥ 最后稳定位移 { $last_stable_offset }
ConsumerOutOfRange = Consumer { $consumer } 从位移 { $offset } 拉取，超出了 broker { $broker } 的日志（末端为 { $log_end_offset }）。它改从 { $reset_to } 继续。
    .formula = 位移 { $offset } > 日志末端 { $log_end_offset }
ConsumerOutOfRange-follower = Consumer { $consumer } 从 follower { $broker } 的位移 { $offset } 拉取，超出了它的日志末端 { $log_end_offset }。Follower 可能落后，因此 consumer 回到 leader，位置不变。
    .formula = 位移 { $offset } > 日志末端 { $log_end_offset }
ConsumerOutOfRange-below_start = Consumer { $consumer } 从位移 { $offset } 拉取，低于 broker { $broker } 的日志起点 { $log_start_offset }。它改从 { $reset_to } 继续。
    .formula = 位移 { $offset } < 日志起点 { $log_start_offset }
ConsumerOutOfRange-undefined = Broker { $broker } 不知道 consumer { $consumer } 最后读到的消息的纪元，因此分叉点未知。Consumer 改从 { $reset_to } 继续，而不是 { $offset }。
ConsumerSentToFollower = Leader { $broker } 让位于机架 { $rack } 的 consumer { $consumer } 转向同一机架的 follower { $follower }。
ConsumerOffsetNotAvailable = Broker { $broker } 不向 consumer { $consumer } 返回最新位移：它的高水位 { $high_watermark } 还没有到达其纪元的起点 { $leader_epoch_start_offset }，返回的位移可能低于先前的值。Consumer 停在 { $offset }，稍后重试。
    .formula = 高水位 { $high_watermark } < 纪元起始位移 { $leader_epoch_start_offset }
ConsumerTruncationDetected = Consumer { $consumer } 位于位移 { $offset }，最后读到纪元 { $epoch } 的消息。Broker { $broker } 响应该纪元结束于 { $end_offset }。它从该位移起读到的消息已被截断，因此从 { $end_offset } 继续。
    .formula = 纪元 { $epoch } 的末端：{ $end_offset } < 位移 { $offset }
ReadReplaced = Consumer { $consumer } 在 { $partition } 的位移 { $offsets } 上读到过 { $values }，而 leader { $leader } 在那里的消息现在是 { $instead }。
ConsumerPositionValidated = Consumer { $consumer } 向 broker { $broker } 查询最后读到的消息的纪元 { $epoch } 在哪里结束：{ $end_offset }。它的位置 { $offset } 有效。
    .formula = 纪元 { $epoch } 的末端：{ $end_offset } ≥ 位移 { $offset }
ConsumeFailed = Consumer { $consumer } 无法读取 { $partition }：{ $error }。
ConsumeFailed-LEADER_NOT_AVAILABLE = Consumer { $consumer } 无法读取 { $partition }：它没有 leader。
ConsumeFailed-NOT_LEADER_OR_FOLLOWER = Consumer { $consumer } 从 broker { $broker } 拉取，但它不是 { $partition } 的 leader，响应 NOT_LEADER_OR_FOLLOWER。
ConsumeFailed-REPLICA_NOT_AVAILABLE = Consumer { $consumer } 从 broker { $broker } 拉取，但它没有 { $partition } 的副本，响应 REPLICA_NOT_AVAILABLE。
ConsumeFailed-UNKNOWN_LEADER_EPOCH = Consumer { $consumer } 所知的 { $partition } 的 leader 纪元比 broker { $broker } 更新；broker { $broker } 在得知该纪元之前响应 UNKNOWN_LEADER_EPOCH。
ConsumeFailed-UNKNOWN_TOPIC_OR_PARTITION = Consumer { $consumer } 从 broker { $broker } 拉取，但它目前不承载 { $partition }，响应 UNKNOWN_TOPIC_OR_PARTITION。
ClientMetadataRefreshed = 客户端 { $client } 刷新元数据。{ $partition } 的 leader：{ $leader }。

FetchSent = Broker { $broker } 从 leader { $leader } 的位移 { $fetch_offset } 拉取 { $partition }。这确认了该位移以下的全部消息。
FetchSent-with_epoch = Broker { $broker } 从 leader { $leader } 的位移 { $fetch_offset } 拉取 { $partition }，最后拉取的纪元为 { $last_fetched_epoch }。如果与 leader 的日志一致，这就确认了该位移以下的全部消息。
FetchHandled = Leader { $broker } 向 broker { $follower } 返回位移 { $fetch_offset } 起的消息（{ $records } 条）和读取时的高水位 { $high_watermark }。
FetchHandled-empty = Leader { $broker } 从位移 { $fetch_offset } 起没有消息，只向 broker { $follower } 返回读取时的高水位 { $high_watermark }。
FetchHandled-no_replica = Leader { $broker } 响应 broker { $follower }，不含消息，也不含错误，因为 broker { $follower } 不是它的副本。
FetchParked = Leader { $broker } 从位移 { $fetch_offset } 起没有消息，broker { $follower } 的拉取最多等待 { $wait_ms } ms。
LongPollExpired = Leader { $broker } 完成 broker { $follower } 等待中的拉取：没有消息，附带当前的高水位 { $high_watermark }。
FetchDiverging = Broker { $follower } 从位移 { $fetch_offset } 拉取，最后拉取的纪元为 { $last_fetched_epoch }，与 leader { $broker } 的日志不一致。Leader 不返回消息，而是返回纪元 { $diverging_epoch } 结束于 { $end_offset }。
    .formula = 纪元 { $diverging_epoch } < 最后拉取的纪元 { $last_fetched_epoch }，或终点 { $end_offset } < 拉取位移 { $fetch_offset }
FetchOutOfRange = Broker { $follower } 从位移 { $fetch_offset } 拉取，而 leader { $broker } 的日志结束于 { $log_end_offset }：OFFSET_OUT_OF_RANGE。
    .formula = 拉取位移 { $fetch_offset } > leader 的日志末端 { $log_end_offset }
FetchOutOfRange-below_start = Broker { $follower } 从位移 { $fetch_offset } 拉取，而 leader { $broker } 的日志从 { $log_start_offset } 开始：OFFSET_OUT_OF_RANGE。
    .formula = 拉取位移 { $fetch_offset } < leader 的日志起点 { $log_start_offset }
FetchOutOfRange-undefined = Leader { $broker } 不知道 broker { $follower } 在位移 { $fetch_offset } 处的最后纪元在哪里结束，响应 OFFSET_OUT_OF_RANGE。
FetchRejected = Broker { $broker } 以 { $error } 拒绝 broker { $follower } 的请求：请求的 leader 纪元为 { $request_epoch }，而 broker { $broker } 处于纪元 { $leader_epoch }。
FetchRejected-FENCED_LEADER_EPOCH = Broker { $broker } 拒绝 broker { $follower } 的请求（fenced）：其纪元 { $request_epoch } 已过时。
    .formula = 请求的纪元 { $request_epoch } < { $leader_epoch }
FetchRejected-UNKNOWN_LEADER_EPOCH = Broker { $broker } 还不知道 broker { $follower } 请求中的纪元 { $request_epoch }，响应 UNKNOWN_LEADER_EPOCH。
    .formula = 请求的纪元 { $request_epoch } > { $leader_epoch }
FetchRejected-unknown_replica = Leader { $broker } 以 { $error } 拒绝 broker { $follower } 的请求：在它看来，broker { $follower } 不是 { $partition } 的副本。该请求不起作用。
FetchRejected-stale_broker_epoch = Broker { $broker } 以 { $error } 拒绝 broker { $follower } 的拉取：请求的 broker 纪元为 { $request_broker_epoch }，而 broker { $follower } 此后已重启，broker 纪元为 { $broker_epoch }。该拉取不起作用。
    .formula = 请求的 broker 纪元 { $request_broker_epoch } < { $broker_epoch }
FetchRejected-NOT_LEADER_OR_FOLLOWER = Broker { $broker } 不是 { $partition } 的 leader，以 NOT_LEADER_OR_FOLLOWER 响应 broker { $follower }。
FetchRejected-UNKNOWN_TOPIC_OR_PARTITION = Broker { $broker } 目前不承载 { $partition }，以 UNKNOWN_TOPIC_OR_PARTITION 响应 broker { $follower }。该请求不起作用。
FollowerEndForgotten = 拉取失败，因此 leader { $broker } 不再知道 broker { $follower } 的日志末端位移（原为 { $before }），直到 broker { $follower } 再次拉取。
FetchApplied = Broker { $broker } 追加来自 leader { $leader } 的 { $values }，日志末端变为 { $log_end_offset }。响应中的高水位为 { $high_watermark }。
FetchApplied-empty = Broker { $broker } 没有从 leader { $leader } 收到消息，只收到高水位：{ $high_watermark }。
FetchedEpochForgotten = 响应中没有消息，因此 broker { $broker } 清除了最后拉取的纪元 { $epoch }。在收到消息之前，它的拉取不带纪元，leader { $leader } 无法检测分叉。
LeaderOffsetHeard = Leader { $leader } 的日志从 { $offset } 开始，broker { $broker } 的日志末端 { $log_end_offset } 不低于它：不截断，从那里继续拉取。
LeaderOffsetHeard-latest = Leader { $leader } 的日志末端为 { $offset }，不低于 broker { $broker } 的日志末端 { $log_end_offset }：无需截断，broker { $broker } 接着查询日志起点。
RoundsRepeat = 如此反复：broker { $broker } 和 leader { $leader } 的状态与这些请求之前相同，因此接下来的请求也相同，直到其他状态变化。
RoundsRepeat-lookup = 如此反复：响应没有让 broker { $broker } 的日志删除任何消息，纪元 { $epoch } 仍是它的最新纪元，于是它再次查询同一个纪元。在其他状态变化之前，它不会拉取。
RoundsRepeat-out_of_range = 如此反复：broker { $broker } 没有截断任何内容，下一次拉取与上次相同；leader { $leader } 不知道纪元 { $epoch } 在哪里结束，再次响应 OFFSET_OUT_OF_RANGE。这会一直持续到其他状态变化，例如 leader 追加一条消息。
FetchErrorReceived = Broker { $broker } 收到 broker { $leader } 的 { $error }，将在 { $backoff_ms } ms 后重试。
FetchErrorReceived-out_of_range = Broker { $broker } 收到 leader { $leader } 的 OFFSET_OUT_OF_RANGE。接下来它查询该日志在哪里结束。
PartitionFailed = Broker { $broker } 收到 { $error } 后停止拉取 { $partition }，直到从 controller 得到更新的状态。
ResponseIgnored = Broker { $broker } 忽略“{ $message }”：发出请求之后，它的拉取循环已重启。
ResponseIgnored-superseded = Broker { $broker } 忽略“{ $message }”：它已有更新的元数据。
ResponseIgnored-given_up = Leader { $broker } 忽略“{ $message }”：其中 { $partition } 的纪元与 leader 的不同。该 ISR 变更保持待定，直到收到更新的元数据。
ResponseIgnored-another_epoch = Broker { $broker } 忽略“{ $message }”：其中的 leader 纪元为 { $leader_epoch }，而该 broker 的元数据处于纪元 { $own_leader_epoch }。该 ISR 变更保持待定，直到收到更新的元数据。
LateResponseDiscarded = Broker { $broker } 丢弃 broker { $leader } 的“{ $message }”：请求是在纪元 { $asked_in } 发出的，而它现在处于纪元 { $leader_epoch }。
LateResponseDiscarded-lookup = Broker { $broker } 丢弃 broker { $leader } 的纪元查询响应：请求是在纪元 { $asked_in } 发出的，而它现在处于纪元 { $leader_epoch }。
LateResponseAccepted = Broker { $broker } 应用 broker { $leader } 对纪元 { $asked_in } 中一个请求的响应，尽管它现在处于纪元 { $leader_epoch }：它仍从位移 { $fetch_offset } 拉取，除此之外不作检查。
LateResponseAccepted-lookup = Broker { $broker } 应用 broker { $leader } 对纪元 { $asked_in } 中一次纪元查询的响应，尽管它现在处于纪元 { $leader_epoch }：不比较纪元。
FollowerHighWatermarkSet = Broker { $broker } 将高水位从 { $before } 设为 { $after }；leader 的响应中为 { $response_high_watermark }。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
FollowerHighWatermarkSet-diverging = Leader 的响应表明 broker { $broker } 的日志已分叉，并带有高水位 { $response_high_watermark }。Broker { $broker } 先应用该值（不超过自己的日志末端），{ $before } → { $after }，即使其中包括即将被截断的消息。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
DivergenceHeard = Leader { $leader } 的响应表明 broker { $broker } 的日志已分叉：纪元 { $diverging_epoch } 在 leader 上结束于 { $end_offset }。高水位仍为 { $high_watermark }，broker { $broker } 接下来截断日志。
FollowerHighWatermarkSet-back = Broker { $broker } 的高水位从 { $before } 退回 { $after }：follower 采用 leader 响应中的值。这不会截断任何消息。
    .formula = 高水位 = min({ $response_high_watermark }, { $log_end_offset }) = { $after }
EpochLookupSent = 拉取之前，broker { $broker } 向 leader { $leader } 查询自己最新的纪元 { $epoch } 在哪里结束。
EpochLookupSent-no_epoch = 拉取之前，broker { $broker } 向 leader { $leader } 查询自己最新的纪元在哪里结束。它还没有纪元，因此发送 −1。
EpochLookupAnswered = Broker { $follower } 查询纪元 { $epoch } 在哪里结束。Leader { $broker } 响应：纪元 { $answer_epoch } 结束于位移 { $end_offset }。
EpochLookupAnswered-offset_only = Broker { $follower } 查询纪元 { $epoch } 在哪里结束。Leader { $broker } 响应位移 { $end_offset }：下一个更大的纪元从那里开始，或日志在那里结束。
EpochLookupAnswered-undefined = Leader { $broker } 不知道纪元 { $epoch } 在哪里结束。Broker { $follower } 退回到自己的高水位。
EpochLookupAnswered-no_epoch = Broker { $follower } 没有纪元，发送了 −1，leader { $broker } 无法回答。Broker { $follower } 退回到自己的高水位。
EpochLookupAnswered-no_epoch_either = Broker { $follower } 没有纪元，发送了 −1。Leader { $broker } 也没有纪元，−1 也就是它最新的纪元：它以日志末端 { $end_offset } 响应。
ListOffsetsSent = Broker { $broker } 查询 leader { $leader } 的{ $which }位移。
ListOffsetsAnswered = Leader { $broker } 响应 broker { $follower }：它的{ $which }位移是 { $offset }。

LogTruncated = Broker { $broker } 将日志从 { $before } 截断到 { $to }，删除 { $values }。
LogTruncated-high_watermark = Broker { $broker } 成为 follower，将日志截断到自己的高水位 { $to }，删除 { $values }。它没有检查 leader 是否有这些消息。
    .formula = 截断到自己的高水位 = { $to }
LogTruncated-kip_101 = 在 leader 上，broker { $broker } 的最新纪元结束于 { $leader_end_offset }。Broker { $broker } 将日志截断到 { $to }，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-no_epoch_either = Broker { $broker } 和它的 leader 都没有纪元，因此 broker { $broker } 采用 leader 的日志末端 { $leader_end_offset }。它将日志截断到 { $to }，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279 = 按纪元判断，两份日志在位移 { $to } 以下相同。Broker { $broker } 在那里截断日志，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-kip_279_again = Broker { $broker } 没有纪元 { $leader_epoch_answered }。它将日志截断到自己不大于该纪元的部分的终点 { $to }，删除 { $values }，然后查询纪元 { $next_epoch }。
    .formula = 截断到自己 ≤ { $leader_epoch_answered } 的纪元的终点 = { $to }
LogTruncated-kip_279_alone = Broker { $broker } 既没有纪元 { $leader_epoch_answered }，也没有更早的纪元，因此只采用 leader 的位移 { $leader_end_offset }。它将日志截断到 { $to }，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-undefined = Leader 不知道 broker { $broker } 的最新纪元在哪里结束，因此 broker { $broker } 将日志截断到自己的高水位 { $to }，删除 { $values }。
    .formula = 终点未定义：截断到自己的高水位 = { $to }
LogTruncated-no_answer = Broker { $broker } 没有纪元，leader 也无法回答该查询，因此 broker { $broker } 将日志截断到自己的高水位 { $to }，删除 { $values }。
    .formula = 终点未定义：截断到自己的高水位 = { $to }
LogTruncated-on_fetch = 响应指明了分叉点：按纪元判断，两份日志在位移 { $to } 以下相同。Broker { $broker } 在那里截断日志，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-on_fetch_again = Broker { $broker } 没有纪元 { $diverging_epoch }。它将日志截断到自己不大于该纪元的部分的终点 { $to }，删除 { $values }，然后从那里拉取。
    .formula = 截断到自己 ≤ { $diverging_epoch } 的纪元的终点 = { $to }
LogTruncated-on_fetch_alone = Broker { $broker } 既没有纪元 { $diverging_epoch }，也没有更早的纪元，因此只采用 leader 的位移 { $leader_end_offset }。它将日志截断到 { $to }，删除 { $values }。
    .formula = 截断到 min({ $leader_end_offset }, { $own_end_offset }) = { $to }
LogTruncated-out_of_range = Broker { $broker } 的日志比 leader 的长。它将日志截断到 leader 的日志末端 { $to }，删除 { $values }。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $before }
LogTruncated-no_epochs = Broker { $broker } 没有可供查询的纪元，因此将日志截断到自己的高水位 { $to }，删除 { $values }。
    .formula = 截断到自己的高水位 = { $to }
LogTruncated-full = Leader 的日志从 { $log_start_offset } 开始，超过 broker { $broker } 的日志末端 { $before }。Broker { $broker } 删除整个日志 { $values }，从那里重新开始。
    .formula = leader 的日志起点 { $log_start_offset } > { $before }
TruncationNotNeeded = Broker { $broker } 无需截断：日志结束于 { $log_end_offset }。
TruncationNotNeeded-high_watermark = Broker { $broker } 成为 follower。它的高水位 { $to } 就是日志末端，无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-kip_101 = 在 leader 上，broker { $broker } 的最新纪元结束于 { $leader_end_offset }。Broker { $broker } 的日志没有超过那里，因此全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-no_epoch_either = Broker { $broker } 和它的 leader 都没有纪元，因此 broker { $broker } 采用 leader 的日志末端 { $leader_end_offset }。它自己的日志不比 leader 的长，因此全部保留。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279 = 按纪元判断，两份日志一直相同到 broker { $broker } 的末端 { $log_end_offset }。它保留全部消息。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-kip_279_again = Broker { $broker } 没有纪元 { $leader_epoch_answered }。暂时无需截断，接下来它查询纪元 { $next_epoch }。
    .formula = 自己 ≤ { $leader_epoch_answered } 的纪元的终点 = { $to }
TruncationNotNeeded-kip_279_alone = Broker { $broker } 既没有纪元 { $leader_epoch_answered }，也没有更早的纪元，因此只采用 leader 的位移 { $leader_end_offset }。它的日志末端 { $log_end_offset } 没有超过那里，因此全部保留，无论 leader 是否拥有这些消息。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-undefined = Leader 不知道 broker { $broker } 的最新纪元在哪里结束。Broker { $broker } 退回到自己的高水位 { $to }，即日志末端：无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-no_answer = Broker { $broker } 没有纪元，leader 也无法回答该查询。它的高水位 { $to } 就是日志末端：无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }
TruncationNotNeeded-on_fetch = 纪元不同，但两份日志一直相同到 broker { $broker } 的日志末端 { $log_end_offset }。它保留全部消息并再次拉取。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-on_fetch_again = Broker { $broker } 没有纪元 { $diverging_epoch }。暂时无需截断，它从 { $log_end_offset } 再次拉取。
    .formula = 自己 ≤ { $diverging_epoch } 的纪元的终点 = { $to }
TruncationNotNeeded-on_fetch_alone = Broker { $broker } 既没有纪元 { $diverging_epoch }，也没有更早的纪元，因此只采用 leader 的位移 { $leader_end_offset }。它的日志末端 { $log_end_offset } 没有超过那里，因此全部保留，无论 leader 是否拥有这些消息。
    .formula = min({ $leader_end_offset }, { $own_end_offset }) = { $to }
TruncationNotNeeded-out_of_range = Broker { $broker } 的日志不比 leader 的长（末端 { $leader_log_end_offset }）：无需截断。
    .formula = leader 的日志末端 { $leader_log_end_offset } ≥ { $log_end_offset }
TruncationNotNeeded-no_epochs = Broker { $broker } 没有可供查询的纪元。它的高水位 { $to } 就是日志末端，无需截断。
    .formula = 高水位 { $to } = 日志末端 { $log_end_offset }

EpochAssigned = Broker { $broker } 在纪元向量中记录：纪元 { $epoch } 从位移 { $start_offset } 开始。
EpochAssigned-leader = 作为新 leader，broker { $broker } 立即记录纪元 { $epoch } 从位移 { $start_offset } 开始，此时该纪元中还没有消息。
EpochAssigned-goes_on = Broker { $broker } 立即记录纪元 { $epoch } 从位移 { $start_offset } 开始，此时该纪元中还没有消息。
EpochAssigned-append = Broker { $broker } 写入位移 { $start_offset } 处的消息时，记录纪元 { $epoch } 从该位移开始。
EpochAssigned-not_appended = Broker { $broker } 先记录纪元 { $epoch } 从位移 { $start_offset } 开始，然后才发现不应写入这一批。
EpochsDropped = Broker { $broker } 从纪元向量中移除 { $epochs }。

HighWatermarkAdvanced = Leader { $broker } 将高水位从 { $before } 推进到 { $after }：据它所知，它等待的每个副本都已拥有 { $after } 以下的全部消息。
    .formula = 高水位 = min({ $log_end_offsets }) = { $after }
HighWatermarkHeld = 高水位停在 { $high_watermark }：ISR { "{" }{ $isr }{ "}" } 小于 min.insync.replicas（{ $min_insync_replicas }），因此不提交新消息。
    .formula = ISR { "{" }{ $isr }{ "}" } 的大小 < { $min_insync_replicas }
HighWatermarkHeld-outsider = 高水位停在 { $high_watermark }，尽管 ISR { "{" }{ $isr }{ "}" } 拥有 { $without } 以下的全部消息。它还要等待 ISR 之外、但不久前赶上过 leader 的 broker { $outsiders }，使其能重新加入。
    .formula = 在 ISR 之外，且在 { $lag_ms } ms 内赶上过
BecameLeader = Broker { $broker } 以现有日志成为 { $partition } 在纪元 { $leader_epoch } 的 leader：日志末端为 { $log_end_offset }，高水位为 { $high_watermark }。
BecameLeader-goes_on = Broker { $broker } 仍是 { $partition } 的 leader，现在处于纪元 { $leader_epoch }：日志末端为 { $log_end_offset }，高水位为 { $high_watermark }。
BecameFollower = Broker { $broker } 在纪元 { $leader_epoch } 成为 { $partition } 的 follower，跟随 broker { $leader }。
LeaderStateReset = Broker { $broker } 仍是 { $partition } 在纪元 { $leader_epoch } 的 leader，但将纪元起点重置为自己的日志末端 { $leader_epoch_start_offset }：分区的每次变更都会重置 leader 的状态。
PartitionChangeTaken = Leader { $broker } 读到 { $partition } 的分区纪元 { $partition_epoch }。它仍是纪元 { $leader_epoch } 的 leader；ISR 仍为 { "{" }{ $isr }{ "}" }。
PartitionChangeTaken-isr = Leader { $broker } 读到 { $partition } 的 ISR 现在是 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它仍是纪元 { $leader_epoch } 的 leader。
PartitionChangeTaken-proposal = Leader { $broker } 在元数据日志中读到自己的 ISR 变更已写入：{ $partition } 的 ISR 为 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它仍是纪元 { $leader_epoch } 的 leader。
PartitionChangeTaken-pending_dropped = Leader { $broker } 读到 { $partition } 的分区纪元 { $partition_epoch }，ISR 为 { "{" }{ $isr }{ "}" }，于是放弃待定的 ISR { "{" }{ $pending }{ "}" }：以 controller 的状态为准。它仍是纪元 { $leader_epoch } 的 leader。
PartitionChangeTaken-replicas = Leader { $broker } 读到 { $partition } 的副本现在是 { $replicas }，ISR 为 { "{" }{ $isr }{ "}" }，分区纪元为 { $partition_epoch }。它仍是纪元 { $leader_epoch } 的 leader。
PartitionChangeTaken-follower = Broker { $broker } 读到 { $partition } 的分区纪元 { $partition_epoch }，继续在纪元 { $leader_epoch } 跟随 broker { $leader }。
PartitionChangeTaken-follower_epoch = Broker { $broker } 继续跟随 broker { $leader }，{ $partition } 现在处于纪元 { $leader_epoch }。Leader 没有变，因此拉取线程不重启。
BecameLeaderless = Broker { $broker } 得知 { $partition } 在纪元 { $leader_epoch } 没有 leader，于是等待。
CommandIgnored = Broker { $broker } 忽略 LeaderAndIsr（纪元 { $leader_epoch }）：它已处于纪元 { $local_leader_epoch }。
    .formula = 纪元 { $leader_epoch } ≤ { $local_leader_epoch }
CommandIgnored-no_leader = Broker { $broker } 收到命令：{ $partition } 在纪元 { $leader_epoch } 没有 leader。它没有可跟随的 leader，因此{ $local_leader_epoch ->
    [-1] 仍没有纪元。
   *[other] 停留在纪元 { $local_leader_epoch }。
}
StatesPassedOver = Broker { $broker } 在一次投递中读到 { $partition } 的 { $states } 个变更，只应用最终状态：leader { $leader }，纪元 { $leader_epoch }，ISR { "{" }{ $isr }{ "}" }。之前的状态不起作用。
DepositionMissed = Broker { $broker } 在一次投递中读到 { $partition } 在纪元 { $epochs } 的变更，只应用最后一个：它从纪元 { $leader_epoch_before } 的 leader 直接成为纪元 { $leader_epoch } 的 leader，没有察觉其间的 leader 是 broker { $leaders }。它继续使用已知的 follower 日志末端位移（{ $remembered }）。仍在等待的 produce 请求：{ $waiting }。
DepositionMissed-command_skipped = 在 { $partition } 于纪元 { $epochs } 的变更中，broker { $broker } 只收到最后一个：它从纪元 { $leader_epoch_before } 的 leader 直接成为纪元 { $leader_epoch } 的 leader，没有察觉其间的 leader 是 broker { $leaders }。它继续使用已知的 follower 日志末端位移（{ $remembered }）。仍在等待的 produce 请求：{ $waiting }。
DepositionMissed-ends_forgotten = 在 { $partition } 于纪元 { $epochs } 的变更中，broker { $broker } 只收到最后一个：它从纪元 { $leader_epoch_before } 的 leader 直接成为纪元 { $leader_epoch } 的 leader，没有察觉其间的 leader 是 broker { $leaders }。与收到每个 LeaderAndIsr 时一样，它忘记各 follower 的日志末端位移。仍在等待的 produce 请求：{ $waiting }。
CommandSkipped = 发给 broker { $broker } 的 { $partition } 的 LeaderAndIsr（leader { $leader }，纪元 { $leader_epoch }）不会到达：它被下一个取代。
MetadataApplied = Broker { $broker } 把元数据日志读到位移 { $offset }。它的副本没有变化。
MetadataUnread = Broker { $broker } 正在关闭，已停止读取元数据日志：直到停止前，它一直是其分区的 leader。
RoleIgnored = Broker { $broker } 正在关闭，忽略纪元 { $leader_epoch } 中的新角色：直到停止前，它保持原来的角色。
MetadataRecordsWritten = Controller 的元数据日志的最后一条记录现在位于位移 { $offset }；写入的记录数：{ $count }。
IsrExpandProposed = Leader { $broker } 请求 controller 将 broker { $replica } 加入 ISR。收到响应之前，高水位等待 { "{" }{ $maximal_isr }{ "}" }。
IsrShrinkProposed = Leader { $broker } 请求 controller 将不同步的 { "{" }{ $replicas }{ "}" } 移出 ISR。收到响应之前，高水位仍等待 { "{" }{ $maximal_isr }{ "}" }。
IsrShrinkProposed-counts_already = Leader { $broker } 请求 controller 将不同步的 { "{" }{ $replicas }{ "}" } 移出 ISR。在这个假设中，controller 尚未同意，高水位从现在起就只等待 { "{" }{ $maximal_isr }{ "}" }。
IsrExpanded = Broker { $replica } 已赶上，加入 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
FollowerOutOfSync = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中不同步：它上次赶上是在 { $elapsed_ms } ms 前。
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-never = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中不同步：它从未赶上过这个 leader。
FollowerOutOfSync-stuck = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中停滞：它上次拉取是在 { $elapsed_ms } ms 前。
    .formula = { $elapsed_ms } ms > replica.lag.time.max.ms { $lag_ms }
FollowerOutOfSync-slow = Leader { $broker } 发现 broker { $replica } 在 { $partition } 中过慢：它的日志末端为 { $log_end_offset }，比 leader 的 { $leader_log_end_offset } 落后 { $behind } 条消息。与它上次拉取的时间无关。
    .formula = { $behind } > replica.lag.max.messages { $lag_messages }
IsrShrunk = Broker { $replicas } 离开 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
IsrShrunk-leader = Broker { $replicas } 不同步，离开 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
IsrShrunk-controller = Controller 把 { "{" }{ $replicas }{ "}" } 移出 { $partition } 的 ISR，现在是 { "{" }{ $isr }{ "}" }。
IsrCommitted = Leader { $broker } 得知其 ISR 变更已写入：ISR 为 { "{" }{ $isr }{ "}" }。
IsrJoinRefused = Broker { $replica } 已到达高水位 { $high_watermark }，但还不能加入 ISR：leader { $broker } 的纪元从 { $leader_epoch_start_offset } 开始，而它只到 { $log_end_offset }。
    .formula = 高水位 { $high_watermark } ≤ { $log_end_offset } < leader 纪元的起点 { $leader_epoch_start_offset }
IsrChangeRepeated = { $partition } 的 ISR 已经是 leader { $broker } 所请求的 { "{" }{ $isr }{ "}" }，不再写入。
IsrChangeRejected = Leader { $broker } 对 { $partition } 的 ISR 变更被拒绝：{ $error }。ISR 保持不变。
IsrChangeRejected-heard = Leader { $broker } 得知它对 { $partition } 的 ISR 变更被拒绝：{ $error }。
IsrChangeRejected-sent_again = Leader { $broker } 的 { $partition } ISR 变更收到 { $error }，于是重新发送；该变更仍为待定。
IsrChangeBlocked = Leader { $broker } 无法连接 ZooKeeper 来变更 { $partition } 的 ISR，因此 ISR 保持不变。写入成功之前，leader 不接收消息。
IsrChangeBlocked-controller = Leader { $broker } 对 { $partition } 的 ISR 变更无法到达 controller，因此 ISR 保持不变。

SessionExpired = Broker { $broker } 的 ZooKeeper 会话到期：controller 不再认为它存活。
BrokerFenced = Controller 未能按时收到 broker { $broker } 已注册进程的心跳，将其隔离：它不能成为任何分区的 leader，也不能加入任何 ISR。
BrokerFenced-shutdown = Broker { $broker } 不是任何分区的 leader：controller 将其隔离并允许它停止。
BrokerRegistered = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。在读完元数据日志之前它仍被隔离。
BrokerRegistered-clean_shutdown = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。它的正常关闭标记中为 { $previous_broker_epoch }，与 controller 记录的一致：它是正常关闭的，没有丢失消息，仍留在各个 ELR 中。
BrokerRegistered-unclean_shutdown = Broker { $broker } 注册，得到 broker 纪元 { $broker_epoch }。它报告上次正常关闭的 broker 纪元为 { $previous_broker_epoch }，而 controller 记录的是 { $registered_broker_epoch }：它不是正常关闭的，日志可能变短，因此被移出所有 ISR 和 ELR。
EligibleLeaderReplicasChanged = { $partition } 的 ELR 现在是 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-joined = Broker { $replicas } 离开了 { $partition } 的 ISR，而 ISR 已低于 min.insync.replicas。此后不再提交消息，因此仍有资格当选：ELR 现在是 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-cleared = { $partition } 的 ISR 为 { "{" }{ $isr }{ "}" }，达到 min.insync.replicas，因此 controller 清空 ELR（此前是 { "{" }{ $replicas }{ "}" }）。
EligibleLeaderReplicasChanged-unclean_shutdown = Broker { $replicas } 可能丢失了 { $partition } 的消息，不再有资格当选：ELR 为 { "{" }{ $elr }{ "}" }。
EligibleLeaderReplicasChanged-config = min.insync.replicas 已变更，无法判断哪些副本拥有 { $partition } 全部已提交的消息：broker { $replicas } 被移出 ELR，ELR 现在为空。
BrokerUnfenced = Broker { $broker } 已读完元数据日志，解除隔离。它不会仅因此重新加入 ISR。
BrokerUnfenced-again = Controller 再次收到 broker { $broker } 的心跳，解除对它的隔离。它不会仅因此重新加入 ISR。
BrokerJoined = Controller 在 ZooKeeper 中重新看到 broker { $broker }，向它发送它作为 leader 和 follower 的分区。
LeaderElected = Broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }在纪元 { $leader_epoch } 当选 { $partition } 的 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-clean = Broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }作为 ISR 成员在纪元 { $leader_epoch } 当选 { $partition } 的 leader。ISR 现在是 { "{" }{ $isr }{ "}" }。
LeaderElected-preferred = { $partition } 的首选 leader，broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { "" }
    }，在纪元 { $leader_epoch } 成为 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-unclean = Broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }不在 ISR 中，却在纪元 { $leader_epoch } 当选 { $partition } 的 leader。它没有的消息有风险。
LeaderElected-shutdown = Broker { $previous_leader } 正在关闭，因此 broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }在纪元 { $leader_epoch } 成为 { $partition } 的 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-returned = ISR 成员 broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }已返回，在纪元 { $leader_epoch } 成为 { $partition } 的 leader；ISR 为 { "{" }{ $isr }{ "}" }。
LeaderElected-elr = { $partition } 的合格 leader 副本 broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }在纪元 { $leader_epoch } 当选。这是 clean 选举：controller 认为它拥有全部已提交的消息。ISR 为 { "{" }{ $isr }{ "}" }，ELR 为 { "{" }{ $elr }{ "}" }。
LeaderElected-last_known_leader = { $partition } 的 ISR 和 ELR 均为空，因此最后已知的 leader，broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { "" }
    }，在纪元 { $leader_epoch } 当选{ $leader_is ->
        [fenced] ，尽管 controller 已将它隔离：4.0 不检查这一点
       *[up] { "" }
    }。这是 unclean 选举：它没有的消息有风险。
LeaderLost-elr = { $partition } 没有 leader：broker { $previous_leader } 是 ISR 的最后一个成员，ISR 现在为空。Controller 仍可选举 ELR { "{" }{ $elr }{ "}" }，即在无法再提交消息时离开的副本。纪元为 { $leader_epoch }。
LeaderLost-last_known = { $partition } 没有 leader：broker { $previous_leader } 是 ISR 的最后一个成员。ISR 和 ELR 现在均为空。Controller 等待最后已知的 leader。纪元为 { $leader_epoch }。
LeaderLost = { $partition } 没有 leader：broker { $previous_leader } 不能再担任 leader，也没有其他存活的合格副本。ISR 为 { "{" }{ $isr }{ "}" }，纪元为 { $leader_epoch }。
UncleanSettingNotRead = { $partition } 没有 leader：存活的副本 broker { $live } 不在 ISR 中。unclean.leader.election.enable 已开启，但这个 controller 不读取它。分区等待 ISR { "{" }{ $isr }{ "}" } 的成员返回，或管理员请求 unclean 选举。
UncleanSettingNotRead-no_request = { $partition } 没有 leader：存活的副本 broker { $live } 不在 ISR 中。unclean.leader.election.enable 已开启，但这个 controller 不读取它，也尚不支持管理员的选举请求。分区等待 ISR { "{" }{ $isr }{ "}" } 的成员返回。
ElectionNotPossible = { $partition } 选不出 leader：ISR 为 { "{" }{ $isr }{ "}" }，存活的 broker：{ $live }。
ElectionNotPossible-shutdown = Broker { $leader } 正在关闭，但没有 broker 能接管 { $partition }：ISR { "{" }{ $isr }{ "}" } 中没有其他存活的成员。
LeaderRecovered = { $partition } 的 leader 恢复状态现在是 RECOVERED；leader { $leader } 由 unclean 选举产生。
MetadataCacheUpdated = Broker { $broker } 更新元数据缓存：{ $partitions }；存活的 broker：{ $live }。
MetadataCacheUpdated-brokers = Broker { $broker } 更新元数据缓存；存活的 broker：{ $live }。
IsrChangesKept = 在 { $checked_ms } ms 时，broker { $broker } 暂不将 { $partitions } 的 ISR 通知 controller：ISR 在 { $since_change_ms } ms 前变更，上一次通知在 { $since_propagation_ms } ms 前。
    .formula = { $since_change_ms } ≤ 5000 且 { $since_propagation_ms } ≤ 60000
IsrChangesKept-none = Broker { $broker } 没有尚未通知 controller 的 ISR 变更。
IsrChangesTold = Broker { $broker } 在 ZooKeeper 中写入通知：它变更了 { $partitions } 的 ISR，此后 { $since_change_ms } ms 内没有变更。
    .formula = { $since_change_ms } > 5000
IsrChangesTold-overdue = Broker { $broker } 在 ZooKeeper 中写入通知：它变更了 { $partitions } 的 ISR。变更仍在继续，但上一次通知在 { $since_propagation_ms } ms 前。
    .formula = { $since_propagation_ms } > 60000
IsrChangesTaken = Controller 读取 broker { $broker } 写入的 { $partitions } 的 ISR，更新每个存活 broker 的元数据缓存，并删除通知。纪元不变。
ControllerElected = Controller 失效，另一个 controller 以 controller 纪元 { $controller_epoch } 接任。它从 ZooKeeper 读取每个分区，向它认为存活的 broker 重新发送状态：{ $live }。这本身不改变 leader 纪元。
    .formula = Controller 纪元 { $before } + 1 = { $controller_epoch }
CommandFenced = Broker { $broker } 拒绝 controller 的命令：该命令已过时。
CommandFenced-STALE_CONTROLLER_EPOCH = Broker { $broker } 拒绝 controller 纪元 { $controller_epoch } 的命令（STALE_CONTROLLER_EPOCH）：它已知 controller 纪元 { $known_controller_epoch }，发送方已不再是 controller。
    .formula = { $controller_epoch } < { $known_controller_epoch }
CommandFenced-STALE_BROKER_EPOCH = Broker { $broker } 拒绝发给其先前启动的命令（STALE_BROKER_EPOCH）：命令的 broker 纪元为 { $broker_epoch }，而本进程为 { $own_broker_epoch }。
    .formula = { $broker_epoch } < { $own_broker_epoch }
ReassignmentStarted = { $partition } 从 broker { $before } 重新分配到 { $target }：加入 { $adding }，移除 { $removing }。新副本进入 ISR 之前，这些 broker 都是副本。
ReassignmentStarted-adding = { $partition } 的副本从 broker { $before } 增加为 { $target }：加入 { $adding }。它们进入 ISR 后，重新分配即完成。
ReassignmentStarted-removing = { $partition } 的副本从 broker { $before } 减少为 { $target }：移除 { $removing }。
ReassignmentStarted-reordering = { $partition } 的副本顺序由 { $before } 改为 { $target }。新顺序立即生效，但要等这些副本全部进入 ISR，重新分配才算完成。在此之前，controller 不接受对 { $partition } 的其他重新分配；其中任一副本恢复时，都会写入新的 leader 纪元。
ReassignmentStarted-replaced = { $partition } 进行中的重新分配被替换：副本由 { $before } 改为 { $target }。{ $adding ->
        [nothing] { "" }
       *[other] 加入 { $adding }。
    }{ $removing ->
        [nothing] { "" }
       *[other] 移除 { $removing }。
    }{ $stopped ->
        [nothing] { "" }
       *[other] Broker { $stopped } 不再是副本。
    }
ReassignmentStarted-kept = 管理员把 { $partition } 重新分配到 broker { $asked }，但 controller 保留了进行中的重新分配的一部分：它与当前副本 { $before } 比较，为空的差异不会生效。新增 { $adding }，移除 { $removing }。因此这次重新分配的结果将是 broker { $target }。
ReassignmentStarted-never_completes = 管理员把 { $partition } 重新分配到 broker { $asked }，但 controller 保留了进行中的重新分配的一部分：它与当前副本 { $before } 比较，为空的差异不会生效。新增 { $adding }，移除 { $removing }。同时在两个列表中的 broker 永远无法满足条件，因此重新分配永远不会完成。取消可以结束它。
ReassignmentCancelled = { $partition } 的重新分配被取消。副本由 { $before } 变为 { $replicas }，ISR 是 { "{" }{ $isr }{ "}" }。controller 已不知道重新分配之前的副本顺序。
ReassignmentCancelled-unclean = { $partition } 的重新分配被取消。副本由 { $before } 变为 { $replicas }。此前 ISR 中只有新增的副本，所以 ISR 现在是 { "{" }{ $isr }{ "}" }：剩余副本中的第一个，不论它是否存活，也可能缺少已提交的消息。
ReassignmentRepeated = { $partition } 被重新分配到 { $asked }，但它已经是这些副本，或正在重新分配到它们。controller 返回成功，不写入任何内容。
ReassignmentRepeated-epoch = { $partition } 被重新分配到 { $asked }，但它已经是这些副本，或正在重新分配到它们。controller 不改变任何副本，但仍向每个副本发送 leader 纪元 { $leader_epoch }。
ReassignmentRepeated-kept = { $partition } 被重新分配到 { $asked }，也就是进行中的重新分配期间的全部副本。controller 没有发现差异，返回成功，不写入任何内容。进行中的重新分配继续，目标仍是 { $target }。
ReassignmentDropped = 新的 controller 不再继续 { $partition } 的重新分配：目标 { $target } 已经是副本列表，因此 controller 认为它已完成。
ReassignmentDropped-dead = 新的 controller 不再继续 { $partition } 的重新分配：目标 broker { $target } 没有全部存活。分区保留全部副本：{ $replicas }。
ReassignmentCompleted = { $partition } 的重新分配完成：副本是 { $replicas }，ISR 是 { "{" }{ $isr }{ "}" }。{ $leader ->
        [-1] 分区在纪元 { $leader_epoch } 没有 leader。
       *[other] Broker { $leader } 是纪元 { $leader_epoch } 的 leader。
    }
ControllerFailed = Controller 因异常而失败，不写入任何内容：它考虑让 broker { $replica } 担任 { $partition } 的 leader，而 broker { $replica } 不在副本 { $replicas } 之中。
ControllerFailed-registration = Controller 在注册 broker { $broker } 时失败：它考虑让 broker { $replica } 担任 { $partition } 的下一个 leader，而 broker { $replica } 不在副本 { $replicas } 之中（IllegalArgumentException）。它不写入任何内容并退出 controller 职位。broker { $broker } 每次重试，下一个 controller 都以同样的方式失败，因此 broker { $broker } 一直无法注册。
ControllerFailed-unfencing = Controller 在解除 broker { $broker } 的隔离时失败：它考虑让 broker { $replica } 担任 { $partition } 的下一个 leader，而 broker { $replica } 不在副本 { $replicas } 之中（IllegalArgumentException）。它不写入任何内容并退出 controller 职位。下一个 controller 以同样的方式失败，因此 broker { $broker } 一直被隔离。
ControllerFailed-election = Controller 在为 { $partition } 选举 leader 时失败：它考虑了 broker { $replica }，而它不在副本 { $replicas } 之中（IllegalArgumentException）。它不写入任何内容并退出 controller 职位。
ReplicaCreated = Broker { $broker } 为 { $partition } 创建空日志：它现在是副本，需要拉取全部消息。
ReplicaDeleted = Broker { $broker } 删除 { $partition } 的副本（日志末端 { $log_end_offset }）：它得知不再分配给自己。
StopReplicaIgnored = Broker { $broker } 忽略对 { $partition } 的 StopReplica：它没有这个副本。
StopReplicaIgnored-same_epoch = Broker { $broker } 忽略对 { $partition } 的 StopReplica：它的 leader 纪元 { $leader_epoch } 不比该 broker 的新。该 broker 继续拉取。
FetchingStopped = Broker { $broker } 正在关闭：它不再拉取 { $partition }。
DeletionDelayed = Broker { $broker } 停止拉取 { $partition }，但还不能删除副本：它要先等待最后一次拉取的响应。
LeaderElected-reassigned = Broker { $leader }{ $leader_is ->
        [down] （实际上已停机，controller 仍以为它存活）
        [paused] （实际上已暂停，controller 仍以为它存活）
        [cut_off] （实际上与 controller 失联，controller 仍以为它存活）
       *[up] { " " }
    }在纪元 { $leader_epoch } 成为 { $partition } 的 leader：broker { $previous_leader } 不再是副本，而 { $leader } 是第一个存活且在 ISR 中的目标副本。
ReplicasReordered = { $partition } 的副本现在是 { $replicas }；第一个是首选 leader。
ProtocolLevelChanged = 集群的 { $name } 从 { $before } 变为 { $level }。
ProtocolLevelChanged-raised = 集群的 { $name } 从 { $before } 升到 { $level }。现在生效：{ $opened }。
ProtocolLevelChanged-raised_only = 集群的 { $name } 从 { $before } 升到 { $level }。这里模拟的规则都不受其间各级别影响。
ProtocolLevelChanged-lowered_only = 集群的 { $name } 从 { $before } 降到 { $level }。这里模拟的规则都不受其间各级别影响。
ProtocolLevelChanged-lowered = 集群的 { $name } 从 { $before } 降到 { $level }。不再生效：{ $closed }。

ConfigChanged = { $name } 现在是 { $value }。
ConfigChanged-topic = topic { $topic } 的 { $name } 现在是 { $value }。
ConfigChanged-broker = 仅 broker { $broker } 的 { $name } 现在是 { $value }。

BrokerCrashed = Broker { $broker } 的进程被终止。它写入的数据仍在页缓存中，controller 尚未检测到。
BrokerCrashed-away = Broker { $broker } 的进程被终止。它写入的数据仍在页缓存中。对 controller 来说，该 broker 此前就已不可用。
PowerLost = Broker { $broker } 断电：进程结束，未落盘的数据全部丢失。
UnflushedRecordsLost = Broker { $broker } 断电时，{ $partition } 的日志结束于 { $before }，但只刷盘到 { $kept }：{ $values } 没有写到磁盘上。
DiskLost = Broker { $broker } 的磁盘丢失，日志、纪元和检查点一并丢失。重启后它的日志为空。
ShutdownStarted = Broker { $broker } 开始受控关闭（controlled shutdown）。
RegistrationRefused = Broker { $broker } 无法注册：它的旧会话在 ZooKeeper 中仍然存在。它退出。

BrokerStopped = Broker { $broker } 已刷盘，写入检查点和正常关闭标记，然后停止。
BrokerPaused = Broker { $broker } 暂停，如同一次长时间的垃圾回收：它保留状态，但不响应请求。
BrokerResumed = Broker { $broker } 从暂停处恢复运行。
BrokerBooted = Broker { $broker } 启动并打开日志。它还不知道自己是哪些分区的 leader 或 follower。
LogLoaded = Broker { $broker } 打开 { $partition } 的日志：末端为 { $log_end_offset }，高水位 { $high_watermark } 取自检查点。
LogLoaded-clean = Broker { $broker } 上次是正常关闭：{ $partition } 的日志末端为 { $log_end_offset }，高水位仍为 { $high_watermark }。
LogLoaded-recovered = Broker { $broker } 从恢复点 { $recovery_point } 起恢复 { $partition } 的日志：末端为 { $log_end_offset }。高水位 { $high_watermark } 取自最近一次检查点；日志不会截断到高水位。
LogLoaded-recovered_outside_log = Broker { $broker } 从恢复点 { $recovery_point } 起恢复 { $partition } 的日志：末端为 { $log_end_offset }。最近一次检查点的高水位 { $checkpoint_high_watermark } 在日志范围之外，因此 broker 从 { $high_watermark } 开始。
BrokerExited = Broker { $broker } 退出：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }；unclean 选举关闭时，它不截断 leader 没有的消息。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }
BrokerHalted = Broker { $broker } 的进程立即终止：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }；unclean 选举关闭时，它不截断 leader 没有的消息。终止前不写入任何文件。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }
BrokerHung = Broker { $broker } 开始关闭时卡住：它的 { $partition } 日志结束于 { $log_end_offset }，leader 的结束于 { $leader_log_end_offset }，且 unclean 选举关闭。它的会话仍然存活，但不再跟随任何 leader。
    .formula = leader 的日志末端 { $leader_log_end_offset } < { $log_end_offset }

HighWatermarkCheckpointed = Broker { $broker } 把高水位写入检查点文件：{ $high_watermarks }。重启之后从这些值开始。
RecoveryPointCheckpointed = Broker { $broker } 把恢复点写入检查点文件：{ $recovery_points }。恢复点以下的消息都已落盘。
LogFlushed = Broker { $broker } 把 { $partition } 的日志刷盘：{ $flushed } 以下的消息都已落盘。
IsrChecked = Leader { $broker } 检查 { $partition } 的 ISR：没有成员落后。
IsrChecked-behind = { $checked_ms } ms 时，leader { $broker } 检查 { $partition } 的 ISR：broker { $replica } 上次赶上是在 { $elapsed_ms } ms 前，因此仍留在 ISR 中。
    .formula = { $elapsed_ms } ms ≤ replica.lag.time.max.ms { $lag_ms }
IsrChecked-behind_fetching = { $checked_ms } ms 时，leader { $broker } 检查 { $partition } 的 ISR：broker { $replica } 上次拉取或赶上是在 { $elapsed_ms } ms 前，因此仍留在 ISR 中。
    .formula = { $elapsed_ms } ms ≤ replica.lag.time.max.ms { $lag_ms }
IsrChecked-pending = Leader { $broker } 没有检查 { $partition } 的 ISR：它提出的变更（改为 { "{" }{ $proposed }{ "}" }）尚未完成。
IsrChecked-pending_behind = { $checked_ms } ms 时，leader { $broker } 没有检查 { $partition } 的 ISR，因为它提出的变更（改为 { "{" }{ $proposed }{ "}" }）尚未完成。Broker { $replica } 上次赶上是在 { $elapsed_ms } ms 前，因此仍留在 ISR 中。
IsrChecked-nothing_led = Broker { $broker } 不是任何分区的 leader，没有 ISR 需要检查。
HeartbeatReceived = Controller 收到 broker { $broker } 的心跳。
HeartbeatReceived-zookeeper = ZooKeeper 收到 broker { $broker } 的心跳，它的会话继续有效。
PreferredLeadersChecked = Controller 检查哪些分区可以选举首选 leader。
PreferredLeadersChecked-reassigning = Controller 不选举首选 leader：有分区正在重新分配。
UncleanLeadersChecked = Controller 检查哪些没有 leader 的分区可以选举 ISR 之外的副本。
BackoffEnded = Broker { $broker } 的退避结束，可以再次拉取 { $partition }。
TimeAdvanced = 时间前进 { $ms } ms。

MessageDropped = 从 { $from } 到 { $to } 的“{ $message }”随连接一起丢失。等待响应的发送方会看到连接断开。
MessageDropped-fetch_request = Broker { $from } 的拉取请求在到达 broker { $to } 之前丢失。Broker { $from } 会重试。
MessageDropped-unawaited = 从 { $from } 发往 { $to } 的 { $message } 丢失。这没有影响，因为 follower 已不再等待响应。
MessageDropped-fetch_response = Leader { $from } 已记录 broker { $to } 的拉取，但响应丢失：broker { $to } 既没有收到其中的消息，也没有收到其中的高水位，会重试。
MessageDropped-fetch_response_empty = Leader { $from } 已记录 broker { $to } 的拉取，但响应丢失：broker { $to } 没有收到其中的高水位，会重试。
MessageDropped-fetch_response_without_effect = Broker { $from } 对 broker { $to } 的拉取的响应丢失。该拉取没有起作用，broker { $to } 会重试。
MessageHeld = 从 { $from } 到 { $to } 的“{ $message }”被扣留，直到放行。
MessageHeld-metadata_record = 发给 broker { $to } 的元数据日志已被扣留：它读不到新记录，但它的心跳和发给 controller 的请求照常通过。
MessageReleased-metadata_record = 元数据日志被放行：broker { $to } 可以继续读取，一次投递或分几次都可以。
MessageReleased = 从 { $from } 到 { $to } 的“{ $message }”被放行，可以投递。
LinkCut = 从 { $from } 到 { $to } 的链路被切断：恢复之前，该方向上的报文都无法通过。
LinkHealed = 从 { $from } 到 { $to } 的链路恢复。
BrokerSlowed = { $ms ->
    [0] broker { $broker } 的报文不再延迟。
   *[other] broker { $broker } 的报文现在多延迟 { $ms } ms。
}

ActionRefused = 目前无法执行此操作：{ $reason }。
Settled = 只有例行报文送达。日志、ISR 和 leader 都没有变化。
RecordedStepUnseen = 录制中的这一步没有改变舞台上显示的任何内容。
DidNotSettle = 经过 { $ms } ms 的虚拟时间，仍有待处理事项。运行不再等待。
PropertyViolated = { $property } 被违反。
PropertyViolated-NoAckedRecordLost = 已确认的消息丢失：{ $partition } 位移 { $offsets } 上的 { $values }。
PropertyViolated-LogMatching = 两份日志在高水位以下不一致：在位移 { $offsets } 处，broker { $replicas } 的消息不同（{ $values }），而协议不会检测到。
PropertyViolated-WeakIsr = Broker { $replicas } 在 leader 的 ISR 中，却缺少 leader 已提交的 { $values }。
PropertyViolated-StrongIsr = Broker { $replicas } 在 controller 的 ISR 中，却缺少此前已提交的 { $values }。clean 选举可能选中它，它缺少的消息会丢失。
PropertyViolated-StrongIsr-leading = Broker { $leader } 是 leader 且在 ISR 中，却缺少此前已提交的 { $values }。只要它是 leader，就以它的日志为准。
PropertyViolated-LeaderInIsr = Leader 不在自己的 ISR 中。
PropertyViolated-OneLeaderPerEpoch = 在同一纪元内，两个 broker 都担任过同一分区的 leader。
PropertyViolated-HighWatermarkWithinLog = 有高水位超出日志范围。
PropertyViolated-MonotonicLeaderHighWatermark = 同一纪元内 leader 的高水位下降了。
PropertyViolated-EpochsIncrease = 日志或纪元向量中的纪元出现下降。
PropertyViolated-LeaderCompleteness = { $partition } 的 leader { $replicas } 缺少此前已提交的 { $values }。
PropertyViolated-LeaderCandidateCompleteness = Broker { $replicas } 此刻可以通过 clean 选举当选，却缺少已提交的 { $values }。
PropertyViolated-LeaderCandidateCompleteness-leading = Broker { $leader } 是 controller 记录的 leader，却缺少此前已提交的 { $values }。它在 ISR 中，因此任何 clean 选举都可能选中它。
PropertyViolated-EligibleLeaderCompleteness = Broker { $replicas } 在 ISR 或 ELR 中，却缺少已提交的 { $values }。
PropertyViolated-ReplicationQuorumSuperset = Controller 的 ISR 中有一个 leader 没有等待的副本。
PropertyViolated-ConsistentRead = Consumer 读到的内容与 { $partition } 的日志不再一致：在位移 { $offsets } 处，它读到的是另一条消息，或者什么也没有读到。
RecordLost = { $value } 的最后一份副本丢失。它未被确认。
RecordLost-sent_again = 追加在位移 { $offset } 处的那条 { $value } 的最后一份副本丢失。它没有得到确认。Producer 不止一次发送 { $value }，另一条消息仍然存在。
RecordLost-acked = { $value } 已丢失：在位移 { $offset } 处以 acks={ $acks } 得到确认的这条消息，现在任何副本上都没有。
PropertyViolated-AckedRecordAtRisk = 已确认的消息有风险：{ $partition } 位移 { $offsets } 上的 { $values }。再次选举仍可能解除风险。
RecordLost-replaced = { $value } 已丢失：它曾以 acks={ $acks } 得到确认，但 { $partition } 的位移 { $offset } 上现在提交的是 { $instead }。
RecordLost-last_copy = { $value } 此前已算作丢失，现在它的最后一份副本也被删除。
RecordsAtRisk = { $values } 有风险：controller 认定的 { $partition } 的 leader 是 broker { $leader }，而它缺少位移 { $offsets } 上已确认的消息。仍有这些消息的 broker：{ $holders }。
RecordsAtRisk-leaderless = { $values } 有风险：{ $partition } 没有 leader，可以通过 clean 选举当选的副本 { "{" }{ $candidates }{ "}" } 都没有位移 { $offsets } 上已确认的消息。仍有这些消息的 broker：{ $holders }。
RecordsAtRisk-no_candidate = { $values } 有风险：{ $partition } 没有 leader，也没有副本可以通过 clean 选举当选。仍有位移 { $offsets } 上的消息的 broker：{ $holders }。
RecordsSafeAgain = { $values } 重新安全：{ $partition } 的 leader broker { $leader } 拥有位移 { $offsets } 上的消息。
RecordsSafeAgain-leaderless = { $values } 重新安全：{ $partition } 没有 leader，但在可以通过 clean 选举当选的副本 { "{" }{ $candidates }{ "}" } 中，位移 { $offsets } 上的每一条都至少有一个副本拥有。
