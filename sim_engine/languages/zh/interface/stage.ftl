### The stage: the names of what is drawn. The narration describes what happened.

stage = 舞台
logs = 各副本的日志
offset = 位移
broker = Broker { $broker }
brokerColumn = broker
leader = leader
follower = follower
noRole = 尚无角色
leaderInEpoch = leader · 纪元 { $epoch }
staleLeader = 仍是 leader · 纪元 { $epoch }？
preferred = 首选 leader
inSync = 同步
outOfSync = 不同步
ownIsr = 其 ISR { $isr }
asksForIsr = 请求 ISR { $isr }
caughtUpAgo = { $ago } 秒前追上（限 { $most } 秒）
actionsOf = { $name } 的操作
actionsOnBroker = broker { $broker } 的操作
allActionsOnBroker = broker { $broker } 的全部操作
actionsOnLink = 链路 { $from } → { $to } 的操作
allActionsOnLink = 链路 { $from } → { $to } 的全部操作
onOneReplica = { $values } 只在一个副本上
onOneReplicaShort = { $values }：仅剩一份
emptyZnode = 空
notSimulated = null：未模拟
isrChangeSet = broker { $broker } 的 isrChangeSet
cutFrom = 与 { $brokers } 断开
noReplica = 没有 { $partition } 的副本
noReplicaHere = 此处没有 { $partition } 的副本
inPartitions = { $partitions } { $said }
truncating = 截断中
resetting = 重置中
fetcherFailed = 拉取已停止
backingOff = 退避中
paused = 暂停
shuttingDown = 正在关闭
fenced = 被隔离
downNoticed = { $step ->
        [0] 停机
       *[other] 自第 { $step } 步起停机
    }
downUnnoticed = { $step ->
        [0] 停机，尚未被检测到
       *[other] 自第 { $step } 步起停机，尚未被检测到
    }
down = 停机
stopped = 第 { $step } 步停止
failed = 第 { $step } 步退出
epochFrom = 纪元 { $epoch } → { $start }
noEpochs = 0.11 之前，消息不带纪元
emptyEpochs = 尚无纪元
seenAt = 已知 broker { $brokers } 的 LEO：{ $offset }
notSeen = broker { $brokers } 的 LEO 未知
# Short, for a narrow stage.
seenAtShort = 已知 { $brokers } 的 LEO：{ $offset }
notSeenShort = { $brokers } 的 LEO 未知
highWatermark = HW { $offset }
highWatermarkFile = 检查点文件中的高水位 { $offset }
logEnd = LEO { $offset }
logStart = 日志起始位移 { $offset }
termMarks = 图中的术语
folded = ⋯ { $count }
foldedTitle = 隐藏了 { $count } 个位移：{ $from }–{ $to }
openFold = 显示隐藏的 { $count } 个位移 { $from }–{ $to }
foldAgain = 重新隐藏
foldedSame = { $count } 条相同
foldedSameTitle = 隐藏了 { $count } 个位移（{ $from } 到 { $to }）：各日志中的消息相同
minimap = 可见的位移
minimapHint = 整个日志。点击或拖动可查看其他部分。
backToStep = 回到这一步涉及的位置
foldedRecords = （另有 { $count } 条已隐藏，位移 { $from }–{ $to }）
moreBefore = 前面还有 { $count }
moreAfter = 后面还有 { $count }
cutToMin = 截断到 min({ $leader }, { $own })
cutToHighWatermark = 截断到高水位 { $to }
cutToLogEnd = 截断到 leader 的 LEO { $to }
cutToMinShort = 到 min({ $leader }, { $own })
cutToHighWatermarkShort = 截断到 HW { $to }
cutToLogEndShort = 截断到 LEO { $to }
cutFull = 从 { $to } 重新开始
cutTo = 截断到 { $to }
epochEndsAt = 纪元 { $epoch } 结束于 { $offset }
epochEndsAtShort = 纪元 { $epoch }：{ $offset }
record = { $value }，位移 { $offset }
inEpoch = 纪元 { $epoch }
committed = 在高水位以下
uncommitted = 在高水位以上
diverging = 与 leader 分叉
cut = 刚被截断
differsBeside = 与比较的运行不同
flushed = 已落盘
unflushed = 尚未落盘
files = 文件
showFiles = 显示 broker { $broker } 的检查点文件
noFile = 0.11 之前没有此文件
deliver = 投递
drop = 丢弃
hold = 扣留
release = 放行
respondNow = 立即响应
held = 已扣留
parked = 等待新消息
undeliverable = 目前无法投递
inbox = 发往 { $receiver } 的报文
controller = Controller
controllerReceiver = controller
leaderChip = leader
noLeader = 没有 leader
leaderEpoch = leader 纪元
znodeVersion = znode 版本
partitionEpoch = 分区纪元
metadataOffset = 元数据位移
behind = broker { $broker } 还有 { $count } 条元数据未应用
lastStable = 最后稳定位移 { $offset }：使用 read_committed 的 consumer 到此为止
inTransaction = 属于 producer id { $producer } 的事务
inOpenTransaction = 属于 producer id { $producer } 未结束的事务
inAbortedTransaction = 属于 producer id { $producer } 已中止的事务
openTransactionOf = producer id { $producer } 未结束的事务，位移 { $from } 到 { $to }
abortedTransactionOf = producer id { $producer } 已中止的事务，位移 { $from } 到 { $to }
openTransaction = 未结束的事务
openShort = 未结束
abortedTransaction = 已中止的事务
abortedShort = 已中止
endOfTransaction = 结束 producer id { $producer } 的事务
sequenceOf = producer id { $producer } 的序号 { $sequence }
adding = 正在加入
removing = 正在移除
inZooKeeper = ZooKeeper 中
registeredBrokers = 已注册的 broker
version = 版本 { $version }
brokerEpoch = broker 纪元
hasRead = 元数据日志已读到
notRegistered = 未注册
unfenced = 未被隔离
lastKnownElr = 最后已知的 ELR
recovering = leader 恢复状态为 RECOVERING
producer = Producer { $name }
consumer = Consumer { $name }
waiting = 等待中
noResponse = 无响应
acknowledged = 已确认
acked = 已确认
cutNow = 刚被截断
cutNowShort = 刚截断
unflushedNow = 已消失：没有写到磁盘上
unflushedNowShort = 未刷盘
brokenLink = { $from } 发出的报文无法到达 { $to }
underMinIsr = 低于 min.insync.replicas { $needed }
acknowledgedAt = { $step ->
        [0] 开始前已确认
       *[other] 第 { $step } 步已确认
    }
