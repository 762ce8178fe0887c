both-lose-power = 两个副本都断电，follower 先恢复
    .shows = m2 已提交，但 follower 还没有把它刷盘。follower 先恢复，成为 leader，在该位移写入 m3；原 leader 带着 m2 恢复。没有 leader 纪元时，两份日志一直不同。
clean-failover-tail = 正常故障转移，未确认的日志尾部被移除
    .shows = 只有 leader 拥有的消息（acks=1），在它作为 follower 回到新 leader 之后被截断；逐步列出纪元文件。
controlled-shutdown = leader 受控关闭
    .shows = SIGTERM：leader 转移，它退出 ISR，写入正常关闭标记、高水位和恢复点；之后恢复。
crash-of-both = 同样的步骤，但没有断电
    .shows = 把断电换成进程崩溃，就不会分叉：成为 leader 不会截断，所以 m3 追加在 m2 之后。
cut-links = 切断两台 broker 之间的链路：先双向，再逐个方向
    .shows = 从 leader 到 follower 的链路被切断时，leader 收到 follower 的拉取请求，而 follower 收不到响应。
deposition-unseen = leader 没有看到自己被取代
    .shows = broker 2 在其间担任 leader，broker 3 截断 m1。broker 1 从未得知那个纪元：它再次成为 leader，计入 broker 3 旧的拉取，并确认 m1。随后它被杀死，broker 3 成为 leader，没有 m1。
disk-loss = 磁盘丢失：先是 follower，然后是最后的 leader
    .shows = 丢失磁盘的 follower 重新复制全部内容。随后 leader 在 ISR 中只剩自己时丢失磁盘，并带着空日志恢复。
divergence-repaired = 两台 broker 都断电，后加入 ISR 的成员先回来
    .shows = 两台都断电，broker 2 还丢失 m2；它成为 leader，在位移 1 写入 m3；broker 1 带着 m2 恢复，并按纪元截断：没有分叉，m2 丢失。
eligible-but-no-replica = 合格，却不是副本
    .shows = 重新分配完成时，ISR 小于 min.insync.replicas。被移除的 broker 留在合格 leader 副本（ELR）中，之后分区的两个副本都存活，分区却没有 leader。
elr-clean-election = 从 ELR 中进行 clean 选举
    .shows = 与 last-replica-standing-min2 相同，但 leader 只是被隔离（冻结）：从 ELR 中选出 3，1 留在 ELR 中，直到加入 ISR。
elr-holds-a-removed-replica = ELR 保留了已不是副本的 broker
    .shows = 重新分配到 [2,3] 完成之后，被移除的 broker 5 仍在 ELR 中；所有副本都恢复之后，分区仍没有 leader。
empty-epoch = 没有消息的纪元
    .shows = leader 在两个 broker 之间往返，其间没有写入消息。从 2.0.1 起，leader 在写入之前就记录自己的纪元；如果它一直没有写入，下一个纪元取代该条目时，它被移除。
failover-and-return = leader 故障、恢复并再次担任 leader
    .shows = leader 在被终止时有一条 follower 没有的消息；下一个 leader 在该位移写入另一条。原 leader 恢复、截断、追上，并通过首选 leader 选举再次担任 leader；然后被关闭。这些步骤在每个版本和两种 controller 下都可行。
fast-leader-failover = 快速的 leader 故障切换
    .shows = 两个 broker 轮流成为 leader，各自写入对方没有的消息。只查询一次，找不到两份日志的分叉点。
fetch-rounds = 逐次拉取：高水位是 ISR 中的最小值
    .shows = 两个 follower 的每一次拉取都单独放行，有些会遇到上一次之后写入的消息。随后一个 follower 不再拉取：一条 acks=all 的消息超时，等该 follower 再次拉取后提交。
five-in-sync = 五个成员的 ISR 收缩、扩大并故障转移
    .shows = 五个副本，其中三个必须同步。两个离开，然后又离开一个：acks=all 被拒绝。全部恢复。leader 被杀死，恢复，并再次担任 leader。
follower-bounce = 高水位落后的 follower 重启，并通过 unclean 选举成为 leader
    .shows = broker 1 有 m4 和 m5，但不知道它们已提交。它被杀死并离开 ISR，重新启动，在 leader 被杀死后通过 unclean 选举当选。0.10.2 及更早的版本在它启动时就截断了这两条。
follower-death = follower 停机后恢复
    .shows = follower 被杀死：leader 纪元不变（3.6 及以上）或加 1（3.6 以下），分区纪元加 1。
