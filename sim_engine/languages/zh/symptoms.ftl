### 还不知道术语的人看到的现象和会问的问题，用于站内搜索。消息名由条目的种类和名字组成。这里不解释术语。

lesson-a-record-and-its-copy = Kafka 的消息怎么复制到其他机器？副本是主动拉取数据，还是 leader 推送？从头讲讲副本同步机制。
lesson-where-a-log-ends = 什么是 offset，下一条消息写在哪里？副本怎么知道还缺哪些消息？
lesson-what-counts-as-safe = 消息什么时候算写成功，什么时候消费者能看到？发送成功了却消费不到最后一条消息。
lesson-who-must-have-it = acks=all 要等所有副本吗，包括宕机的和很慢的？什么是同步副本？有一台 broker 挂了还能写入。
lesson-who-led-when = leader epoch 这个编号有什么用？恢复的 broker 怎么知道自己哪些消息无效？
lesson-who-may-lead-next = Kafka 4 的合格 leader 副本是什么？同步副本数不够时，谁能当 leader？
lesson-two-rounds = 为什么 follower 要到下一次拉取才知道新的高水位，总是慢一拍、晚一轮？消息要拉取几次才算提交、才会应答？高水位怎么更新、怎么传给 follower？leader 和 follower 的水位不一样正常吗？
lesson-high-watermark-lags-under-load = 持续写入时，消费者看到消息有延迟。follower 明明有数据，高水位却总是落后一点。
lesson-slowest-replica-decides = 一个慢副本拖慢了 acks=all，写入延迟高、变慢。高水位由哪个副本决定？消息写入几个副本才算已提交？
lesson-shrink-releases-high-watermark = 一个 follower 卡住，生产者和消费者都要等它被踢出 ISR。副本为什么被移出 ISR、掉出 ISR？broker 宕机后写入超时几秒，然后恢复。
lesson-slow-but-steady-follower = follower 一直落后一点，还算同步吗？ISR 频繁收缩和扩张，反复进出，抖动。副本同步慢怎么办？
lesson-expansion-waits-for-the-joiner = 副本正要重新加入 ISR，leader 是否已经等它？
lesson-acks-1-loses-on-failover = acks=1 返回成功，leader 随后宕机，新的 leader 上没有这条消息。发送成功的消息在主从切换后丢了。回调没有报错，消息却找不到。数据写到一半、还没复制，leader 就挂了。吞吐量、性能和可靠性怎么权衡，acks 设几？
lesson-not-enough-replicas = 生产者报 NotEnoughReplicasException，同步副本数少于最小值，消息被拒绝，写不进去，发送失败。leader 活着却不能写。
lesson-not-enough-replicas-after-append = 生产者收到异常，消费者却读到了这条消息。发送失败，消息却在日志里。
lesson-retry-duplicates = 发送超时后重试，同一条消息写了两遍，重复消息从哪里来？开启幂等能不能避免重复？
lesson-caught-up-outsider = 不在 ISR 里的副本也会挡住应答。ISR 的副本都有数据了，生产者还是超时。
lesson-uncommitted-tail = 故障切换后，旧 leader 把消息删了，这算丢数据吗？重启的 broker 消息比宕机前少。leader 挂了之后，原来的消息被覆盖、被冲掉。写到一半 leader 挂了怎么办？
lesson-new-leader-stale-high-watermark = 换 leader 之后，消费者一时看不到消息，好像 topic 是空的。切换后数据没了吗？
lesson-follower-high-watermark-goes-back = 选举之后高水位变小了、倒退了，是 bug 吗？
lesson-high-watermark-after-restart = broker 重启后怎么知道高水位？replication-offset-checkpoint 文件保存什么，丢失或过期会怎样？
lesson-three-ways-to-stop = kill -9、正常停止、断电有什么不同？进程被杀、机器或操作系统崩溃会丢什么？只是进程挂了，页缓存里的数据会丢吗？broker 重启很慢，一直在恢复日志。
lesson-isr-timer-granularity = 慢的或宕机的副本要多久才被移出 ISR？落后多少秒才算不同步？为什么比 replica.lag.time.max.ms 更久？
lesson-message-lag = 流量突增、一批大消息让副本掉出 ISR 又回来。落后按条数算还是按时间算？允许落后多少条消息？
lesson-isr-change-propagation = ZooKeeper 里或 kafka-topics 看到的 ISR 是旧的。控制器什么时候知道 ISR 变小了？
lesson-election-follows-the-assignment = leader 宕机后，哪个副本当新的 leader？怎么选：数据最多的、日志最长的、编号最小的，还是副本列表里的第一个？
lesson-preferred-leader-election = 重启之后 leader 都跑到别的 broker 上，负载不均衡。broker 回来了却不再是 leader，怎么把 leader 切回原来的节点？
lesson-controlled-shutdown = 怎样停机维护、重启 broker 而不丢消息、不影响服务？优雅关闭时分区会怎样？逐台滚动重启集群。
lesson-epoch-bookkeeping = leader epoch 什么时候加一？leader 没变，epoch 为什么变了？
lesson-four-triggers = 高水位在什么时候更新、重新计算、推进？
lesson-log-start-offset = 要读的位移已经过期被删除。follower 停机太久，leader 上已经没有它的位移，只能从头复制。最早的位移不是 0。
lesson-follower-bounce-five-records = follower 重启，随后 leader 宕机，已经确认的消息丢了。重启的 follower 为什么要截断到高水位？
lesson-follower-bounce-with-epochs = leader epoch 怎么避免 follower 重启时丢消息？follower 重启后向 leader 问什么？
lesson-kip-101-data-loss = 老版本 Kafka 设了 acks=all、关了 unclean 选举，已确认的消息还是丢了。leader epoch 解决了什么问题？所有同步副本都有的消息怎么会丢？主从切换丢数据。
lesson-leader-flaps-lose-a-record = leader 来回切换，没有宕机，消息却丢了。均衡 leader 丢数据。网络抖动，leader 频繁切换。
lesson-unnoticed-bounce = broker 重启得太快，没人发现，消息就丢了。会话没过期就重启完成。broker 回来时消息比 leader 多，卡住或退出。
lesson-follower-stops-itself = broker 启动后自己退出，日志说不允许截断：log truncation is not allowed。follower 的消息比 leader 多。
lesson-unnoticed-power-loss = 机器重启丢了最新的消息，却还在 ISR 里并被选为 leader，已确认的消息丢了。副本在 ISR 里，数据却不全，并没有真正同步。副本不同步。在 ISR 里的副本会不会缺少已提交的数据？
lesson-power-loss-of-both = 切换之后，各副本同一个 offset 的消息不一样。主从数据不一致，重启后数据对不上，内容不同。
lesson-crash-of-both = 两台 broker 都被杀掉再重启，日志还一致吗？
lesson-power-loss-four-records = 两个副本日志末端一样，断电后却有一条消息不同。
lesson-power-loss-of-both-with-epochs = 有了 leader epoch，断电还会丢消息吗？副本重新一致，消息还是没了。
lesson-three-brokers-three-epochs = 几个 leader 先后宕机，日志怎么重新变得一致？用 leader epoch 截断的例子。
lesson-epoch-lookup-table = leader 怎么查一个 epoch 的结束位移？OffsetsForLeaderEpoch 响应的例子。
lesson-undefined-epoch-fallback = leader 不认识这个 epoch，follower 退回到高水位截断。
lesson-fast-leader-failover = leader 连续快速切换，日志分叉。follower 有 leader 没有的消息。网络抖动导致 leader 频繁切换、反复切换。
lesson-kip-279-numbers = 有了 leader epoch，follower 还是留着 leader 从未有过的消息。
lesson-two-round-truncation = 截断为什么要查两次？换 leader 后截断了两次。
lesson-empty-epoch = leader 当选后什么都没写，它的 epoch 从哪里开始？
lesson-isr-join-guard = 空盘的副本、数据目录被清空或换了磁盘的 broker 回来，还没复制完数据就加入 ISR，还当了 leader。
lesson-zombie-leader = 两个 broker 同时认为自己是 leader，双主。旧 leader 因为网络分区或长时间 GC 停顿与集群断开，还在接受写入，恢复后这些消息丢了。Kafka 会脑裂吗？少数派分区里还能写吗？
lesson-zombie-leader-is-refused = 旧 leader 的日志说缓存的版本与 ZooKeeper 里的不同，跳过更新 ISR。
lesson-stale-queued-epoch = 控制器的旧命令晚到，follower 跟了错误的 leader。
lesson-unknown-leader-epoch = 换 leader 后日志里出现 UNKNOWN_LEADER_EPOCH，请求里的 epoch 比 broker 的新。
lesson-unclean-election = 打开 unclean 选举会丢什么？为了恢复 topic，让不同步的副本当了 leader，消息丢了。应该设成 true 还是 false？落后的副本被提升为 leader，已提交的消息被覆盖。Kafka 是 AP 还是 CP？
lesson-unclean-setting-not-read = KRaft 下 unclean.leader.election.enable=true 不生效，分区仍然离线。
lesson-unclean-election-disabled = 分区没有 leader，显示 none 或 -1，但有一台 broker 活着。topic 不可用、不能读写，直到某台 broker 回来。同步副本全部宕机。
lesson-last-replica-standing = ISR 只剩一个副本，机器断电，回来后消息丢了。min.insync.replicas=1 加 acks=all 安全吗？ISR 里只有 leader。
lesson-eligible-replica-rescues = KIP-966 的合格 leader 副本怎么在最后一个同步副本故障时避免丢消息？
lesson-eligible-replica-elected = Kafka 4 中，ISR 以外的副本当了 leader，没有丢消息。
lesson-last-known-leader = 所有副本都宕机，ISR 和 ELR 都空了，谁当 leader？所有副本都挂了，谁当 leader？
lesson-dead-last-known-leader = 被选为 leader 的 broker 并没有运行。
lesson-whole-cluster-power-loss = 机房停电，所有 broker 同时断电，恢复后最新的消息没了。三台一起断电，acks=all 确认过的消息丢了。应答之前消息落盘了吗，会先写磁盘吗？
lesson-whole-cluster-power-loss-flushed = 怎样保证消息落盘之后才应答，同步刷盘？每条消息都刷盘能防断电吗？
lesson-surviving-copy-destroyed = 明明有一个副本还有这条消息，重启后却被删掉了。只有一台断电，所有副本上都没了。
lesson-surviving-copy-destroyed-with-elr = Kafka 4 开了 ELR，broker 被 kill -9 之后还是丢消息。
lesson-survivor-cut-off = 一台 broker 卡住了一会儿，反而救回了别人丢掉的消息。
lesson-consumer-truncation = 消费者读到过的消息后来不存在了。换 leader 之后，消费者跳过消息，或者同一位移读到不同的消息。消费位移超过了日志末端。
lesson-follower-reads = 消费者能不能从副本、从 follower 读，就近读取、同机架读取？从 follower 读会晚一点。
lesson-diverging-high-watermark = 从 follower 读的消费者读到了从未提交的消息。
lesson-what-if-committed-isr-counts = leader 为什么要等还不在 ISR 里的副本？
lesson-what-if-proposed-shrink-counts = 控制器确认之前，leader 为什么还要等已经宕机的 follower？
lesson-tolerating-failures = 三副本、min.insync.replicas=2 能容忍几台 broker 故障？三台挂了一台、两台会怎样，还能读写吗？副本数设多少合适？
lesson-missed-deposition = 新版本 Kafka 设了 acks=all、min.insync.replicas=2、没有 unclean 选举，消息还是丢了。leader 刚切走又切回来。
lesson-missed-deposition-noticed = leader 失去又重新得到领导权，生产者收到 NOT_LEADER_OR_FOLLOWER。
lesson-metadata-version-gate = broker 升级了，新行为却没有生效：metadata.version 或 inter.broker.protocol.version 还是旧的。滚动升级到新版本。
lesson-late-answer-of-an-old-epoch = 旧 leader 的响应晚到，follower 删掉了已提交的消息。
lesson-controller-failover = 控制器挂了、切换了，正在进行的 leader 变更会怎样？两个控制器同时存在，旧控制器的命令。
lesson-eligible-but-no-replica = 重分配之后分区没有 leader，但副本都活着。
lesson-reassignment = 怎样迁移分区、增加或更换副本而不丢数据？分区重分配的过程中会发生什么？
lesson-reassignment-cancelled-first = 怎样安全地修改正在进行的重分配：先取消。
lesson-reassignment-last-word = 重分配卡住、一直不结束，或者修改后副本在错误的 broker 上。
lesson-transactions = read_committed 的消费者卡住不动，读不出、读不到新的消息，事务一直没有结束。事务消息消费不到。最后稳定位移不前进，消费积压增加。
lesson-unclean-cancel = 取消重分配之后，KRaft 控制器反复崩溃。

