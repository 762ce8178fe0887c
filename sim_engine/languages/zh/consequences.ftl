### 由运行的初始状态得出的结论：显示在描述它的表单旁边。

high-watermark = { $partition } 的高水位：min({ $ends }) = { $low }，即 ISR 中最小的 LEO。
high-watermark-behind = { $partition } 的 leader { $leader } 的初始高水位为 { $now }。follower 拉取后，它可以升到 min({ $ends }) = { $low }。
high-watermark-ahead = { $partition } 的高水位为 { $now }，高于 min({ $ends }) = { $low }。它不会下降，但 ISR 中有 broker 缺少高水位以下的消息。
high-watermark-gated = { $partition } 的高水位为 { $now }；ISR 中的 broker 少于 min.insync.replicas 时，它不会上升。
waits = { $records } 要等 broker { $brokers } 拉取到并再次拉取后才会提交，或等它退出 ISR（replica.lag.time.max.ms：{ $seconds } 秒）。
spare = acks=all 要求 ISR 至少有 { $required } 个 broker（min.insync.replicas）：目前的 { $isr } 个中还可以有 { $count } 个退出。
tight = acks=all 要求 ISR 至少有 { $required } 个 broker（min.insync.replicas）：不能再有 broker 退出。
few = 使用 acks=all 的 producer 会收到 NOT_ENOUGH_REPLICAS：min.insync.replicas 为 { $required }，而 ISR 只有 { $isr } 个 broker。
leaderless = { $partition } 没有 leader，无法写入。它在等待 broker { $brokers }：只有这些 broker 能通过 clean 选举当选。
leaderless-for-good = { $partition } 没有 leader，也没有 broker 能通过 clean 选举当选。
more = 另有 { $count } 个分区未在此说明。