followers-lag = 落后的 follower 先后离开 ISR
    .shows = broker 3 不拉取时，高水位一直等待，直到落后超时，ISR 收缩。随后 broker 2 也落后，ISR 小于 min.insync.replicas。两者之后都返回。
frozen-follower = 可消费的末端等待一个被冻结的 ISR 成员
    .shows = HW = ISR 中最小的 LEO：只要有一个 ISR 成员不拉取，acks=1 的消息会写入但不能消费，acks=all 超时；解冻后全部提交。
hw-checkpoint-behind = 缺少 HW 检查点的 follower 重启：不截断任何消息
    .shows = 关闭 HW 检查点；follower 被杀死，以 HW 0 重启（其间 leader 被冻结），日志保留；故障转移到它时没有丢失任何消息。
idempotent-duplicate = 幂等 producer：重试会被识别
    .shows = 再次发送同一批次（producer id、纪元、序号）时，响应原来的位移，不追加任何内容；序号有间隔时被拒绝；leader 变更前后都是如此。
idempotent-retry = 响应丢失，批次被再次发送
    .shows = 幂等 producer 没有收到正在等待 follower 的 leader 的响应，于是再次发送该批次：先发给同一个 leader，再发给下一个 leader。
isr-join-guard = 高水位落后的新 leader 面前，一个副本要加入 ISR
    .shows = m1 由 broker 1 和 3 提交。broker 3 以高水位 0 成为 leader，而没有任何消息的 broker 2 从位移 0 拉取。它不能加入 ISR：从 2.0.1 起，它还必须到达 leader 纪元的起点。
kip-101-data-loss = 一条已确认的消息丢失
    .shows = Kafka 0.11 之前的版本截断到高水位：follower 重启、leader 崩溃并正常选举之后，一条已确认的消息不在任何副本上。
last-isr-member-stops = ISR 的最后一个成员正常关闭
    .shows = 副本数 2，2 停机后 ISR 为 [1]；1 受控关闭：leader 为 -1，ISR 保留（或移入 ELR）；1 恢复。
last-known-leader = 三台 broker 都非正常重启：最后已知的 leader
    .shows = ELR 的每个成员都非正常重启；即使有其他副本在运行，分区也等待最后已知的 leader。
last-replica-standing = ISR 中最后一个副本断电
    .shows = 两个 follower 离开。只剩 leader 时，它拒绝 acks=all，以 acks=1 写入 x，然后断电并丢失 x。有 ELR 时，合格的 follower 成为 leader；没有 ELR 时，只有 ISR 的最后一个成员可以。
last-replica-standing-min1 = 只剩一个副本，min.insync.replicas=1
    .shows = 副本数 3，min.insync.replicas=1：ISR 收缩到只剩 leader，m2 仅由它确认，断电丢失 m2，leader 以更短的日志再次当选。
last-replica-standing-min2 = 只剩一个副本，min.insync.replicas=2
    .shows = 副本数 3，min.insync.replicas=2：2 和 3 先后被隔离，x（acks=1）只在 leader 上，leader 被杀死并非正常重启（日志截断到 m1），随后 3 和 2 恢复。有 ELR 时选出 3，没有 ELR 时选出 1。
late-answer = 旧纪元的响应截断已确认的消息
    .shows = s56：“纪元 0 结束于 1”的响应被扣留，其间 broker 2 担任 leader，m1 得到确认；broker 1 再次成为 leader 之后响应才到达 broker 3：3.9.0 和 4.0.0 截断 m1（KAFKA-18991），3.9.1 和 4.0.1 不截断。broker 1 在 3 下一次拉取之前被杀死，3 通过 clean 选举当选。
late-answer-from-empty = 旧纪元的响应截断一条已确认的消息
    .shows = 课程 late-answer-of-an-old-epoch，从空集群开始：“纪元 0 结束于 1”的响应被扣留，期间 broker 2 当选 leader 并确认 m1；broker 1 再次当选后，响应才到达 broker 3。3.9.0 截断 m1（KAFKA-18991），3.9.1 保留它。
leader-cut-off = 只有 controller 联系不到的 leader
    .shows = broker 1 与 controller 断开，不知道 broker 2 已是 leader。它以 acks=1 确认 z1，z2 要等待 follower，而它无法收缩 ISR。重新连上 controller 之后，它截断这两条。
leave-and-return = follower 和 leader 以各种方式离开并返回
    .shows = follower 先被杀死，再被关闭；然后关闭 leader。副本的顺序改变。最后，ISR 的唯一成员被杀死，再被关闭。哪些操作会写入新的 leader 纪元，取决于版本。
