### 一次运行的故事：每一步概述中的短句。

## 标题：步骤名称前后的文字；名称在 steps.ftl 中，与按钮文字放在一起。

beginning = 开始
repeated = { $title } ×{ $count }
refused = { $title }，被拒绝
seconds = { $amount } 秒
milliseconds = { $amount } 毫秒

## 概述：由短句连成一句。

summary-nothing = 没有需要注意的变化。
summary-1 = { $first }。
summary-2 = { $first }，{ $second }。
summary-3 = { $first }；{ $second }，{ $third }。

named-next = { $named }、{ $broker }
named-last = { $named }、{ $broker }
subject = broker { $named }
subject-again = { "" }
subject-after-owner = { $broker_count ->
    [1] 该 broker
   *[other] 这些 broker
}
owner = broker { $named } 的
owner-again = 其
of-partitions = { $partitions ->
    [nothing] { "" }
   *[other] { " " }{ $partitions } 的
}
to-partitions = { $partitions ->
    [nothing] { "" }
   *[other] { " " }向 { $partitions }
}

Started = Kafka { $kafka } 启动，使用 { $control }
TimeAdvanced = { $time }内没有其他事件
Settled = 没有待处理事项
RecordedStepUnseen = 舞台上显示的内容没有变化
DidNotSettle = { $time }后仍有待处理事项
ActionRefused = 被拒绝：{ $reason }

RecordLost = { $values } 的最后一份副本丢失
RecordLost-sent_again = 其中一条 { $values } 的最后一份副本丢失
RecordLost-acked = 已确认的 { $values } 丢失
    .title = { $values } 丢失
PropertyViolated = 违反 { $property }
PropertyViolated-NoAckedRecordLost = 已确认的 { $values } 丢失
    .title = { $values } 丢失
PropertyViolated-AckedRecordAtRisk = 已确认的 { $values } 有风险
    .title = { $values } 有风险
PropertyViolated-ConsistentRead = consumer 读到的内容已与日志不一致
    .title = 读到的内容变了
PropertyViolated-LogMatching = 两份日志在高水位以下不一致
    .title = 日志不一致

RecordProduced = { $subject }{ $to_partitions } 追加 { $values }
DuplicateRecognised = { $subject } 已有 { $values }，不再追加
ProduceAcknowledged = { $values } 被确认
    .title = { $values } 被确认
ProduceFailed = { $values } 失败：{ $error }
    .title = { $values }：{ $error }
ProduceWaiting = { $values } 在 broker { $broker } 上等待
ProduceUnanswered = { $values } 没有得到响应
    .title = { $values } 无响应
TransactionBegun = producer { $producer } 开始事务
TransactionEnded = producer { $producer } 的事务结束
TransactionEnded-commit = producer { $producer } 的事务已提交
TransactionEnded-abort = producer { $producer } 的事务已中止
TransactionEnded-hanging = 管理员中止 producer { $producer } 的悬挂事务
MarkerWritten = { $subject }{ $to_partitions } 追加事务标记
MarkerWritten-commit = { $subject }{ $to_partitions } 追加提交标记
MarkerWritten-abort = { $subject }{ $to_partitions } 追加中止标记
ClientMetadataRefreshed = 客户端 { $client } 得知{ $leader ->
    [-1] 没有 leader
   *[other] { " " }broker { $leader } 是 leader
}

ConsumerRead = consumer { $consumer } 从 broker { $broker } 读到 { $values }
ConsumerPassedOver = consumer { $consumer } 跳过 { $values }
ConsumerReadNothing = consumer { $consumer } 在位移 { $offset } 处读不到消息
ConsumerOutOfRange = consumer { $consumer } 的位移 { $offset } 超出 broker { $broker } 的日志
ConsumerSentToFollower = broker { $broker } 让 consumer { $consumer } 改从 follower { $follower } 读取
ConsumerOffsetNotAvailable = broker { $broker } 暂不向 consumer { $consumer } 返回最新位移
ConsumerTruncationDetected = consumer { $consumer } 得知日志已从位移 { $end_offset } 起被截断
ReadReplaced = consumer { $consumer } 读到过 { $values }，而 leader 在那里的消息现在是 { $instead }
    .title = { $consumer } 发现截断
