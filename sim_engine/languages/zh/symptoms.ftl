### 还不知道术语的人看到的现象和会问的问题，用于站内搜索。消息名由条目的种类和名字组成。这里不解释术语。

lesson-a-record-and-its-copy = Kafka 的消息怎么复制到其他机器？副本是主动拉取数据，还是 leader 推送？从头讲讲副本同步机制。从库怎么拿到主库的数据？谁发起复制，主动推还是被动拉？一条消息从写入到各个副本的完整流程。
lesson-where-a-log-ends = 什么是 offset，下一条消息写在哪里？副本怎么知道还缺哪些消息？leader 怎么知道每个副本复制到了哪里？副本从哪个位置接着复制？
lesson-what-counts-as-safe = 消息什么时候算写成功，什么时候消费者能看到？发送成功了却消费不到最后一条消息。消息已经在 leader 上了，消费者为什么还看不到？哪些消息可以被消费？为什么不让消费者读最新的数据？
lesson-who-must-have-it = acks=all 要等所有副本吗，包括宕机的和很慢的？什么是同步副本？有一台 broker 挂了还能写入。要几台确认才算成功，过半就行吗？为什么不用过半、多数派的办法？副本和同步副本有什么区别？写入为什么不用过半数，像 Raft 那样？
lesson-who-led-when = leader epoch 这个编号有什么用？恢复的 broker 怎么知道自己哪些消息无效？给每一任 leader 编号有什么意义？怎么区分新旧 leader 写的消息？
lesson-who-may-lead-next = Kafka 4 的合格 leader 副本是什么？同步副本数不够时，谁能当 leader？Kafka 4 的选主和以前有什么变化？三副本的集群开启 ELR 有什么好处？升级到新版本之后，leader 选举有什么变化？
lesson-two-rounds = 为什么 follower 要到下一次拉取才知道新的高水位，总是慢一拍、晚一轮？消息要拉取几次才算提交、才会应答？高水位怎么更新、怎么传给 follower？leader 和 follower 的水位不一样正常吗？副本已经有这条消息了，为什么还没提交？提交的进度要多久才传到 follower？一条消息从发送到可以消费要经过哪几步？
lesson-high-watermark-lags-under-load = 持续写入时，消费者看到消息有延迟。follower 明明有数据，高水位却总是落后一点。压测时消费延迟忽高忽低。消费者总比生产者慢一点点。
lesson-slowest-replica-decides = 一个慢副本拖慢了 acks=all，写入延迟高、变慢。高水位由哪个副本决定？消息写入几个副本才算已提交？一台机器慢，整个 topic 的写入都变慢了。写入的耗时取决于谁？最短的木板。
lesson-shrink-releases-high-watermark = 一个 follower 卡住，生产者和消费者都要等它被踢出 ISR。副本为什么被移出 ISR、掉出 ISR？broker 宕机后写入超时几秒，然后恢复。一台 broker 卡死十几秒，这段时间生产全部超时，后来自己好了。副本卡住多久才会被踢掉？突然写不进去，过一会儿又正常了。磁盘 IO 打满、机器太忙，副本掉出同步列表。一台机器断网之后，生产者卡住。
lesson-slow-but-steady-follower = follower 一直落后一点，还算同步吗？ISR 频繁收缩和扩张，反复进出，抖动。副本同步慢怎么办？监控上 ISR 一会儿少一个、一会儿又加回来。副本偶尔跟不上，要不要紧？
lesson-expansion-waits-for-the-joiner = 副本正要重新加入 ISR，leader 是否已经等它？副本追上以后什么时候回到同步列表？副本刚恢复时写入变慢。
lesson-acks-1-loses-on-failover = acks=1 返回成功，leader 随后宕机，新的 leader 上没有这条消息。发送成功的消息在主从切换后丢了。回调没有报错，消息却找不到。数据写到一半、还没复制，leader 就挂了。吞吐量、性能和可靠性怎么权衡，acks 设几？发送端一切正常，消费端少了几条。主库刚写完就死了，从库还没来得及复制。生产者说发出去了，但 topic 里没有。默认配置下 leader 宕机会丢多少？
lesson-not-enough-replicas = 生产者报 NotEnoughReplicasException，同步副本数少于最小值，消息被拒绝，写不进去，发送失败。leader 活着却不能写。挂了一台机器之后就不能写了，只能读。三台坏两台，生产一直报错。为什么写入被拒绝？一个可用区没了，topic 变成只读。
lesson-not-enough-replicas-after-append = 生产者收到异常，消费者却读到了这条消息。发送失败，消息却在日志里。报了 NotEnoughReplicasAfterAppend，这条消息到底写进去没有？发送报错，但是能消费到。失败的消息为什么还在？
lesson-retry-duplicates = 发送超时后重试，同一条消息写了两遍，重复消息从哪里来？开启幂等能不能避免重复？一条消息被写进去两份、出现两次。没有收到响应就重发，会不会重复？下游收到两条一模一样的。网络超时以后要不要重发？网络恢复后有一批消息重复。消费者又收到同样的内容。
lesson-caught-up-outsider = 不在 ISR 里的副本也会挡住应答。ISR 的副本都有数据了，生产者还是超时。刚追上的副本宕机，发送就超时。为什么要等一个已经被踢出去的副本？
lesson-uncommitted-tail = 故障切换后，旧 leader 把消息删了，这算丢数据吗？重启的 broker 消息比宕机前少。leader 挂了之后，原来的消息被覆盖、被冲掉。写到一半 leader 挂了怎么办？老的 leader 回来以后丢弃了一部分日志。多出来的消息会怎么处理？没收到确认的消息被删掉了。主库恢复后，它多写的那部分去哪了？
lesson-new-leader-stale-high-watermark = 换 leader 之后，消费者一时看不到消息，好像 topic 是空的。切换后数据没了吗？主从切换后几秒钟内消费不到数据。切换完最新的消息暂时读不到，过一会儿又有了。
lesson-follower-high-watermark-goes-back = 选举之后高水位变小了、倒退了，是 bug 吗？切换以后水位比之前小。消费进度倒退了。
lesson-high-watermark-after-restart = broker 重启后怎么知道高水位？replication-offset-checkpoint 文件保存什么，丢失或过期会怎样？重启之后从哪里开始截断、恢复？水位保存在磁盘上吗？
lesson-three-ways-to-stop = kill -9、正常停止、断电有什么不同？进程被杀、机器或操作系统崩溃会丢什么？只是进程挂了，页缓存里的数据会丢吗？broker 重启很慢，一直在恢复日志。直接 kill 进程会不会丢数据？强杀进程和拔电源一样吗？进程 OOM 退出。没写到磁盘的消息，进程死了还在吗？删掉 pod、容器被重新拉起会不会丢数据？内核崩溃、蓝屏、OOM 会丢什么？
lesson-isr-timer-granularity = 慢的或宕机的副本要多久才被移出 ISR？落后多少秒才算不同步？为什么比 replica.lag.time.max.ms 更久？副本多久没拉取就算掉队？判断一个副本落后的标准、时间是多少？
lesson-message-lag = 流量突增、一批大消息让副本掉出 ISR 又回来。落后按条数算还是按时间算？允许落后多少条消息？以前是按差多少条消息来判断副本落后的。大流量时副本不停地掉队。
lesson-isr-change-propagation = ZooKeeper 里或 kafka-topics 看到的 ISR 是旧的。控制器什么时候知道 ISR 变小了？控制器多久知道 ISR 变了？元数据里的同步副本列表不是最新的。
lesson-election-follows-the-assignment = broker 挂了，controller 会做什么？leader 宕机后，哪个副本当新的 leader？怎么选：数据最多的、日志最长的、编号最小的，还是副本列表里的第一个？主库挂了谁来接替、谁上位？几个从库里选哪一个？是选数据最新的那个吗？新的 leader 是谁决定的？leader 挂了会发生什么？演示 leader 宕机后的选举过程。
lesson-preferred-leader-election = 重启之后 leader 都跑到别的 broker 上，负载不均衡。broker 回来了却不再是 leader，怎么把 leader 切回原来的节点？机器恢复了，但流量不回来。一台机器特别忙，其他都闲着。所有 leader 集中到了一台 broker 上。
lesson-controlled-shutdown = 怎样停机维护、重启 broker 而不丢消息、不影响服务？优雅关闭时分区会怎样？逐台滚动重启集群。打补丁、换内核要一台一台重启机器，怎么操作最安全？计划内停机会不会影响业务？
lesson-epoch-bookkeeping = leader epoch 什么时候加一？leader 没变，epoch 为什么变了？编号在选举时才变吗？任期什么时候增加？
lesson-four-triggers = 高水位在什么时候更新、重新计算、推进？什么事件会让高水位往前走？
lesson-log-start-offset = 要读的位移已经过期被删除。follower 停机太久，leader 上已经没有它的位移，只能从头复制。最早的位移不是 0。停机好几天的副本回来以后怎么追数据？从哪里开始消费才不会报错？副本长时间离线，回来以后要不要全量同步？
lesson-follower-bounce-five-records = follower 重启，随后 leader 宕机，已经确认的消息丢了。重启的 follower 为什么要截断到高水位？只是重启了一个从库，主库再一挂，数据就少了。最简单的重启丢消息的例子。
lesson-follower-bounce-with-epochs = leader epoch 怎么避免 follower 重启时丢消息？follower 重启后向 leader 问什么？从库恢复以后先做什么？恢复的 follower 怎么确定截断到哪里？有了编号还会丢吗？
lesson-kip-101-data-loss = 老版本 Kafka 设了 acks=all、关了 unclean 选举，已确认的消息还是丢了。leader epoch 解决了什么问题？所有同步副本都有的消息怎么会丢？主从切换丢数据。只用高水位截断有什么缺陷？为什么要引入 leader epoch 来代替高水位？没有脏选举也会丢数据。副本都写成功了，应答也收到了，为什么还会丢？
lesson-leader-flaps-lose-a-record = leader 来回切换，没有宕机，消息却丢了。均衡 leader 丢数据。网络抖动，leader 频繁切换。leader 在两台机器之间反复横跳。没有机器宕机，只是换了几次 leader，消息就少了。
lesson-unnoticed-bounce = broker 重启得太快，没人发现，消息就丢了。会话没过期就重启完成。broker 回来时消息比 leader 多，卡住或退出。机器闪断、瞬间重启，监控都没发现。进程被守护程序立刻拉起来。
lesson-follower-stops-itself = broker 反复重启、一直起不来。broker 启动后自己退出，日志说不允许截断：log truncation is not allowed。follower 的消息比 leader 多。从库的日志比主库长，起不来。broker 启动失败，不停地退出。
lesson-unnoticed-power-loss = 机器重启丢了最新的消息，却还在 ISR 里并被选为 leader，已确认的消息丢了。副本在 ISR 里，数据却不全，并没有真正同步。副本不同步。在 ISR 里的副本会不会缺少已提交的数据？机器断电后马上恢复，系统还认为它是同步的。同步副本里的数据比 leader 少。
lesson-power-loss-of-both = 切换之后，各副本同一个 offset 的消息不一样。主从数据不一致，重启后数据对不上，内容不同。两个消费者读到的内容不同。同一个位移，主库和从库是两条不同的消息。断电以后副本之间的数据互相矛盾。为什么只用高水位截断日志会导致数据不一致？
lesson-crash-of-both = 两台 broker 都被杀掉再重启，日志还一致吗？两个进程同时崩溃，数据还一样吗？
lesson-power-loss-four-records = 两个副本日志末端一样，断电后却有一条消息不同。日志一样长，内容却不一样。
lesson-power-loss-of-both-with-epochs = 有了 leader epoch，断电还会丢消息吗？副本重新一致，消息还是没了。新版本还会出现主从数据不同吗？
lesson-three-brokers-three-epochs = 几个 leader 先后宕机，日志怎么重新变得一致？用 leader epoch 截断的例子。三台机器轮流当 leader 又轮流宕机。
lesson-epoch-lookup-table = leader 怎么查一个 epoch 的结束位移？OffsetsForLeaderEpoch 响应的例子。给定一个任期，怎么算出截断的位置？
lesson-undefined-epoch-fallback = leader 不认识这个 epoch，follower 退回到高水位截断。新旧版本混用时怎么截断？
lesson-fast-leader-failover = leader 连续快速切换，日志分叉。follower 有 leader 没有的消息。网络抖动导致 leader 频繁切换、反复切换。短时间内换了好几次 leader，数据就乱了。
lesson-kip-279-numbers = 有了 leader epoch，follower 还是留着 leader 从未有过的消息。截断之后还剩下别人没有的消息。
lesson-two-round-truncation = 截断为什么要查两次？换 leader 后截断了两次。一次截断不干净，需要问好几次。
lesson-empty-epoch = leader 当选后什么都没写，它的 epoch 从哪里开始？新 leader 没有写过任何消息。
lesson-isr-join-guard = 空盘的副本、数据目录被清空或换了磁盘的 broker 回来，还没复制完数据就加入 ISR，还当了 leader。数据盘被清空以后重启，会不会把其他副本也清掉？误删数据目录。重装机器后，空的节点当了主。容器的存储卷重建了。
lesson-zombie-leader = 两个 broker 同时认为自己是 leader，双主。旧 leader 因为网络分区或长时间 GC 停顿与集群断开，还在接受写入，恢复后这些消息丢了。Kafka 会脑裂吗？少数派分区里还能写吗？机房之间的网络断了，两边都认为自己是主。出现了两个主库。旧主不知道自己已经下台，客户端还往它上面写。Full GC 之后恢复的 leader。写到被隔离节点上的消息去哪了？
lesson-zombie-leader-is-refused = 旧 leader 的日志说缓存的版本与 ZooKeeper 里的不同，跳过更新 ISR。日志里反复刷 Cached zkVersion，更新 ISR 失败。
lesson-stale-queued-epoch = 控制器的旧命令晚到，follower 跟了错误的 leader。延迟到达的旧指令。
lesson-unknown-leader-epoch = 换 leader 后日志里出现 UNKNOWN_LEADER_EPOCH，请求里的 epoch 比 broker 的新。broker 还不知道新的任期，请求被拒绝。
lesson-unclean-election = 打开 unclean 选举会丢什么？为了恢复 topic，让不同步的副本当了 leader，消息丢了。应该设成 true 还是 false？落后的副本被提升为 leader，已提交的消息被覆盖。Kafka 是 AP 还是 CP？可用性和数据不丢只能选一个吗？让没跟上的副本当主有什么后果？为了尽快恢复服务，宁可丢一点数据。
lesson-unclean-setting-not-read = KRaft 下 unclean.leader.election.enable=true 不生效，分区仍然离线。配置了允许脏选举，却还是选不出 leader。
lesson-unclean-election-disabled = 分区没有 leader，显示 none 或 -1，但有一台 broker 活着。topic 不可用、不能读写，直到某台 broker 回来。同步副本全部宕机。机器坏了以后，分区一直没有主，怎么恢复？还有一台机器活着，为什么不让它当 leader？只能等原来的 leader 回来吗？启动之后部分分区还是没有 leader。
lesson-last-replica-standing = ISR 只剩一个副本，机器断电，回来后消息丢了。min.insync.replicas=1 加 acks=all 安全吗？ISR 里只有 leader。三副本只剩一台还在接受写入，这台再断电。最小同步副本数设成 1 有什么风险？
lesson-eligible-replica-rescues = KIP-966 的合格 leader 副本怎么在最后一个同步副本故障时避免丢消息？开启 ELR 之后，最后一台也坏了怎么办？
lesson-eligible-replica-elected = Kafka 4 中，ISR 以外的副本当了 leader，没有丢消息。不在 ISR 里的副本安全地当选。
lesson-last-known-leader = 所有副本都宕机，ISR 和 ELR 都空了，谁当 leader？所有副本都挂了，谁当 leader？三台全部宕机以后先启动哪一台？重启整个集群，谁先当主？
lesson-dead-last-known-leader = 被选为 leader 的 broker 并没有运行。leader 显示为一台没开机的机器。
lesson-whole-cluster-power-loss = 机房停电，所有 broker 同时断电，恢复后最新的消息没了。三台一起断电，acks=all 确认过的消息丢了。应答之前消息落盘了吗，会先写磁盘吗？整个机房掉电，恢复后已经返回成功的消息查不到了。三个副本都写了，为什么断电还会丢？副本在内存里还是磁盘上？broker 在确认之前会 fsync 吗？
lesson-whole-cluster-power-loss-flushed = 怎样保证消息落盘之后才应答，同步刷盘？每条消息都刷盘能防断电吗？关掉刷盘有没有风险？每条都 fsync 会不会很慢，值得吗？
lesson-surviving-copy-destroyed = 明明有一个副本还有这条消息，重启后却被删掉了。只有一台断电，所有副本上都没了。唯一还有数据的副本跟着没数据的 leader，把自己的也删了。
lesson-surviving-copy-destroyed-with-elr = Kafka 4 开了 ELR，broker 被 kill -9 之后还是丢消息。新版本、开启 ELR 也丢消息的例子。
lesson-survivor-cut-off = 一台 broker 卡住了一会儿，反而救回了别人丢掉的消息。卡死的机器恢复以后反而有最全的数据。
lesson-consumer-truncation = 消费者读到过的消息后来不存在了。换 leader 之后，消费者跳过消息，或者同一位移读到不同的消息。消费位移超过了日志末端。业务已经处理过的消息，回头去查却没有。消费者的位移比日志还大，被重置了。切换后重新消费，内容变了。
lesson-follower-reads = 消费者能不能从副本、从 follower 读，就近读取、同机架读取？从 follower 读会晚一点。能不能让从库分担读的压力？为什么 Kafka 不做读写分离？跨机房消费，怎么读本地的副本？
lesson-diverging-high-watermark = 从 follower 读的消费者读到了从未提交的消息。从副本读到了后来不存在的数据，脏读。
lesson-what-if-committed-isr-counts = leader 为什么要等还不在 ISR 里的副本？只等 ISR 里的副本不行吗？
lesson-what-if-proposed-shrink-counts = 控制器确认之前，leader 为什么还要等已经宕机的 follower？ISR 由谁修改，leader 还是控制器？为什么踢人要等控制器同意？
lesson-tolerating-failures = 三副本、min.insync.replicas=2 能容忍几台 broker 故障？三台挂了一台、两台会怎样，还能读写吗？副本数设多少合适？坏几台还能正常工作？两个节点的集群停一台会怎样？需要几台机器才够？最小同步副本数和副本数怎么搭配？N 个副本能坏几个？一个可用区、一半的机器没了，还能不能读写？3 个 broker 挂掉 2 个，还能写入、读取吗？
lesson-missed-deposition = 新版本 Kafka 设了 acks=all、min.insync.replicas=2、没有 unclean 选举，消息还是丢了。leader 刚切走又切回来。最新版、配置都对，还是丢了已确认的消息。leader 短暂地失去身份，自己没察觉。
lesson-missed-deposition-noticed = leader 失去又重新得到领导权，生产者收到 NOT_LEADER_OR_FOLLOWER。旧 leader 发现自己不再是 leader。
lesson-metadata-version-gate = broker 升级了，新行为却没有生效：metadata.version 或 inter.broker.protocol.version 还是旧的。滚动升级到新版本。升级完二进制，新功能没有启用，还要改什么？升级之后还要改协议版本吗？
lesson-late-answer-of-an-old-epoch = 旧 leader 的响应晚到，follower 删掉了已提交的消息。网络延迟的旧响应造成的后果。
lesson-controller-failover = 控制器挂了、切换了，正在进行的 leader 变更会怎样？两个控制器同时存在，旧控制器的命令。控制器所在的机器宕机，集群还能用吗？控制器切换时选举会不会中断？ControllerMovedException。controller 脑裂，同时有两个 controller。
lesson-eligible-but-no-replica = 重分配之后分区没有 leader，但副本都活着。迁移分区以后没有 leader。
lesson-reassignment = 怎样迁移分区、增加或更换副本而不丢数据？分区重分配的过程中会发生什么？换机器、下线旧机器，怎么把分区搬过去？坏掉的机器换成新机器，数据怎么补齐？给 topic 加副本。
lesson-reassignment-cancelled-first = 怎样安全地修改正在进行的重分配：先取消。迁移做到一半想换目标机器。
lesson-reassignment-last-word = 重分配卡住、一直不结束，或者修改后副本在错误的 broker 上。分区迁移跑了很久都不完成。
lesson-transactions = read_committed 的消费者卡住不动，读不出、读不到新的消息，事务一直没有结束。事务消息消费不到。最后稳定位移不前进，消费积压增加。有一个事务没提交，后面的消息都读不到。下游不往前走，位移停住了。生产者崩溃后，没结束的事务怎么办？
lesson-unclean-cancel = 取消重分配之后，KRaft 控制器反复崩溃。控制器启动就崩，取消迁移之后。

