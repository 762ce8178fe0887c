title = KAFKA 服务端日志LEO和HW说明
about = 谁保存哪个位移，leader 什么时候推进高水位。
claim-1 = LEO 为 10，说明已有 10 条消息，位移从 0 到 9。
    .kafka = 前提是日志从 0 开始。保留策略会移动起点。
claim-2 = Follower 的 LEO 有两份：leader 所在 broker 也存一份，处理拉取请求时更新。
    .kafka = 拉取位移就是 follower 的 LEO：它需要的下一条消息的位移。
claim-3 = Follower 的 HW = min(自己的 LEO, 响应中 leader 的 HW)。
    .kafka = 直接赋为该值，所以也可能后退。
claim-4 = Leader 更新 HW 的四个时机：成为 leader、broker 崩溃、写入、follower 拉取。
    .kafka = “broker 崩溃”应理解为 ISR 的任何变化。
claim-5 = HW 计入 ISR，以及落后时长低于 replica.lag.time.max.ms、即将进入 ISR 的副本。
    .kafka = 从 3.6 起只计入有资格加入 ISR 的。从 3.7 起，ISR 小于 min.insync.replicas 时不推进。
claim-6 = 两轮 fetch：第一轮后 HW 都是 0，第二轮后都是 1。
    .kafka = 每个版本都是这些数字。