ConsumerPositionValidated = consumer { $consumer } 的位置 { $offset } 仍然有效
ConsumeFailed = consumer { $consumer } 收到 { $error }
ConsumeFailed-LEADER_NOT_AVAILABLE = { $partition } 没有 leader，consumer { $consumer } 无法读取

FetchSent = { $subject } 从{ $of_partitions }位移 { $fetch_offset } 拉取
FetchSent-handled = { $subject } 从{ $of_partitions }位移 { $fetch_offset } 拉取{ $fetch_offset ->
    [0] { "" }
   *[other] ，leader { $leader } 由此得知它拥有该位移以下的全部消息
}
FetchHandled = leader { $broker } 发给 broker { $follower } { $records } 条消息
FetchHandled-empty = leader { $broker } 没有新消息给 broker { $follower }
FetchHandled-no_replica = broker { $follower } 不是 leader { $broker } 的副本，没有收到消息
FetchParked = broker { $follower } 的拉取在 leader { $broker } 处等待
LongPollExpired = leader { $broker } 响应 broker { $follower } 等待中的拉取
FetchDiverging = leader { $broker } 向 broker { $follower } 响应{ $of_partitions }纪元 { $diverging_epoch } 结束于 { $end_offset }
FetchOutOfRange = { $of_partitions }位移 { $fetch_offset } 超出 leader { $broker } 的日志
FetchOutOfRange-undefined = leader { $broker } 不知道 broker { $follower } 的最后纪元在哪里结束
FetchRejected = broker { $broker } 以 { $error } 拒绝 broker { $follower } 的请求
FollowerEndForgotten = leader { $broker } 忘记 broker { $follower } 的日志末端位移
FetchApplied = { $subject }{ $to_partitions } 追加 { $values }
FetchApplied-empty = { $subject } 没有收到新消息
FetchedEpochForgotten = { $subject } 清除最后拉取的纪元
FetchErrorReceived = { $subject } 收到 { $error }
BackoffEnded = { $subject } 可以再次拉取
PartitionFailed = { $subject } 因 { $error } 停止拉取
    .title = broker { $broker } 停止拉取
DivergenceHeard = { $subject } 得知自己的日志与 leader { $leader } 的日志已分叉
EpochLookupSent = { $subject } 向 leader { $leader } 查询{ $of_partitions }纪元 { $epoch } 在哪里结束
EpochLookupSent-no_epoch = { $subject } 没有可向 leader { $leader } 查询的纪元
EpochLookupAnswered = leader { $broker } 向 broker { $follower } 响应{ $of_partitions }纪元 { $answer_epoch } 结束于 { $end_offset }
EpochLookupAnswered-offset_only = leader { $broker } 向 broker { $follower } 响应{ $of_partitions }纪元 { $epoch } 结束于 { $end_offset }
EpochLookupAnswered-undefined = leader { $broker } 不知道{ $of_partitions }纪元 { $epoch } 在哪里结束
EpochLookupAnswered-no_epoch = leader { $broker } 无法响应 broker { $follower } 的纪元查询
EpochLookupAnswered-no_epoch_either = leader { $broker } 也没有纪元，向 broker { $follower } 返回日志末端位移
ListOffsetsSent = { $subject } 向 leader { $leader } 查询日志的位移
ListOffsetsAnswered = leader { $broker } 返回其日志的位移 { $offset }
LeaderOffsetHeard = { $subject } 不需要截断
RoundsRepeat = { $subject } 向 leader { $leader } 重复同样的请求，没有效果
    .title = 请求反复
LateResponseAccepted = { $subject } 应用了 broker { $leader } 迟到的响应
    .title = 应用迟到的响应
LateResponseDiscarded = { $subject } 丢弃 broker { $leader } 迟到的响应

HighWatermarkAdvanced = { $owner }{ $of_partitions }高水位推进到 { $after }
    .title = { $of_partitions }高水位 { $after }