loss-killed-replica-not-trusted = 有最后一份数据的 broker 被杀，回来后消息被删了。被 kill -9 的副本明明有数据，却不被信任。
loss-surviving-copy-truncated = 有数据的副本跟随没有数据的 leader，把消息删了。有数据的反而听没数据的，跟着删。
loss-last-in-sync-loses-power = ISR 里只有 leader，机器断电，消息丢了。只剩一个同步副本，偏偏这台断电。acks=all 为什么还会丢消息？
loss-last-in-sync-loses-disk = 唯一同步副本的磁盘坏了、数据盘丢了，数据没了。leader 换了空盘回来。只剩一台机器有数据，硬盘坏了。存储卷被重建，旧数据都没了。一台 broker 带着空盘启动，其他副本的数据也被清空了。
loss-all-lose-power = 整个机房停电，所有 broker 一起断电，最新确认的消息没了。机房断电，三台同时关机，重启后少数据。确认之前会 fsync、刷盘吗？
loss-unclean-by-setting = unclean.leader.election.enable=true，故障切换后消息丢了。允许落后的副本当主，丢了数据。
loss-unclean-by-hand = 用 kafka-leader-election --election-type unclean 恢复分区，消息丢了。手动、强制指定 leader。分区没有 leader，手工执行命令强行选一个。
loss-leader-crashes-before-replication = leader 在 follower 复制之前宕机，返回成功的消息丢了，acks=1。刚写完主就挂，从库没复制到。
loss-leadership-moves = acks=1，滚动重启、均衡 leader、主从切换时丢消息。逐台重启 broker 丢消息。
loss-leader-cut-off = 被隔离的旧 leader 继续接受写入，这些消息后来丢了，脑裂。写到孤立节点上的数据，网络恢复后没了。
loss-follower-truncates-to-its-high-watermark = 0.11 之前，follower 重启截断日志，再一次切换就丢消息。
loss-leader-back-too-soon = leader 的机器很快重启，仍是 leader，所有副本上的消息都没了。leader 秒级重启，少了最后几条。
loss-follower-back-too-soon = follower 的机器很快重启，留在 ISR 里但缺最新的消息，然后当了 leader。follower 断电秒级恢复，接着当选。
loss-joins-before-caught-up = 副本数据不全就进了 ISR，又当了 leader。还没追完就算同步。
loss-epoch-unknown-to-leader = leader 不认识 epoch，follower 截断过多。
loss-stale-command = 旧的 LeaderAndIsr 请求晚到，副本把消息删了。
loss-missed-deposition = acks=all，leader 连续切换两次，已确认的消息丢了。
loss-late-response = 晚到的拉取响应让 follower 删掉已提交的消息。