lastCopyGone = 第 { $step } 步最后一份副本丢失
lastCopyOf = 第 { $step } 步：{ $values } 的最后一份副本丢失
earlier = 之前 { $count } 条均已确认
earlierMixed = 之前 { $count } 条
read = 读到
readNothing = 尚未读到消息
nextOffset = 下一位移
nowAt = { $value }，现为 { $now }
nowAnother = { $value }，现为另一条 { $value }
properties = 性质
holds = 成立
notExercised = 未涉及
exercisedFrom = { $step ->
        [0] 从一开始就涉及
       *[other] 第 { $step } 步起涉及
    }
exercised = 到目前为止，{ $properties } 个性质中涉及 { $exercised } 个
valuesAndMore = { $values } 及另外 { $count } 条
ackedAt = { $values }，第 { $step } 步确认
firstAtStep = 首次出现在第 { $step } 步
moreProperties = { $violated ->
        [0] 再显示 { $count } 项
       *[other] 再显示 { $count } 项，其中 { $violated } 项被违反
    }
staleLeaderOf = Broker { $broker } 仍认为自己是 { $partitions } 的 leader
staleLeaderShort = Broker { $broker }：过期的 leader
sinceStep = { $step ->
        [0] 从一开始
       *[other] 自第 { $step } 步起
    }
lostUnpromised = { $values } 已丢失（acks=1）
noPromisedLost = acks=all 的消息没有丢失
noPromisedAtRisk = acks=all 的消息没有风险
fewerProperties = 收起
allOfLane = { $name }：显示全部
partitions = 分区
choosePartition = 将 { $partition } 设为当前分区
scroll = 位移 { $first }–{ $last }，全部为 { $lowest }–{ $highest }
twin = { $partition } 各副本一览
state = 状态
role = 角色
log = 日志
epochs = 纪元
none = 无
stepOf = 第 { $step } / { $steps } 步
messageOf = 第 { $step } / { $steps } 步，第 { $message } / { $messages } 条
step = 第 { $step } 步
start = 起点

## Labels of messages, by kind; used if the message has all the numbers.

reply = 响应：{ $what }
message-fetch_request = 从位移 { $fetch_offset } 拉取
message-fetch_response = 响应：{ $records } 条，HW { $high_watermark }
message-fetch_response-one = 响应：{ $values }，HW { $high_watermark }
message-fetch_response-diverging = 响应：纪元 { $diverging_epoch } 结束于 { $end_offset }
message-offsets_for_leader_epoch_request = 纪元 { $epoch } 在哪里结束？
message-offsets_for_leader_epoch_response = 响应：纪元 { $epoch } 结束于 { $end_offset }
message-list_offsets_request = { $which } 位移是多少？
message-list_offsets_response = 响应：{ $which } 位移 { $offset }
message-leader_and_isr = leader { $leader }，纪元 { $leader_epoch }，ISR { $isr }
message-metadata_record = leader { $leader }，纪元 { $leader_epoch }，ISR { $isr }
message-alter_partition_request = 请求 ISR { $isr }
message-alter_partition_response = 响应：ISR { $isr }

## What the records of the metadata log change. Their card begins with the offset of the last one.

recordAt = 元数据 { $offset }：{ $changes }{ $more ->
        [0] {""}
       *[other] （+{ $more }）
    }
recordsUpTo = 截至 { $offset } 的元数据日志
recordOfPartition = { $partition }：{ $changes }
record-leader = leader { $leader }，纪元 { $leader_epoch }
record-no_leader = 没有 leader，纪元 { $leader_epoch }
record-isr = ISR { $isr }
record-replicas = 副本 { $replicas }
record-adding = 添加 { $adding }
record-removing = 移除 { $removing }
record-elr = ELR { $elr }
record-last_known_elr = 最后已知的 ELR { $last_known_elr }
record-recovering = RECOVERING
record-recovered = RECOVERED
record-epoch = 分区纪元 { $partition_epoch }
record-registered = broker { $broker } 已注册
record-fenced = broker { $broker } 被隔离
record-unfenced = broker { $broker } 解除隔离
record-shutting_down = broker { $broker } 正在关闭
record-feature = { $name } 级别 { $feature_level }
record-clear_elr = 清空 ELR

## Separators between the parts of one sentence.

separator-comma = ，
separator-colon = ：
separator-stop = 。
lostAt = 第 { $step } 步丢失
atRiskFrom = 第 { $step } 步起有风险
lostFact = 第 { $step } 步：{ $values } 丢失
atRiskFact = 第 { $step } 步：{ $values } 有风险
violatedNow = 当前被违反
violatedBefore = 曾被违反
wasAtStep = 第 { $step } 步曾被违反
dragCuts = 切断 { $from } → { $to }
dragHeals = 恢复 { $from } → { $to }