loss-killed-replica-not-trusted = 有最后一份数据的 broker 被杀，回来后消息被删了。
loss-surviving-copy-truncated = 有数据的副本跟随没有数据的 leader，把消息删了。
loss-last-in-sync-loses-power = ISR 里只有 leader，机器断电，消息丢了。
loss-last-in-sync-loses-disk = 唯一同步副本的磁盘坏了、数据盘丢了，数据没了。leader 换了空盘回来。
loss-all-lose-power = 整个机房停电，所有 broker 一起断电，最新确认的消息没了。
loss-unclean-by-setting = unclean.leader.election.enable=true，故障切换后消息丢了。
loss-unclean-by-hand = 用 kafka-leader-election --election-type unclean 恢复分区，消息丢了。手动、强制指定 leader。
loss-leader-crashes-before-replication = leader 在 follower 复制之前宕机，返回成功的消息丢了，acks=1。
loss-leadership-moves = acks=1，滚动重启、均衡 leader、主从切换时丢消息。
loss-leader-cut-off = 被隔离的旧 leader 继续接受写入，这些消息后来丢了，脑裂。
loss-follower-truncates-to-its-high-watermark = 0.11 之前，follower 重启截断日志，再一次切换就丢消息。
loss-leader-back-too-soon = leader 的机器很快重启，仍是 leader，所有副本上的消息都没了。
loss-follower-back-too-soon = follower 的机器很快重启，留在 ISR 里但缺最新的消息，然后当了 leader。
loss-joins-before-caught-up = 副本数据不全就进了 ISR，又当了 leader。
loss-epoch-unknown-to-leader = leader 不认识 epoch，follower 截断过多。
loss-stale-command = 旧的 LeaderAndIsr 请求晚到，副本把消息删了。
loss-missed-deposition = acks=all，leader 连续切换两次，已确认的消息丢了。
loss-late-response = 晚到的拉取响应让 follower 删掉已提交的消息。