left_out-controller_quorum = KRaft 控制器怎么选主，需要几个控制器、几个投票者，多数派宕机会怎样？控制器集群要部署几台？控制器挂了一半还能用吗？kraft 选主。控制器失去多数派，还能生产和消费吗？
left_out-unclean_recovery = 哪个副本日志最长：unclean 恢复前会询问所有副本吗？
left_out-old_releases = Kafka 0.7、0.8.0 等很老的版本。
left_out-zookeeper_migration = 怎样从 ZooKeeper 迁移到 KRaft。
left_out-brokers_at_run_time = 怎样给集群加新的 broker、扩容、缩容、下线 broker。集群里加一台新机器。
left_out-topics_at_run_time = 怎样创建、删除 topic，增加分区数。修改 topic 的分区数、副本数。
left_out-placement = 副本分布在多个机架、可用区、机房。副本怎么分配到 broker？
left_out-observers = Observer，厂商版 Kafka 的功能。
left_out-mirroring = 把 topic 复制到另一个集群、异地容灾、主备、双活。两个机房之间同步数据。
left_out-diskless = 用对象存储、S3，没有本地磁盘的 topic。
left_out-tiered_storage = 旧的分段上传到 S3、远程日志、分层存储。
left_out-reading_from_tier = 消费者从远程存储读旧消息。
left_out-retention = 旧消息什么时候删除，保留几天、多少小时、多少字节？消息 7 天后过期。磁盘被旧数据占满。消息保存多久？磁盘快满了，怎么清理旧数据？
left_out-compaction = 每个键只保留最新值，墓碑消息，日志清理线程。
left_out-segments = 日志分段文件、索引文件，.log 和 .index，什么时候滚动新分段？
left_out-log_directories = 一台 broker 多块磁盘、JBOD，一块盘满了或坏了，日志目录离线。数据目录所在的磁盘只读、写满了。
left_out-message_formats = 消息格式版本、向下转换。
left_out-timestamps = 消息时间戳，按时间查位移。
left_out-sizes = 消息太大、批次大小、压缩、最大消息。
left_out-quotas = 限制客户端或复制的带宽、限流。
left_out-consumer_groups = 消费组再均衡、提交位移、消费积压、__consumer_offsets。消费组的 coordinator 不可用，频繁 rebalance，重复消费。消费位点丢失。提交了 offset，但消息还没处理完就重启，消息被跳过。自动提交、至多一次、至少一次。
left_out-share_groups = 队列，多个消费者消费同一分区。
left_out-streams = Kafka Streams 状态存储、连接器、ksqlDB。
left_out-transactions = 事务协调者、事务超时、transactional.id、ProducerFencedException、跨 topic 精确一次。事务初始化失败，生产者被隔离。
left_out-client_settings = linger.ms、buffer.memory、max.in.flight.requests.per.connection、消息顺序、分区器。发送缓冲区满了，批次过期，客户端参数怎么调。生产者重试导致消息乱序。
left_out-processes = SSL、SASL、ACL、监听器、连接被拒绝、JVM 内存、线程池。客户端连不上 broker，堆内存溢出。
left_out-metrics = 复制以外的 JMX 指标和监控面板。
left_out-clocks = 时钟偏差、NTP、文件损坏。拜占庭容错：broker 作恶怎么办？
left_out-performance = Kafka 为什么快？吞吐量、延迟、压测、零拷贝、sendfile、顺序写。零拷贝是怎么做的？