HighWatermarkHeld = { $owner }{ $of_partitions }高水位停在 { $high_watermark }
FollowerHighWatermarkSet = { $subject } 得知{ $of_partitions }高水位 { $after }
FollowerHighWatermarkSet-back = { $owner }{ $of_partitions }高水位退回 { $after }

IsrChecked = { $subject } 检查 ISR，没有副本落后
IsrChecked-behind = { $owner } ISR 检查（{ $time }时）发现 broker { $replica } 上次赶上是在 { $elapsed }前
IsrChecked-behind_fetching = { $owner } ISR 检查（{ $time }时）发现 broker { $replica } 上次拉取是在 { $elapsed }前
IsrChecked-pending = { $owner }{ $of_partitions }ISR 变更尚未完成，因此没有检查 ISR
IsrChecked-pending_behind = { $owner } ISR 变更在 { $time }时尚未完成，上次赶上是在 { $elapsed }前的 broker { $replica } 仍留在 ISR 中
IsrChecked-nothing_led = { $subject } 不是任何分区的 leader，没有 ISR 需要检查
FollowerOutOfSync = broker { $replica } 落后于 leader { $broker }
IsrJoinRefused = { $subject } 还不能加入{ $of_partitions } ISR
IsrExpandProposed = { $subject } 请求 controller 把 broker { $named_replicas } 加入{ $of_partitions } ISR
IsrShrinkProposed = { $subject } 请求 controller 把 broker { $named_replicas } 移出{ $of_partitions } ISR
IsrExpanded = { $subject } 加入{ $of_partitions } ISR，现为 { "{" }{ $isr }{ "}" }
    .title = { $of_partitions } ISR { "{" }{ $isr }{ "}" }
IsrShrunk = { $subject } 离开{ $of_partitions } ISR，现为 { "{" }{ $isr }{ "}" }
    .title = { $of_partitions } ISR { "{" }{ $isr }{ "}" }
IsrCommitted = { $subject } 得知{ $of_partitions } ISR 为 { "{" }{ $isr }{ "}" }
IsrChangeRepeated = { $of_partitions } ISR 已经是 { "{" }{ $isr }{ "}" }
IsrChangeRejected-heard = { $subject } 得知其 ISR 变更被拒绝
IsrChangeRejected = { $owner } ISR 变更被拒绝：{ $error }
IsrChangeBlocked = { $subject } 无法连接 ZooKeeper，不能修改 ISR
IsrChangeBlocked-controller = { $subject } 无法连接 controller，不能修改 ISR
IsrChangesKept = { $owner } ISR 变更检查（{ $time }时）暂不通知 controller
IsrChangesKept-none = { $subject } 没有需要通知的 ISR 变更
IsrChangesTold = { $subject } 在 ZooKeeper 中写入它变更了哪些 ISR
IsrChangesTaken = controller 读取 broker { $broker } 的 ISR 变更

EpochAssigned = 在 broker { $broker } 上，纪元 { $epoch } 从位移 { $start_offset } 开始
EpochsDropped = { $subject } 从纪元缓存中移除条目
LogTruncated = { $subject } 把{ $of_partitions }日志截断到 { $to }{ $values ->
    [nothing] { "" }
   *[other] ，删除 { $values }
}
    .title = broker { $named } 截断
LogTruncated-full = { $subject } 删除{ $of_partitions }整个日志，从 { $to } 重新开始
    .title = broker { $named } 删除日志
TruncationNotNeeded = { $subject } 不需要截断{ $partitions ->
    [nothing] { "" }
   *[other] { " " }{ $partitions }
}
LogLoaded = { $subject } 打开{ $of_partitions }日志，末端 { $log_end_offset }，高水位 { $high_watermark }
LogLoaded-recovered = { $subject } 恢复{ $of_partitions }日志，末端 { $log_end_offset }，高水位 { $high_watermark }
LogLoaded-recovered_outside_log = { $subject } 恢复{ $of_partitions }日志，末端 { $log_end_offset }，高水位 { $high_watermark }
LogFlushed = { $subject } 把{ $of_partitions }日志刷盘到 { $flushed }
UnflushedRecordsLost = { $subject } 在刷盘 { $values } 之前断电
HighWatermarkCheckpointed = { $subject } 把高水位写入文件：{ $high_watermarks }
RecoveryPointCheckpointed = { $subject } 把恢复点写入文件：{ $recovery_points }
ReplicaCreated = { $subject } 创建空副本
ReplicaDeleted = { $subject } 删除自己的副本