min-isr-gate = min.insync.replicas=2：ISR 因落后而收缩到该值以下
    .shows = ISR 收缩到只剩 leader，低于 min.insync.replicas=2 之后：acks=all 返回 NOT_ENOUGH_REPLICAS，不追加任何内容；acks=1 可以追加；HW 前进（3.6 及以下）或不变（3.7 及以上）。
missed-deposition-control = 对照运行：同样的过程，分两次投递
    .shows = 与 missed-deposition-lag 相同，但 leader 1 在纪元 2 写入之前就读到了纪元 1。
missed-deposition-crash = 错过自己被取代的 leader（中间的 leader 崩溃）
    .shows = 与 missed-deposition-lag 相同，但纪元 2 来自 2 的崩溃：controller 在同一条元数据记录里把 2 移出 ISR 并选出 1；1 在应用这次投递的同时推进 HW，并确认 m1。
missed-deposition-lag = 错过自己被取代的 leader
    .shows = leader 1 在一次投递中读到纪元 1（leader 为 2）和纪元 2（leader 为自己）：它仍是 leader，并保留纪元 0 时记下的各 follower 的日志末端。其间 3 已跟随 leader 2 截断 m1；1 始终认为 3 已追上，因落后把 2 移出 ISR，推进 HW 并确认 m1；1 崩溃一次，3 就通过 clean 选举当选：m1 丢失。
missed-deposition-natural = 错过自己被取代的 leader（没有其他缓慢的 broker）
    .shows = 只有 broker 1 读取元数据较晚。3 比 1 先得知纪元 2，收到 UNKNOWN_LEADER_EPOCH，等待 replica.fetch.backoff.ms（默认 1000）；1 应用这两个纪元，立即确认 m1，并在 3 下一次拉取之前崩溃。
missed-deposition-no-crash = 错过自己被取代的 leader：没有任何崩溃也会丢失消息
    .shows = 与 missed-deposition-lag 相同，但没有任何 broker 停机：m1 得到响应之后，一次普通的首选 leader 选举把 leader 转移给 ISR 中没有 m1 的 3；1 跟随 3 并截断 m1。
missed-deposition-order = 错过自己被取代的 leader（不需要等待落后超时）
    .shows = 与 missed-deposition-lag 相同，但 broker 2 得知纪元 2 后立即跟随 1：它的拉取和记下的 3 的日志末端推进了 HW。副本为 [1,3,2]：1 崩溃，3 通过 clean 选举当选：已确认的 m1 丢失，尽管 2 有它。
new-order-waits = 只改变副本顺序的重新分配
    .shows = 改变副本顺序时 broker 3 已停机。2.3 及以下的 ZooKeeper controller 会等到全部副本进入 ISR：broker 3 恢复时写入新的 leader 纪元，重新分配结束时又写入一个。从 2.4 起，新顺序立即生效，只写入一个纪元。
not-enough-after-append = min.insync.replicas=2：acks=all 等待期间一个 follower 停机
    .shows = 3.6 及以下：返回 NOT_ENOUGH_REPLICAS_AFTER_APPEND，消息变为可消费；3.7 及以上：返回 REQUEST_TIMED_OUT，HW 不变。消息留在日志中，follower 恢复后提交；普通重试会产生重复消息。
not-enough-replicas = 副本不足：追加之前与追加之后
    .shows = 一条消息等待 follower 时，follower 停止：leader 有这条消息，但它不算数。下一条被拒绝，acks=1 的不会。follower 恢复之后，幂等 producer 再次发送同一条消息，不会再追加。
preferred-election = 首选 leader 选举
    .shows = leader 1 停机后恢复：leader 不变；首选 leader 选举把它移回，ISR 不变；第二次请求被拒绝。