term-high-watermark = 高水位是做什么的？HW 和 LEO 怎么配合？生产者收到了 ack，消费者却看不到消息。
term-log-end-offset = LEO 是什么意思？
term-remote-log-end-offset = leader 怎么记录每个 follower 复制到哪里了？
term-ISR = ISR 机制有什么优点和缺点，和过半写入、Raft 比有什么不同？ISR 里是哪些副本？
term-OSR = 掉队的副本在哪里？副本为什么不在同步列表里？
term-acks = acks 有几种取值，分别是什么含义？0、1、all 怎么选？
term-truncation = Kafka 会不会修改、删除已经写入的日志？日志为什么会变短？写进日志的消息还会变吗？
term-divergence = 副本之间的数据为什么会不同？一条消息在这台机器上有，在另一台上没有。
term-flush = 消息什么时候真正写到磁盘？日志就是预写日志（WAL）吗？
term-committed = 怎样才算已提交？
term-fenced = broker 多久没有心跳算下线？
term-follower = follower 主要负责什么？follower 怎么知道从哪个位移开始拉取？
term-leader = leader 负责什么，所有读写都经过它吗？
term-page-cache = 有没有预写日志（WAL），确认之前就落盘？
setting-broker-session-timeout-ms = broker 宕机多久以后才会被发现？控制器怎么知道一台 broker 死了？
setting-zookeeper-session-timeout-ms = ZooKeeper 怎么发现 broker 掉线？宕机多久以后才会选新的 leader？
setting-min-insync-replicas = 至少几个副本写成功才行？min.insync.replicas 怎么设置？设成多少合适，能按 topic 设吗？推荐值和默认值是多少？
setting-request-timeout-ms = 生产请求等多久算超时？
setting-unclean-leader-election-enable = unclean.leader.election.enable 怎么设置，能按 topic 设吗？
word-UnderMinIsrPartitionCount = 监控什么指标可以知道分区已经不能写了？
word-AtMinIsrPartitionCount = 再坏一台就不能写入了，看哪个指标？
word-UnderReplicatedPartitions = 机器都在，却告警说副本数不够、有副本没同步。
word-consumer-position-reset = broker 崩溃后消费组回退，重复消费旧消息。
word-OfflinePartitionsCount = 有分区没有 leader，看哪个指标？
word-isr-shrinks = ISR 一直缩小再扩大，是什么原因？
error-REQUEST_TIMED_OUT = 发送阻塞几十秒之后抛 TimeoutException。等不到应答。
error-OFFSET_OUT_OF_RANGE = 要读的位移不存在，重置后从头消费。
error-NOT_LEADER_OR_FOLLOWER = 客户端把请求发给了不是 leader 的机器。
error-LEADER_NOT_AVAILABLE = 客户端拿不到 leader，一直重试、一直告警。Error while fetching metadata with correlation id。