BecameLeader = { $subject } 在纪元 { $leader_epoch } 成为{ $of_partitions } leader
BecameLeader-goes_on = { $subject } 仍是{ $of_partitions } leader，现在处于纪元 { $leader_epoch }
BecameFollower = { $subject } 跟随 broker { $leader }
BecameLeaderless = { $subject } 得知 { $partition } 没有 leader
LeaderStateReset = { $subject } 重置纪元 { $leader_epoch } 的 leader 状态
PartitionChangeTaken = { $subject } 读到分区的变更
RoleIgnored = { $subject } 正在关闭，忽略新角色
StatesPassedOver = { $subject } 只应用 { $states } 个变更中的最后一个
DepositionMissed = { $subject } 没有察觉 broker { $leaders } 在其间担任过 leader
CommandIgnored = { $subject } 忽略一条纪元不比自己新的命令
CommandSkipped = broker { $broker } 没有收到一条 LeaderAndIsr
CommandFenced = { $subject } 拒绝一条过时的命令
StopReplicaIgnored = { $subject } 没有可删除的副本
StopReplicaIgnored-same_epoch = { $subject } 忽略 StopReplica
FetchingStopped = { $subject } 不再拉取
DeletionDelayed = { $subject } 先等待最后一次拉取的响应，再删除副本
MetadataApplied = { $subject } 把元数据日志读到 { $offset }
MetadataUnread = { $subject } 停止读取元数据日志
MetadataCacheUpdated = { $subject } 更新元数据

MessageDropped = 发给 { $to ->
    [controller] controller
   *[other] broker { $to }
} 的“{ $message }”丢失
MessageDropped-fetch_request = broker { $from } 的拉取请求丢失
MessageDropped-unawaited = 已无人等待的 { $message } 丢失
MessageDropped-fetch_response = 发给 broker { $to } 的响应丢失
MessageDropped-fetch_response_empty = 发给 broker { $to } 的响应丢失
MessageDropped-fetch_response_without_effect = 发给 broker { $to } 的响应丢失
MessageHeld = 发给 { $to ->
    [controller] controller
   *[other] broker { $to }
} 的“{ $message }”被扣留
MessageReleased = 发给 { $to ->
    [controller] controller
   *[other] broker { $to }
} 的“{ $message }”被放行
ResponseIgnored = { $subject } 忽略“{ $message }”
LinkCut = 链路 { $links } 被切断
    .title = 切断 { $links }
LinkHealed = 链路 { $links } 已恢复
BrokerSlowed = { $ms ->
    [0] { $owner }报文不再延迟
   *[other] { $owner }报文延迟 { $time }
}

BrokerBooted = { $subject } 启动
RegistrationRefused = { $subject } 无法注册，退出
    .title = broker { $broker } 退出
BrokerPaused = { $subject } 暂停
    .title = broker { $broker } 暂停
BrokerResumed = { $subject } 恢复运行
ShutdownStarted = { $subject } 开始受控关闭
    .title = broker { $broker } 关闭
BrokerStopped = { $subject } 正常关闭
BrokerCrashed = { $subject } 崩溃
    .title = broker { $broker } 崩溃
PowerLost = { $subject } 断电
    .title = broker { $broker } 断电
DiskLost = { $subject } 的磁盘丢失
    .title = broker { $broker } 磁盘丢失
BrokerExited = { $subject } 为了不截断 leader 没有的消息而退出
    .title = broker { $broker } 退出
BrokerHalted = { $subject } 为了不截断 leader 没有的消息而立即终止
    .title = broker { $broker } 终止
BrokerHung = { $subject } 为了不截断 leader 没有的消息而退出，却卡住了
    .title = broker { $broker } 卡住