left_out-controller_quorum = KRaft 控制器怎么选主，需要几个控制器、几个投票者，多数派宕机会怎样？
left_out-unclean_recovery = 哪个副本日志最长：unclean 恢复前会询问所有副本吗？
left_out-old_releases = Kafka 0.7、0.8.0 等很老的版本。
left_out-zookeeper_migration = 怎样从 ZooKeeper 迁移到 KRaft。
left_out-brokers_at_run_time = 怎样给集群加新的 broker、扩容、缩容、下线 broker。
left_out-topics_at_run_time = 怎样创建、删除 topic，增加分区数。
left_out-placement = 副本分布在多个机架、可用区、机房。副本怎么分配到 broker？
left_out-observers = Observer，厂商版 Kafka 的功能。
left_out-mirroring = 把 topic 复制到另一个集群、异地容灾、主备、双活。
left_out-diskless = 用对象存储、S3，没有本地磁盘的 topic。
left_out-tiered_storage = 旧的分段上传到 S3、远程日志、分层存储。
left_out-reading_from_tier = 消费者从远程存储读旧消息。
left_out-retention = 旧消息什么时候删除，保留几天、多少小时、多少字节？消息 7 天后过期。磁盘被旧数据占满。消息保存多久？
left_out-compaction = 每个键只保留最新值，墓碑消息，日志清理线程。
left_out-segments = 日志分段文件、索引文件，.log 和 .index，什么时候滚动新分段？
left_out-log_directories = 一台 broker 多块磁盘、JBOD，一块盘满了或坏了，日志目录离线。
left_out-message_formats = 消息格式版本、向下转换。
left_out-timestamps = 消息时间戳，按时间查位移。
left_out-sizes = 消息太大、批次大小、压缩、最大消息。
left_out-quotas = 限制客户端或复制的带宽、限流。
left_out-consumer_groups = 消费组再均衡、提交位移、消费积压、__consumer_offsets。
left_out-share_groups = 队列，多个消费者消费同一分区。
left_out-streams = Kafka Streams 状态存储、连接器、ksqlDB。
left_out-transactions = 事务协调者、事务超时、transactional.id、ProducerFencedException、跨 topic 精确一次。
left_out-client_settings = linger.ms、buffer.memory、max.in.flight.requests.per.connection、消息顺序、分区器。
left_out-processes = SSL、SASL、ACL、监听器、连接被拒绝、JVM 内存、线程池。
left_out-metrics = 复制以外的 JMX 指标和监控面板。
left_out-clocks = 时钟偏差、NTP、文件损坏。
