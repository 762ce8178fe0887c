clean-failover-tail = 正常故障转移，未确认的日志尾部被移除
controlled-shutdown = leader 受控关闭
divergence-repaired = 两台 broker 都断电，后加入 ISR 的成员先回来
elr-clean-election = 从 ELR 中进行 clean 选举
empty-epoch = 没有写入任何消息的纪元
follower-death = follower 停机后恢复
frozen-follower = 可消费的末端等待一个被冻结的 ISR 成员
hw-checkpoint-behind = 缺少 HW 检查点的 follower 重启：不截断任何消息
idempotent-duplicate = 幂等 producer：重试会被识别
last-isr-member-stops = ISR 的最后一个成员正常关闭
last-known-leader = 三台 broker 都非正常重启：最后已知的 leader
last-replica-standing-min1 = 只剩一个副本，min.insync.replicas=1
last-replica-standing-min2 = 只剩一个副本，min.insync.replicas=2
min-isr-gate = min.insync.replicas=2：ISR 因落后而收缩到该值以下
missed-deposition-control = 对照运行：同样的过程，分两次投递
missed-deposition-crash = 错过自己被取代的 leader（中间的 leader 崩溃）
missed-deposition-lag = 错过自己被取代的 leader
missed-deposition-natural = 错过自己被取代的 leader（没有其他缓慢的 broker）
missed-deposition-no-crash = 错过自己被取代的 leader：没有任何崩溃也会丢失消息
missed-deposition-order = 错过自己被取代的 leader（不需要等待落后超时）
not-enough-after-append = min.insync.replicas=2：acks=all 等待期间一个 follower 停机
preferred-election = 首选 leader 选举
reassignment = 重新分配 [1,2] → [2,3]
restart-after-kill = follower 被 SIGKILL 后重启
restart-after-stop = follower 正常关闭后重启
s01-two-rounds = 逐轮拉取：先一条消息，第一条还在途中时再来第二条
s03-hw-is-min-of-isr = 三台 broker，逐轮拉取
s08-not-enough-replicas = min.insync.replicas=2，ISR 为 { "{" }1{ "}" }
s09-not-enough-replicas-after-append = min.insync.replicas=2；produce 追加之后 follower 停止拉取，leader 收缩 ISR
s10-idempotent-retry = 与 S09 相同，但 producer 幂等：用同样的 producer id 和序号再次发送
s12-uncommitted-tail = leader 带着未提交的日志尾部停机，follower 成为 leader，旧 leader 恢复
s14-follower-hw-goes-back = 首选 leader 选举把 leader 从 A（HW 5）换成 D（HW 0）；B（HW 5）先于 A 从 D 拉取
s15-hw-after-restart = follower 重启后的 HW（其拉取被扣留）：检查点落后于日志、检查点文件缺失、检查点超出日志
s16-three-ways-to-stop = 同一个 follower 状态：正常关闭、被杀死、断电；重启后的日志末端和 HW（其拉取被扣留）
s20-election-order = 副本为 [3,2,1]；2 重启一次，ISR 的顺序变为 [3,1,2]；leader 3 停机；2 停机；全部恢复
s21-preferred-election = 副本为 [1,2,3]：1 停机后恢复；首选 leader 选举
s23-epoch-bookkeeping = follower 停机、leader 停机、follower 和 leader 受控关闭、唯一副本重启、调整副本顺序、首选 leader 选举之后的 leader_epoch 和 znode 版本
s24-follower-bounce-five-records = HW 落后的 follower 被杀死并重启；leader 停机；follower 当选（允许 unclean）；旧 leader 恢复
s26-follower-bounce-leader-death = HW 落后的 follower 被杀死并重启，随后 leader 停机；follower 当选（允许 unclean）；旧 leader 恢复
s27-unnoticed-bounce-clean-election = 同样的过程，但不允许 unclean 选举：controller 被冻结，没有察觉重启；之后纪元增加，follower 截断；leader 停机，follower 以 clean 选举当选
s28-power-loss-of-both = 两台 broker 都断电；follower 在磁盘上丢了 m2，先回来并成为 leader；写入 m3；旧 leader 恢复
s28b-crash-of-both-no-power-loss = 与文章所述相同：两个进程都崩溃（页缓存保留），follower 先回来并成为 leader
s30-three-brokers = 三台 broker 的日志有 5、4、3 条消息；A 和 B 停机，C 成为 leader；B 恢复，C 停机；B 成为 leader 并写入；A 和 C 恢复
s32-undef-fallback = m1 已确认（B 的 HW 落后）；leader 换成 B（写入 m2），再换回 A（没有写入）；B 截断；A 停机，B 以 clean 选举当选
s33-fast-leader-failover = A 在纪元 0 写入 a0（未复制）后停机；B 在纪元 1 写入 b0 后停机；A 再次成为 leader（unclean），写入 a1；B 恢复
s36-empty-epoch = leader 换成 B 再换回来，期间没有写入消息
s37-isr-join-guard = B（2）从未进入 ISR，日志为空；新 leader D（3）的 HW 落后，为 0；B 从 0 拉取；随后 A（1）和 D 停机
s38-zombie-leader = 只有 leader 与 ZooKeeper 断开，其会话到期，另一个 leader 当选；它仍接受 produce 请求
s40-unclean-election = unclean 选举：第一条消息两台都有，第二条只在 A 上；A 停机，B 以 unclean 选举当选，写入第三条；A 恢复
s41-unclean-disabled = 同样的过程，但不允许 unclean 选举
s46-whole-cluster-power-loss = m1、m2 已由三台 broker 确认，全部断电，磁盘上只有 m1
s47-surviving-copy-destroyed = A 和 B 已确认 m2；B 停机；A 断电，m2 未落盘，恢复后成为 ISR 的唯一成员；B 恢复
shrink-by-lag = ISR 因落后而收缩，HW 得以前进（min.insync.replicas=1）
sole-replica-bounce = 唯一的副本关闭后恢复，再被杀死后恢复
stale-hw-new-leader = HW 落后的新 leader
survivor-cut-off = 幸存的副本只是被隔离（冻结）
survivor-destroyed = 幸存的副本被破坏
three-brokers-epochs = 三台 broker，三个纪元
three-replicas-min = HW 是三个副本的最小值
tolerate-f-failures = 三个副本，min.insync.replicas=2：一次、两次、三次崩溃
transactions = 事务：最后稳定位移，提交标记和中止标记
unclean-by-admin = 按请求进行 unclean 选举
unclean-disabled = 不允许 unclean 选举：等待最后一个 ISR 成员
unclean-election = unclean 选举丢失一条已确认的消息
whole-cluster-power-loss = 整个集群断电
x1-dead-outsider-holds-hw = 刚刚停机的 follower 已不在 ISR 中，但在 replica.lag.time.max.ms 之内曾经同步
x3-restart-before-session-end = 被杀死的 broker 在旧会话（及其 /brokers/ids znode）仍存在时重启
zombie-leader = 只与 controller 断开的 leader
zombie-leader-short-lag = 只与 controller 断开的 leader，落后超时很短