rand1-ta = 随机调度 1，副本 [1,2,3]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand1-tb = 随机调度 1，副本 [2,3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand1-tc = 随机调度 1，副本 [3,1,2]，min.insync.replicas=2，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand1-td = 随机调度 1，副本 [3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand1-te = 随机调度 1，副本 [2,1]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand1-tf = 随机调度 1，副本 [1,3,2]，min.insync.replicas=3，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-ta = 随机调度 2，副本 [1,2,3]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-tb = 随机调度 2，副本 [2,3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-tc = 随机调度 2，副本 [3,1,2]，min.insync.replicas=2，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-td = 随机调度 2，副本 [3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-te = 随机调度 2，副本 [2,1]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand2-tf = 随机调度 2，副本 [1,3,2]，min.insync.replicas=3，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-ta = 随机调度 4，副本 [1,2,3]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-tb = 随机调度 4，副本 [2,3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-tc = 随机调度 4，副本 [3,1,2]，min.insync.replicas=2，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-td = 随机调度 4，副本 [3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-te = 随机调度 4，副本 [2,1]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand4-tf = 随机调度 4，副本 [1,3,2]，min.insync.replicas=3，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-ta = 随机调度 7，副本 [1,2,3]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-tb = 随机调度 7，副本 [2,3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-tc = 随机调度 7，副本 [3,1,2]，min.insync.replicas=2，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-td = 随机调度 7，副本 [3,1]
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-te = 随机调度 7，副本 [2,1]，min.insync.replicas=2
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
rand7-tf = 随机调度 7，副本 [1,3,2]，min.insync.replicas=3，允许 unclean 选举
    .shows = 一个有六个 topic 的集群上的随机故障、重新分配和选举，这是其中一个 topic。只运行了一次。
reassign-cancel-only-added-left = 只有新增副本存活时取消
    .shows = [5,6] 到 [3,4]，4 停机：3 加入，然后 5 和 6 被杀死。取消需要 unclean 选举，因此被拒绝；5 重新加入之后被接受。
reassign-cancel-only-added-left-min2 = 只有新增副本存活时取消，min.insync.replicas 为 2
    .shows = 与 reassign-cancel-only-added-left 相同，但 min.insync.replicas=2，并启用合格的 leader 副本。
reassign-cancel-only-added-left-unclean = 只有新增副本存活时取消，允许 unclean 选举
    .shows = 与 reassign-cancel-only-added-left 相同，但允许 unclean 选举：取消之后 ISR 只有一个停机的副本，没有 leader。
reassign-cancelled = 取消进行中的重新分配
    .shows = [1,2] 到 [3,4]，4 停机：3 加入 ISR。取消用一条记录和一个新纪元把 3 移出 ISR；之后 4 恢复。
reassign-removal-cancelled = 取消等待中的移除
    .shows = [1,2,3] 到 [4]，4 停机，然后取消。
reassign-replaced = 重新分配进行中被替换
    .shows = [1,2] 到 [1,3] 等待停机的 3。请求 [1,2,3] 之后，controller 保留原来的新增和移除列表；3 启动后结果是 [1,3]。
reassign-replaced-disjoint = 被不相交的列表替换
    .shows = [1,2] 到 [3,4]，4 停机，3 加入，然后到 [5,6]；之后 4 恢复。
reassign-replaced-disjoint-single = 单个副本：被不相交的列表替换
    .shows = [2] 到 [4]，4 停机，然后到 [3]；之后 4 恢复。
reassign-same-target-again = 再次请求相同的目标
    .shows = [1,2] 到 [1,4]，4 停机，然后再次请求 [1,4]：没有错误，也没有记录；之后 4 恢复。
reassign-to-full-list-in-progress = 请求当前的完整列表
    .shows = [1,2] 到 [1,4]，4 停机，所以副本是 [1,4,2]；请求 [1,4,2] 时什么也不写；之后 4 恢复。
reassign-to-present-list = 重新分配到现有的列表
    .shows = [1,2] 到 [1,2] 什么也不写；取消得到 NO_REASSIGNMENT_IN_PROGRESS。
reassign-unclean-cancel-controller-fault = unclean 的取消之后，注册使 controller 停止
    .shows = [1] 到 [2,3]，3 停机，允许 unclean 选举：2 加入，1 被杀死，取消之后最后已知的 leader 已不是副本。1 注册时 controller 出错，并一再重复。
reassignment = 重新分配 [1,2] → [2,3]
    .shows = 增加和移除副本、ISR 扩展、leader 转移；每一步之后的纪元。
removed-replica-waits = 被移除的副本，最后一次拉取没有响应
    .shows = broker 2 不再是副本，但它最后一次拉取还没有响应。在 1.0 及之前，它先等待该响应，再删除自己的日志（KAFKA-6051）。从 1.1 起，它关闭连接并立即删除日志。
restart-after-kill = follower 被 SIGKILL 后重启
    .shows = 与 restart-after-stop 相同，但使用 SIGKILL：没有 HW 检查点，HW 为 0，日志末端不变。
restart-after-power-loss = follower 在模拟断电后重启
    .shows = 高水位检查点为 5，日志被截断到 3：follower 以高水位 3 启动，即它的日志末端。
restart-after-stop = follower 正常关闭后重启
    .shows = 关闭 HW 检查点（只在停止时写）：停止时写入 HW 和恢复点；重启后（leader 被冻结）HW 来自检查点。
restart-before-session-end = 被杀死的 broker 在 ZooKeeper 会话结束之前启动
    .shows = 旧进程的 znode 还在，新进程无法注册，于是结束。会话结束之后，它才能启动。
return-at-session-end = broker 在会话结束时返回
    .shows = broker 1 被杀死，并在其会话结束之前启动。新进程在会话结束之后、controller fence 它之前注册。只录制了一次。
s01-two-rounds = 逐轮拉取：先一条消息，第一条还在途中时再来第二条
    .shows = 每一轮之后 leader 和 follower 的 HW（S01、S02）。
s03-hw-is-min-of-isr = 三台 broker，逐轮拉取
    .shows = HW = ISR 中最小的日志末端位移。
s08-not-enough-replicas = min.insync.replicas=2，ISR 为 { "{" }1{ "}" }
    .shows = acks=all 在追加之前被拒绝；acks=1 被接受；HW 是否前进
s09-not-enough-replicas-after-append = min.insync.replicas=2；produce 追加之后 follower 停止拉取，leader 收缩 ISR
    .shows = 3.6 及以下：ISR 收缩时，该消息返回 NOT_ENOUGH_REPLICAS_AFTER_APPEND，HW 越过它；3.7 及以上：HW 不变，返回 REQUEST_TIMED_OUT；两种情况下消息都留在日志中。
s10-idempotent-retry = 与 S09 相同，但 producer 幂等：用同样的 producer id 和序号再次发送
    .shows = 重试得到第一次的位移，没有重复消息。
s12-uncommitted-tail = leader 带着未提交的日志尾部停机，follower 成为 leader，旧 leader 恢复
    .shows = 未提交的 m2、m3 在恢复的 leader 上被移除。
s14-follower-hw-goes-back = 首选 leader 选举把 leader 从 A（HW 5）换成 D（HW 0）；B（HW 5）先于 A 从 D 拉取
    .shows = follower B 的 HW 从 5 退回到 0，A 拉取之后再次前进。
s15-hw-after-restart = follower 重启后的 HW（其拉取被扣留）：检查点落后于日志、检查点文件缺失、检查点超出日志
    .shows = 重启后 HW = 检查点，不超过日志末端；缺少文件时为 0。0.10.2：follower 还会截断到该值。
s16-three-ways-to-stop = 同一个 follower 状态：正常关闭、被杀死、断电；重启后的日志末端和 HW（其拉取被扣留）
    .shows = 正常停止：全部保留，检查点是最新的；杀死：日志保留，检查点过时；断电：日志被截断，HW 不超过日志末端。0.10.2 随后截断到检查点。
s20-election-order = 副本为 [3,2,1]；2 重启一次，ISR 的顺序变为 [3,1,2]；leader 3 停机；2 停机；全部恢复
    .shows = 选举按分配的副本顺序，而不是 ISR 的顺序；以及 znode 中 ISR 的顺序。
s21-preferred-election = 副本为 [1,2,3]：1 停机后恢复；首选 leader 选举
    .shows = 只有 leader 和 leader_epoch 改变。
s23-epoch-bookkeeping = follower 停机、leader 停机、follower 和 leader 受控关闭、唯一副本重启、调整副本顺序、首选 leader 选举之后的 leader_epoch 和 znode 版本
    .shows = controller 每次写入都使 leader_epoch 加 1（ZooKeeper）。
s24-follower-bounce-five-records = HW 落后的 follower 被杀死并重启；leader 停机；follower 当选（允许 unclean）；旧 leader 恢复
    .shows = 0.10.2：重启的 follower 在拉取之前截断到自己的 HW，已确认的 m4、m5 在两台上都丢失；0.11 及以上：不截断，没有丢失。
s26-follower-bounce-leader-death = HW 落后的 follower 被杀死并重启，随后 leader 停机；follower 当选（允许 unclean）；旧 leader 恢复
    .shows = 0.10.2：重启的 follower 在拉取之前截断到自己的 HW，已确认的 m2 在两台上都丢失；0.11 及以上：不截断，没有丢失。
s27-unnoticed-bounce-clean-election = 同样的过程，但不允许 unclean 选举：controller 被冻结，没有察觉重启；之后纪元增加，follower 截断；leader 停机，follower 以 clean 选举当选
    .shows = 0.10.2：已确认的 m2 因 clean 选举而丢失，而且由于 unclean.leader.election.enable=false，恢复的旧 leader 收到 OFFSET_OUT_OF_RANGE 后自行退出；0.11 及以上：没有丢失。
s28-power-loss-of-both = 两台 broker 都断电；follower 在磁盘上丢了 m2，先回来并成为 leader；写入 m3；旧 leader 恢复
    .shows = 0.10.2：同一位移上的消息不同（m2 / m3），且两者都在 ISR 中；0.11 及以上：旧 leader 截断到共同纪元的末端（S29）。
s28b-crash-of-both-no-power-loss = 与文章所述相同：两个进程都崩溃（页缓存保留），follower 先回来并成为 leader
    .shows = 没有断电：新 leader 的 HW 是 1，但仍保留 m2（成为 leader 时不截断）；m3 写在位移 2；任何版本都没有分叉。
s30-three-brokers = 三台 broker 的日志有 5、4、3 条消息；A 和 B 停机，C 成为 leader；B 恢复，C 停机；B 成为 leader 并写入；A 和 C 恢复
    .shows = 三台最终相同；各版本的纪元缓存内容。
s32-undef-fallback = m1 已确认（B 的 HW 落后）；leader 换成 B（写入 m2），再换回 A（没有写入）；B 截断；A 停机，B 以 clean 选举当选
    .shows = 0.10.2、0.11 到 2.0.0：B 截断到自己的 HW 0，已确认的 m1 因 clean 选举而丢失；2.0.1 及以上：B 截断到 1，m1 保留。
s33-fast-leader-failover = A 在纪元 0 写入 a0（未复制）后停机；B 在纪元 1 写入 b0 后停机；A 再次成为 leader（unclean），写入 a1；B 恢复
    .shows = KIP-279：响应中没有纪元时（0.11 到 1.1），以及在 2.0.0 中，B 保留 b0：出现分叉；2.0.1 及以上：已修复。
s36-empty-epoch = leader 换成 B 再换回来，期间没有写入消息
    .shows = leader-epoch-checkpoint：2.0.1 之前，没有消息的纪元不留下条目；从 2.0.1 开始只在该 leader 上留下一个，之后被替换。
s37-isr-join-guard = B（2）从未进入 ISR，日志为空；新 leader D（3）的 HW 落后，为 0；B 从 0 拉取；随后 A（1）和 D 停机
    .shows = 0.11 到 2.0.0：B 以 LEO 0 = 过时的 HW 加入 ISR，并以空日志通过 clean 选举当选，已确认的 m1 丢失；2.0.1 及以上：它不能加入，分区离线。
s38-zombie-leader = 只有 leader 与 ZooKeeper 断开，其会话到期，另一个 leader 当选；它仍接受 produce 请求
    .shows = 僵尸 leader：acks=all 始终得不到确认，acks=1 得到确认但之后丢失；恢复连接后它截断日志。
s40-unclean-election = unclean 选举：第一条消息两台都有，第二条只在 A 上；A 停机，B 以 unclean 选举当选，写入第三条；A 恢复
    .shows = 0.10.2：之后两份日志在位移 1 处不同；0.11 及以上：已修复，second 丢失。
s41-unclean-disabled = 同样的过程，但不允许 unclean 选举
    .shows = 直到 ISR 的最后一个成员恢复才有 leader；没有丢失。
s46-whole-cluster-power-loss = m1、m2 已由三台 broker 确认，全部断电，磁盘上只有 m1
    .shows = 已确认的 m2 在每个版本中都丢失。
s47-surviving-copy-destroyed = A 和 B 已确认 m2；B 停机；A 断电，m2 未落盘，恢复后成为 ISR 的唯一成员；B 恢复
    .shows = 在 clean 选举中，B 删除了已确认的 m2 的完好副本；ELR 之前的每个版本都是如此。
shrink-by-lag = ISR 因落后而收缩，HW 得以前进（min.insync.replicas=1）
    .shows = 停止拉取的 follower 在 replica.lag.time.max.ms 之后离开 ISR；随后 HW 前进，等待中的 acks=all 得到确认；leader 纪元是否改变？follower 恢复并重新加入。
sole-replica-bounce = 唯一的副本关闭后恢复，再被杀死后恢复
    .shows = 副本数为 1 的分区在正常停止和崩溃前后的 leader 纪元和分区纪元。
stale-high-watermark = 高水位落后的新 leader
    .shows = 三条消息已提交，但带有新高水位的响应没有到达 broker 2。它成为 leader 后从自己的高水位开始，原来领先的 follower 会后退。
stale-hw-new-leader = HW 落后的新 leader
    .shows = leader 正常转移给 HW 落后的 follower：可消费的末端后退，在 ISR 的其他成员拉取之前，ListOffsets latest 返回 OFFSET_NOT_AVAILABLE。
survivor-cut-off = 幸存的副本只是被隔离（冻结）
    .shows = 与 survivor-destroyed 相同，但 broker 2 不是被杀死，而是被冻结到被隔离为止，因此它没有非正常关闭。没有 ELR 时，它的 m2 副本被截断；有 ELR 时，它当选。
survivor-destroyed = 幸存的副本被破坏
    .shows = m2 由两台确认；2 停机；1（ISR 的唯一成员）断电并丢失 m2；1 再次成为 leader；2 恢复，并截断它完好的 m2 副本。
three-brokers-epochs = 三台 broker，三个纪元
    .shows = 示意图：A 有 5 条消息，B 有 4 条，C 有 3 条；A 和 B 停机，C 担任一个纪元的 leader 但没有写入，随后 B 成为 leader 并写入，A 和 C 恢复：三台相同。
three-brokers-three-epochs = 三个 broker，三个纪元
    .shows = 两任 leader 先后崩溃。每个回来的 broker 都与 leader 的日志比对，最后所有日志相同。
three-replicas-min = HW 是三个副本的最小值
    .shows = 两个 follower 先后冻结：HW 是 ISR 中最小的日志末端位移。
three-ways-to-stop = follower 被关闭、被杀死、断电
    .shows = 每次之后，在 follower 第一次拉取之前读到的内容表明它以怎样的高水位和日志启动。它的高水位文件比日志旧。最后 leader 被杀死，follower 成为 leader。
tolerate-f-failures = 三个副本，min.insync.replicas=2：一次、两次、三次崩溃
    .shows = 一台崩溃：可写；两台：acks=all 被拒绝，仍可读；三台：没有 leader；全部恢复：已确认的消息没有丢失。
transactions = 事务：最后稳定位移，提交标记和中止标记
    .shows = read_committed 停在未结束事务的第一个位移；事务标记是控制批次，占用自己的位移。
transactions-and-readers = 事务，以及 consumer 读到的内容
    .shows = 一个事务中止，另一个提交。使用 read_committed 的 consumer 等待每个事务结束，并跳过已中止的内容；使用 read_uncommitted 的不会。另有一条不要求确认的消息。
unclean-by-admin = 按请求进行 unclean 选举
    .shows = 相同的过程，但 topic 禁止 unclean 选举，由运维人员请求一次（ElectLeaders UNCLEAN）。
unclean-by-admin-after-restart = 重启之后，管理员请求 unclean 选举
    .shows = topic 禁止 unclean 选举。有两个存活的副本，都不在 ISR 和 ELR 中；ElectLeaders UNCLEAN 选出其中第一个。
unclean-cluster-default-on = 没有 leader 时打开集群默认值
    .shows = 打开 unclean.leader.election.enable 的动态集群默认值不会立即选出 leader；broker 下一次恢复时才选举。
unclean-disabled = 不允许 unclean 选举：等待最后一个 ISR 成员
    .shows = leader 为 -1，不提供任何服务，直到 ISR 的最后一个成员恢复；没有丢失。
unclean-election = unclean 选举丢失一条已确认的消息
    .shows = 副本数 2，topic 开启 unclean 选举：落后的副本成为 leader，覆盖该位移，旧 leader 恢复时截断。
unclean-interval = 定期检查进行 unclean 选举
    .shows = unclean.leader.election.interval.ms 为 15 秒：没有 leader 时为 topic 打开设置，下一次检查选出 leader。
unclean-interval-min2 = min.insync.replicas 为 2 时的定期检查
    .shows = 与 unclean-interval 相同，但 min.insync.replicas=2。
unclean-interval-off = 定期检查不处理禁止它的 topic
    .shows = 与 unclean-interval 相同，但没有打开设置：经过几次检查，没有选出任何 leader。
unclean-never = 始终不允许 unclean 选举
    .shows = 分区没有 leader，直到 ISR 的最后一个成员恢复，无论还有谁存活。
unclean-on-for-one-broker = 只为一个 broker 打开设置
    .shows = 只为 broker 1 打开 unclean.leader.election.enable；它存活，但不在 ISR 和 ELR 中：Kafka 接受这个设置，而 controller 忽略它，broker 1 重启时也是如此。
unclean-on-from-the-start = 设置从一开始就打开
    .shows = ISR 和 ELR 之外的副本解除隔离后立即当选。
unclean-on-then-quick-restart = 打开设置，存活的 broker 在会话结束前恢复
    .shows = 与 unclean-on-then-restart 相同，但 broker 1 被杀死后，在 controller 发现故障之前就恢复。
unclean-on-then-restart = 打开设置，然后存活的 broker 重启
    .shows = 没有 leader，broker 1 存活但不在 ISR 中。为 topic 打开设置不会选出 leader；broker 1 重启后恢复时才选举。
unclean-on-then-start-of-another = 打开设置，然后启动另一个副本
    .shows = broker 1 存活但不在 ISR 和 ELR 中。打开设置之后启动 broker 2，controller 选出第一个存活的副本 broker 1。
unclean-on-then-start-of-stopped = 没有存活的副本时打开设置
    .shows = 两个副本都停机。打开设置，一个没有副本的 broker 重启；之后 ISR 之外的副本启动并当选。
unclean-refused = topic 禁止 unclean 选举，直到管理员请求
    .shows = 集群默认值和一个 broker 自己的设置都允许，topic 不允许。重启和另一个副本的启动都不会选出 leader，管理员的请求会。
unclean-switched-on = 没有 leader 时打开 unclean 选举
    .shows = 只打开 topic 的设置不会选出 leader；存活的副本下一次注册时才选举。
unclean-topic-off-under-cluster-default = 集群默认允许，而 topic 禁止
    .shows = 与 unclean-cluster-default-on 相同，但 topic 设置了 unclean.leader.election.enable=false：没有选出 leader。
undefined-epoch-fallback = leader 被问到一个纪元，而它没有写入任何消息
    .shows = broker 2 担任 leader，写入 m2，然后交还给 broker 1，后者在新纪元中没有写入。broker 2 截断时不知道 m1 已提交。broker 1 被杀死，broker 2 成为 leader：1.1 及更早的版本可能丢失 m1。
walk-1 = 随机调度 1：被冻结的 controller 不会重发命令
    .shows = 随机调度：等待最后一次拉取的 broker 在 controller 被冻结期间被杀死并重新启动；controller 恢复之后，它才删除被移除的副本。只录制了一次。
walk-1004 = 随机调度 1004：被切断的链路上的响应
    .shows = 随机调度，其中被切断的链路丢失了一次拉取的响应。只录制了一次。
walk-2500000 = 随机调度 2500000：重启后还没有拉取的副本不会拖住高水位
    .shows = 随机调度，其中 ISR 之外的一个副本重启：在它的新进程拉取之前，高水位不等待它（KIP-903）。只录制了一次。
walk-2500003 = 随机调度 2500003：经过被切断链路的拉取
    .shows = 随机调度，其中 follower 在一条会丢失响应的链路上拉取了两次。只录制了一次。
walk-3513 = 随机调度 3513：第二个分区的一次拉取
    .shows = 随机调度，其中只放行第二个分区的一次拉取，它在 leader 上等待。只录制了一次。
walk-4500003 = 随机调度 4500003：失败的 acks=0 请求
    .shows = 随机调度，其中 acks=0 的 producer 写入一个还没有读到自己已是 leader 的 broker：收不到响应。只录制了一次。
walk-5100003 = 随机调度 5100003：一次拉取请求包含两个分区
    .shows = 随机调度，其中一个 follower 从同一个 leader 拉取两个分区：每个请求都包含这两个分区。缩短后的调度，只录制了一次。
walk-5500003 = 随机调度 5500003：follower 加入 ISR 时，它的拉取在等待
    .shows = 随机调度，其中 follower 会落后：每一步都在落后的副本离开 ISR 之后读取。一个 follower 在 ISR 小于 min.insync.replicas 时重新加入，它的拉取响应带有随后的高水位。缩短后的调度，只录制了一次。
whole-cluster-power-loss = 整个集群断电
    .shows = m1、m2 由三个副本确认（min.insync.replicas=3）；三台都丢失 m2：消息丢失。
x1-dead-outsider-holds-hw = 刚刚停机的 follower 已不在 ISR 中，但在 replica.lag.time.max.ms 之内曾经同步
    .shows = KAFKA-4485（0.10.2 及以上）：leader 的 HW 等待 ISR 之外最近追上的副本，即使它已停机，直到 replica.lag.time.max.ms 过去。
x3-restart-before-session-end = 被杀死的 broker 在旧会话（及其 /brokers/ids znode）仍存在时重启
    .shows = broker 能否在自己的 ZooKeeper 会话到期之前重启。
zombie-leader = 只与 controller 断开的 leader
    .shows = broker 1 是 leader，只有它到 controller 的链路被切断（TCP 转发器）：选出纪元更高的新 leader，而 1 仍认为自己是 leader：它接受并确认了什么，得知消息之后又留下什么。
zombie-leader-short-lag = 只与 controller 断开的 leader，落后超时很短
    .shows = 与 zombie-leader 相同，但 replica.lag.time.max.ms=3000：僵尸 leader 试图收缩 ISR 但不能；它的 HW 不变。