ControllerElected = 另一个 controller 接任，controller 纪元 { $controller_epoch }
SessionExpired = { $owner }会话到期
    .title = broker { $broker } 会话到期
BrokerJoined = { $subject } 在 ZooKeeper 中注册
    .title = broker { $broker } 注册
HeartbeatReceived = controller 收到 broker { $broker } 的心跳
HeartbeatReceived-zookeeper = ZooKeeper 收到 broker { $broker } 的心跳
BrokerRegistered = { $subject } 以 broker 纪元 { $broker_epoch } 注册
    .title = broker { $broker } 注册
BrokerFenced = controller 隔离 broker { $broker }
    .title = broker { $broker } 被隔离
BrokerUnfenced = controller 解除对 broker { $broker } 的隔离
    .title = broker { $broker } 解除隔离
MetadataRecordsWritten = controller 写入 { $count } 条元数据记录
ReassignmentStarted = { $partition } 开始重新分配到 broker { $target }
ReassignmentStarted-reordering = { $partition } 开始重新分配为 { $target } 的顺序
ReassignmentStarted-replaced = { $partition } 的重新分配被替换，新的目标是 broker { $target }
ReassignmentStarted-kept = { $partition } 到 { $asked } 的重新分配保留了进行中的一部分，结果将是 { $target }
ReassignmentStarted-never_completes = { $partition } 到 { $asked } 的重新分配保留了进行中的一部分，永远不会完成
ReassignmentCancelled = { $partition } 的重新分配被取消
ReassignmentRepeated = { $partition } 到 { $asked } 的重新分配没有改变任何内容
ReassignmentDropped = 新的 controller 不再继续 { $partition } 的重新分配
ControllerFailed = controller 失败
ControllerFailed-registration = controller 在注册 broker { $broker } 时失败
ControllerFailed-unfencing = controller 在解除 broker { $broker } 的隔离时失败
ReassignmentCompleted = { $partition } 重新分配到 broker { $replicas } 完成
ReplicasReordered = 副本顺序改为 { $replicas }
ProtocolLevelChanged = { $name } 从 { $before } 改为 { $level }
ConfigChanged = { $name } 现为 { $value }
ConfigChanged-topic = topic { $topic } 的 { $name } 现为 { $value }
ConfigChanged-broker = 仅 broker { $broker } 的 { $name } 现为 { $value }

LeaderElected = { $subject }{ $leader_is ->
    [down] （controller 仍以为它存活）
    [paused] （controller 仍以为它存活）
    [cut_off] （controller 仍以为它存活）
    [fenced] （已被隔离）
   *[up] { " " }
}在纪元 { $leader_epoch } 当选{ $of_partitions } leader
    .title = 选举 broker { $leader }
LeaderElected-unclean = { $subject }{ $leader_is ->
    [down] （controller 仍以为它存活）
    [paused] （controller 仍以为它存活）
    [cut_off] （controller 仍以为它存活）
    [fenced] （已被隔离）
   *[up] { " " }
}不在 ISR 中，却在纪元 { $leader_epoch } 当选{ $of_partitions } leader
    .title = 选举 broker { $leader }，unclean
LeaderLost = { $partition } 没有 leader
    .title = 没有 leader
LeaderRecovered = leader { $leader } 标记为已恢复
ElectionNotPossible = 选不出 leader
UncleanSettingNotRead = controller 不读取 unclean 设置，因此没有副本当选
EligibleLeaderReplicasChanged = { $of_partitions } ELR 现为 { "{" }{ $elr }{ "}" }
PreferredLeadersChecked = controller 检查首选 leader
UncleanLeadersChecked = controller 检查没有 leader 的分区
RecordLost-replaced = 已确认的 { $values } 丢失
    .title = { $values } 丢失
RecordLost-last_copy = { $values } 的最后一份副本丢失
RecordsAtRisk = 已确认的 { $values } 有风险
    .title = { $values } 有风险
RecordsSafeAgain = { $values } 重新安全
    .title = { $values } 重新安全