doc-how-to-embed = 怎么把动画放进博客、文档、网页里？
doc-how-to-share = 怎么把现在这一步发给同事？
doc-how-to-export = 导出动图、图片、视频，放进 PPT。
doc-how-to-find-a-failure = 怎么让它自动找出丢消息的步骤？消息丢了怎么查原因？
doc-how-to-import-a-cluster = 把我的集群现在的状态放进来看。宕机后消息丢了怎么排查？出了事故怎么分析？
doc-how-to-write-a-lesson = 自己写一个故障场景给学生看。
doc-how-to-assess = 我的集群、我的配置会不会丢数据？怎么检查现在的集群安不安全？
doc-how-to-assess-when-a-partition-has-no-leader = 分区离线，leader 是 none 或 -1，怎么恢复，怎样不丢数据，先启动哪一台？分区的所有副本都挂了，怎么让它重新上线？
doc-assess = 再坏一台机器，我的集群会怎样？
doc-lesson-plan = 给学生上一堂 Kafka 课，有没有讲义、题目和答案？
doc-fidelity = 这个模拟器和真实的 Kafka 一样吗，可信吗？
doc-reference-known-losses = 有哪些情况会丢消息？列出 Kafka 所有丢数据的场景。设置了 acks=all，什么情况下还会丢消息？
doc-reference-operator-words = 集群该监控哪些指标，应该对什么告警？
doc-explanation-articles = 网上讲 Kafka 副本机制的文章说得对吗？
doc-explanation-versions = 各个版本有什么不同，哪个版本修复了丢数据，哪一版去掉了 ZooKeeper？从旧版本升级到新版本，行为有什么变化？从 2.8 升级到 3.x，复制方面有什么变化？
doc-how-to-record-real-brokers = 用真实的 broker 重现这个场景。

error-CORRUPT_MESSAGE = 消息的 CRC 校验失败，校验和不对，Found invalid messages during fetch。
error-NOT_CONTROLLER = ControllerMovedException，请求发给了不是控制器的 broker。
doc-reference-command-line-compare = 并排比较两个版本的行为。
