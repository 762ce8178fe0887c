### Each property: its title while it holds, its title once violated, and its definition.

NoAckedRecordLost = 已确认的消息没有丢失
    .violated_title = 有已确认的消息丢失
    .sentence = 以 acks=all 确认的每条消息都还在某个副本上（无论副本是否在运行），且它的位移上没有提交别的消息。
LogMatching = 高水位以下日志一致
    .violated_title = 高水位以下日志不一致
    .sentence = 两个存活副本在双方高水位以下的每个位移上都是同一条消息。Follower 从 leader 成功拉取之后才参与比较，在那之前它还可能截断。
WeakIsr = leader 所知的 ISR 拥有全部已提交的消息
    .violated_title = leader 所知的 ISR 中有副本缺少已提交的消息
    .sentence = leader 认为在 ISR 中的每个副本，都拥有该 leader 高水位以下的每条消息。
StrongIsr = controller 的 ISR 拥有全部已提交的消息
    .violated_title = controller 的 ISR 中有副本缺少已提交的消息
    .sentence = controller 的 ISR 中每个副本都拥有任何 leader 已提交的每条消息；否则一次 clean 选举就会丢失它。
LeaderInIsr = leader 在 ISR 中
    .violated_title = leader 不在 ISR 中
    .sentence = 只要 controller 记录了 leader，它就在 ISR 中。
OneLeaderPerEpoch = 每个纪元只有一个 leader
    .violated_title = 同一纪元有两个 leader
    .sentence = 在同一 leader 纪元内，一个分区不会有两个 broker 担任 leader。
HighWatermarkWithinLog = 高水位在日志范围内
    .violated_title = 有高水位超出日志范围
    .sentence = 每个副本上：日志起点 ≤ 高水位 ≤ 日志末端。
MonotonicLeaderHighWatermark = leader 的高水位只升不降
    .violated_title = leader 的高水位下降了
    .sentence = 在同一 leader 纪元内，leader 的高水位不会下降；换了 leader 则可能下降。
EpochsIncrease = 纪元只增不减
    .violated_title = 纪元出现下降
    .sentence = 沿着日志 leader 纪元不会下降；在纪元向量中，纪元和起始位移都递增。
LeaderCompleteness = leader 拥有全部已提交的消息
    .violated_title = leader 缺少已提交的消息
    .sentence = leader 拥有此前各任 leader 已提交的每条消息。
LeaderCandidateCompleteness = 每个可通过 clean 选举当选的副本都拥有全部已提交的消息
    .violated_title = 有可通过 clean 选举当选的副本缺少已提交的消息
    .sentence = 当前可以通过 clean 选举当选的每个副本，都拥有全部已提交的消息。
EligibleLeaderCompleteness = ISR 与 ELR 拥有全部已提交的消息
    .violated_title = ISR 或 ELR 中有副本缺少已提交的消息
    .sentence = ISR 和 ELR 的每个成员都拥有全部已提交的消息，注册时会被移出的 broker 除外。
ReplicationQuorumSuperset = leader 等待整个 ISR
    .violated_title = leader 没有等待整个 ISR
    .sentence = leader 的高水位所等待的副本（maximal ISR）包含 controller 的 ISR。
ConsistentRead = 读取一致
    .violated_title = consumer 的读取自相矛盾
    .sentence = consumer 不会在已读过的位移上读到不同的值，也不会在未收到通知的情况下跳过消息。
AckedRecordAtRisk = 没有已确认的消息有风险
    .violated_title = 有已确认的消息有风险
    .sentence = 以 acks=all 确认的每条消息，在其位移上都能由 controller 认定的 leader 读到。没有 leader 时，则至少有一个可通过 clean 选举当选的副本（ISR 或 ELR 的成员，无论是否在运行）拥有它。

### 活性：故障停止之后最终会发生的事。

EventuallyReassignmentCompletes = 重新分配总会完成
    .violated_title = 重新分配永远不会完成
    .sentence = 故障停止后（连接恢复、broker 全部运行、请求和响应送达、follower 持续拉取、定时器触发），进行中的重新分配最终会完成。
EventuallyLeaderElected = 分区总会有 leader
    .violated_title = 分区永远没有 leader
    .sentence = 故障停止后，没有存活 leader 的分区最终会有 leader，前提是 controller 可以选举：ISR 或 ELR 中还有成员，或者启用了 unclean 选举。
EventuallyIsrRecovers = ISR 总会恢复完整
    .violated_title = ISR 永远不会恢复完整
    .sentence = 故障停止后，所有 broker 都在运行并拉取，有 leader 的分区的 ISR 最终包含全部副本。
EventuallyWriteIsAcceptedOrRejected = 每次写入都会得到响应
    .violated_title = 写入永远得不到响应
    .sentence = 故障停止后，等待响应的 producer 最终会收到响应：确认或错误。
