### 已知的、会丢失已确认消息的方式（sim_engine/known_losses）：标题，以及一般情况下发生了什么。

killed-replica-not-trusted = 被强制终止的 broker 回来后不被信任
killed-replica-not-trusted-what = 拥有该消息的副本曾被强制终止。由于不是正常关闭，它重新注册时，controller 会把它移出 ELR。当没有可选的副本时，会选举最后已知的 leader，而它没有这条消息；拥有该消息的副本随后将其截断。
surviving-copy-truncated = 幸存的副本被截断
surviving-copy-truncated-what = ISR 的最后一个成员断电，丢失了尚未刷盘的数据。它恢复后仍是 ISR 的唯一成员，于是成为 leader。拥有该消息的副本跟随它，并截断自己的日志。
last-in-sync-loses-power = 最后一个同步副本断电
last-in-sync-loses-power-what = ISR 中只有一个副本时，acks=all 就意味着只有一份数据。它还在页缓存中，断电即丢失。
last-in-sync-loses-disk = 最后一个同步副本的磁盘损坏
last-in-sync-loses-disk-what = ISR 中只有一个副本时，acks=all 就意味着只有一份数据，而它所在的磁盘损坏了。
all-lose-power = 所有副本同时断电
all-lose-power-what = 消息进入各副本的页缓存后，Kafka 就会确认。如果所有副本在刷盘之前一起断电，就不再有任何一份数据。
unclean-by-setting = Controller 选举了没有该消息的副本
unclean-by-setting-what = ISR 的成员都不在线，而 unclean.leader.election.enable 为 true。最先恢复的副本成为 leader，其他副本会截断它没有的消息。
unclean-by-hand = 管理员选举了没有该消息的副本
unclean-by-hand-what = ISR 的成员都不在线，管理员发起了 unclean 选举。当选的副本成为 leader，其他副本会截断它没有的消息。
leader-crashes-before-replication = Leader 在 follower 复制之前崩溃
leader-crashes-before-replication-what = acks=1 时，leader 独自确认消息。如果它在 follower 拉取之前崩溃，下一个 leader 就没有这条消息。
leadership-moves = Leadership 在 follower 复制之前转移
leadership-moves-what = acks=1 时，leader 独自确认消息。如果 leadership 按计划转移（回到首选 leader，或因正常关闭），下一个 leader 可能还没有这条消息，前一个 leader 会将其截断。
leader-cut-off = 被隔离的 leader 继续确认消息
leader-cut-off-what = acks=1 时，与 controller 失去联系的 leader 不知道自己已被取代。在得知之前，它所确认的消息都会被截断。
follower-truncates-to-its-high-watermark = Follower 截断到自己的高水位
follower-truncates-to-its-high-watermark-what = 在 KIP-101 之前，follower 开始跟随时会截断到自己所知的高水位，而它可能低于已提交的位置。如果它在重新拉取之前成为 leader，消息就会丢失。
leader-back-too-soon = Leader 断电，并在会话到期之前恢复
leader-back-too-soon-what = Controller 没有察觉 leader 曾经离开。它继续担任 leader，但已丢失尚未刷盘的数据，follower 会随之截断。
follower-back-too-soon = Follower 断电，并在会话到期之前恢复
follower-back-too-soon-what = Controller 没有察觉 follower 曾经离开，仍把它留在 ISR 中，尽管它已丢失尚未刷盘的数据。如果它在重新拉取之前当选，消息就会丢失。
joins-before-caught-up = 副本在追上之前加入了 ISR
joins-before-caught-up-what = 新 leader 还不知道高水位推进到了哪里。缺少已提交消息的副本只要达到过时的高水位，就会加入 ISR，并可能当选。
epoch-unknown-to-leader = Follower 询问了 leader 不知道的纪元
epoch-unknown-to-leader-what = Leader 的响应是“未定义”，于是 follower 截断到自己的高水位，低于已提交的位置。如果它在重新拉取之前成为 leader，消息就会丢失。
stale-command = Follower 很晚才读到旧命令
stale-command-what = Follower 已让 leader 确认了一条消息，随后读到更早的命令，转而跟随前一个 leader，并截断了这条消息。而它的 leader 仍把它计算在内。
missed-deposition = Leader 没有察觉自己曾被撤换
missed-deposition-what = Leader 被撤换后又重新当选，并在一次投递中读到这两次变更。它沿用之前对 follower 的了解，确认了一条 follower 已经截断的消息。
late-response = 前一个 leader 的响应迟到
late-response-what = Follower 应用了较早 leader 纪元的拉取响应，截断了已提交的消息，并且仍在 ISR 中。

