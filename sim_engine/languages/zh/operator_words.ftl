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

## What each log line means.

isr-shrinks = leader 把超过 replica.lag.time.max.ms 没有追上的副本移出 ISR。如果由 controller 移出，leader 不会打印这一行。
isr-expands = 副本已追上，leader 把它加入 ISR。从 2.8 起只打印“ISR updated”。
isr-written = leader 已自行把新的 ISR 写入 ZooKeeper。从 2.8 起改为打印下一行。
isr-updated = leader 的新 ISR 已生效：controller 已接受，或已写入 ZooKeeper。从 3.5 起，“(under-min-isr)”表示 acks=all 会被拒绝。
isr-not-written = 另一个 controller 或 leader 已在 ZooKeeper 中修改了该分区，leader 的 ISR 变更因此作废。已被取代的 leader 会一直重复打印，直到收到通知。
isr-rejected = controller 拒绝了 ISR 变更，例如副本已被隔离。leader 保留原来的 ISR。
leader-starts = broker 在新纪元成为 leader。“from offset”是它的日志末端：以下的消息都会保留。
follower-starts = broker 在新纪元成为 follower，并给出日志末端位移和高水位。
append-refused = ISR 少于 min.insync.replicas，acks=all 的 produce 请求被拒绝。
log-truncated = broker 删除该位移及以后的消息。如果它们已被确认，消息就在这里丢失。
truncated-below-high-watermark = 删除了 broker 自己高水位以下的消息，即已提交的消息。从 2.4 到 4.1 从不打印，因为 Kafka 在截断之后才比较。
truncation-planned = leader 对纪元查询的响应表明两份日志从哪里分叉。
truncation-to-high-watermark = follower 没有可查询的纪元，因此截断到自己的高水位。新的空副本也会打印。
epoch-unknown-to-leader = leader 不认识 follower 的纪元，follower 退回到自己的高水位，可能删除已提交的消息。
epoch-unknown-to-follower = follower 的日志中没有 leader 给出的纪元：先截断一部分，再查询一次。
epoch-below-followers = leader 给出的纪元早于 follower 的所有纪元，follower 可能删除整个日志。
no-truncation-needed = follower 的日志没有超出 leader 中该纪元的末端。
fetch-offset-reset = follower 的日志比 leader 的长，因此截断到 leader 的末端。
fetch-offset-reset-to-start = leader 已删除 follower 接下来需要的消息，follower 丢弃自己的日志，从 leader 的起点重新开始。
fetch-offset-out-of-range = leader 没有这个位移。它出现在重置之后，常见于 unclean 选举。
truncation-not-allowed = follower 必须删除 leader 没有的消息，而 unclean 选举已禁用，进程因此结束。
leader-epoch-fenced = leader 的纪元比 follower 所知的新。
partition-failed = follower 停止拉取该分区，直到收到更新的纪元。FailedPartitionsCount 会计入。
recovery-skipped = 上一个进程正常关闭，日志是完整的。
recovery-attempted = 上一个进程没有正常关闭：被杀死，或机器断电。没有刷盘的内容可能缺失。
segment-recovered = 重新读取并检查恢复点之后的消息，损坏的部分会被去掉。
broker-registered = controller 已登记 broker 的这次启动。
broker-unfenced = 从现在起，该 broker 可以成为 leader 并加入 ISR。
registration-refused = broker 之前的 ZooKeeper 会话还没有结束，这次启动因此终止。
shutdown-started = broker 请求 controller 移走它的 leader 角色，然后停止。
controller-elected = 一个 broker 成为 controller。
live-brokers-changed = controller 发现有 broker 加入或离开。
broker-failure = controller 为离开的 broker 上的分区选举其他 leader。
broker-startup = controller 把角色发给返回的 broker。
unclean-election-chosen = ISR 中没有存活的成员，因此选举 ISR 之外的副本。从 1.1 起，ZooKeeper controller 不再打印这种警告。
partition-changed = 分区有了新的 leader。选举之后 ISR 只有一个成员，说明是 unclean 选举，或者只剩一份副本。
election-failed = 分区没有 leader：ISR 中没有存活的副本，且 unclean 选举已禁用。
preferred-leader-elected = 第一个副本重新成为 leader。
broker-fenced = broker 的心跳停止，controller 把它移出所有 ISR。随后的 clean 选举在 INFO 级别不打印任何内容。
unfencing-granted = broker 已追上元数据日志，可以再次成为 leader。
shutdown-granted = controller 开始移走该 broker 的 leader 角色。
incarnation-registered = broker 重新启动。如果之前没有正常关闭，它会离开所有 ELR。
unclean-election = 选举了 ISR 和 ELR 之外的副本。它缺少的已提交消息会丢失。
unclean-change = 同一次选举，每个 controller 从元数据日志中读到。
elr-election = 选举了合格副本（ELR）。它拥有所有已提交的消息。
alter-partition-outdated = leader 依据分区的旧状态提议了 ISR。
alter-partition-ineligible = leader 提议的 ISR 中有被隔离、正在关闭或已重启的副本。
reassignment-altered = 开始或取消了重新分配。
reassignment-completed = leader 的新 ISR 完成了重新分配。
produce-retried = producer 收到错误，重新发送该批次。
produce-metadata-invalid = producer 发给了不是 leader 的 broker，随后查询谁是 leader。
consumer-out-of-range = consumer 的位置不在 leader 的日志中：消息已删除，或在 unclean 选举中丢失。
consumer-position-reset = consumer 从 auto.offset.reset 选择的位置继续：会跳过一些消息，或重读一些消息。
consumer-truncation = consumer 最后读到的消息已不在 leader 的日志中。auto.offset.reset=none 时，应用会收到 LogTruncationException。
