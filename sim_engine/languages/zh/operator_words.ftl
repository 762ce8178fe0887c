### What an operator sees: the metrics of a state, and the log lines of an event. Names, and the
### words of a log line, are Kafka’s.

## Where a value comes from.

on-controller = controller 上为 { $value }
on-brokers = broker { $brokers } 上为 { $value }
on-all = 所有 broker 上都是 { $value }
on-none = 没有 broker 上报：没有正在运行的 broker
value-separator = { "，" }

## Why a metric does not show what is wrong.

note-no-leader = 不计入：没有 leader
note-leader-silent = 不计入：leader { $brokers } 的进程没有运行，不上报
note-leader-unaware = 不计入：broker { $brokers } 还不知道自己是 leader
note-still-in-isr = 不计入：broker { $brokers } 已停机，但还在 ISR 中
note-unnoticed = 不计入：controller 还没有发现 leader { $brokers } 没有运行
note-directories-only = 只统计故障的日志目录，不含已停机的 broker { $brokers }
note-session-lasts = broker { $brokers } 已停机，但会话还没有到期
note-follower-silent = 本应由 broker { $brokers } 上报，但它已停机
note-no-leader-to-fetch-from = 不计入：follower 没有可拉取的 leader
note-follower-not-fetching = broker { $brokers } 还没有从这个 leader 拉取
note-lag-to-high-watermark = 只统计到高水位：broker { $brokers } 只缺高水位以上的消息

## What each metric counts.

UnderReplicatedPartitions = 以该 broker 为 leader、ISR 成员少于已分配副本的分区数。没有 leader 的分区不计入任何 broker。
UnderMinIsrPartitionCount = 以该 broker 为 leader、ISR 成员少于 min.insync.replicas 的分区数：acks=all 会被拒绝。
AtMinIsrPartitionCount = 以该 broker 为 leader、ISR 成员恰好等于 min.insync.replicas 的分区数：再少一个，acks=all 就会被拒绝。
ReassigningPartitions = 以该 broker 为 leader、正在迁移副本的分区数。
MaxLag = 该 broker 上的 follower 落后于 leader 高水位的最大消息数。尚未提交的消息不计入。
FailedPartitionsCount = 该 broker 出错后停止拉取的分区数，直到收到更新的 leader 纪元。
OfflineReplicaCount = 该 broker 上位于故障日志目录的副本数。已停机的 broker 上的副本不计入。
OfflineLogDirectoryCount = 该 broker 上故障的日志目录数。
IsrShrinksPerSec = 以该 broker 为 leader 的分区由 leader 决定移出 ISR 成员的次数。由 controller 移出的不计入。
IsrExpandsPerSec = 副本加入以该 broker 为 leader 的分区的 ISR 的次数。
FailedIsrUpdatesPerSec = 该 broker 的 ISR 变更被拒绝的次数。
OfflinePartitionsCount = controller 所知的没有 leader 的分区数。其他 broker 都上报 0。
PreferredReplicaImbalanceCount = leader 不是第一个副本的分区数，包括没有 leader 的分区。
ActiveControllerCount = 当前的 controller 上为 1，其他都为 0。整个集群的总和必须是 1。
FencedBrokerCount = 已注册但被 controller 隔离（fenced）的 broker 数。ZooKeeper 下始终为 0。
ActiveBrokerCount = controller 认为存活的 broker 数。
ControlledShutdownBrokerCount = 正在受控关闭的 broker 数。
UncleanLeaderElectionsPerSec = controller 选出可能缺少已提交消息的 leader 的次数。
ElectionFromEligibleLeaderReplicasPerSec = controller 选出合格副本（ELR）为 leader 的次数。这种选举是 clean 的。
LeaderElectionRateAndTimeMs = controller 处理存活 broker 变化的次数及耗时。没有这种变化的选举不计入。