### 可能性的判断及其理由：还需要发生什么。`faults` 是下面 fault-… 消息的列表。

likely-now = 现在就可能发生
likely-one_failure = 再有一次故障就会发生
likely-depends = 取决于你的机架
likely-rare = 罕见

why-now = 不需要再有故障：broker { $brokers } 恢复时就会发生。
why-now-by-hand = 不需要故障：手动选举 broker { $broker } 就够了。
why-now-by-hand-started = 不需要故障：先启动 broker { $broker } 并手动选举它就够了。
why-now-moves = 不需要任何故障：只要 leadership 回到首选 leader broker { $broker } 就会发生。
why-one = 一次故障就够了：{ $fault }。
why-several = 在副本恢复之前需要 { $count } 次故障：{ $faults }。
why-several-by-hand = 需要 { $count } 次故障和一次手动的 unclean 选举：{ $faults }。
why-race = 需要报文在这些故障前后以特定的顺序到达：{ $faults }。
why-racks-unknown = 取决于 broker { $brokers } 是否共用电源：它们的机架没有全部给出。
why-one-rack = Broker { $brokers } 都在机架 { $rack }：一次断电就可能同时影响它们。
why-racks = Broker { $brokers } 在不同的机架（{ $racks }）上，这些机架必须同时断电。

fault-Crash = broker { $broker } 崩溃
fault-PowerLoss = broker { $broker } 断电
fault-DiskLoss = broker { $broker } 的磁盘损坏
fault-Isolate = broker { $broker } 被隔离
fault-Shutdown = broker { $broker } 正常关闭
fault-Cut = 一条连接中断
fault-Drop = 一个响应丢失

### 为什么略去某种方式。

left-out-acks = 需要使用 acks=1 的 producer。
left-out-release = 使用 { $control } 的 Kafka { $kafka } 中不存在。
left-out-state = 该分区的状态不会导致这种情况，或者已被设置排除。
left-out-keeps = 用这些 broker、版本和设置运行，没有丢失任何消息。

### 什么可以避免它，以及消息的结果。

close-min-isr = 将 min.insync.replicas 设为 2
close-min-isr-all = 将 min.insync.replicas 设为副本数 { $count }
close-min-isr-elect = 将 min.insync.replicas 设为 2，并且故障发生后，在 broker { $elected } 成为 leader 之前不要启动 broker { $stopped }
close-flush = 将 log.flush.interval.messages 设为 1
close-clean-only = 将 unclean.leader.election.enable 设为 false
close-acks-all = 使用 acks=all
close-elect-survivor = { $now ->
        [failing] 故障发生后，不要启动 broker { $stopped }
        [running] 停止 broker { $stopped }（由它担任 leader 的其他分区需要另一个 leader）
       *[down] 不要启动 broker { $stopped }
    }，先启动 broker { $elected }，并手动选举它
close-separate-power = 让 broker { $brokers } 使用不同的电源
close-start-member = 不要发起 unclean 选举，先启动拥有该消息的副本：broker { $leader } 成为 leader
close-release = 升级到 Kafka { $kafka }

result-keeps = { $values } 得以保留
result-refused = { $values } 被拒绝
result-unacked = { $values } 没有得到确认
