title = 探究Kafka原理-6.CAP理论实践(下)
about = 高水位保证什么，为什么仍会丢消息，以及 leader 纪元。
claim-1 = 消费者只能看到 HW 以下的消息。
    .kafka = 在 read_committed 下，只能看到 LSO 以下的。
claim-2 = HW 的更新比数据同步晚一轮，这是丢失与不一致的根源。
    .kafka = 现在仍然晚一轮。从 0.11 起，follower 不再按它截断。
claim-3 = 四步：第一轮拉取得到 m1 和 HW 0，第二轮 HW 变为 1。
    .kafka = 每个版本都是这些数字。
claim-4 = A 重启时，按 HW 截断日志。
    .kafka = 只有成为 follower 时才截断，打开日志时不截断。
claim-5 = B 重启后从响应拿到 HW，于是截断，m2 永久丢失。
    .kafka = 它从位移 2 拉取，超出 A 的范围，因此才截断。结果一样：m2 丢失。
claim-6 = 即使 acks=all，依然会丢数据。
    .kafka = m2 已经确认：leader 已收到证明 follower 拥有它的拉取。只有 clean 选举也会发生。
claim-7 = 不一致：B 先重启，按 HW 截断并成为 leader。
    .kafka = 成为 leader 的副本不截断：m3 写在 m2 之后。
claim-8 = 即使 acks=all，副本仍会不一致。
    .kafka = 需要断电，使 m2 不在 B 的磁盘上。
claim-9 = 成为 leader 后，有新消息时才更新并记录纪元。
    .kafka = 从 2.0.1 起，在当选时记录，早于任何写入。
claim-10 = Follower 发送最新纪元；相同则返回 leader 的 LEO，否则返回大于它的最小纪元的起点。
    .kafka = 从 2.0 起，响应还带上所指的纪元。从 2.8 起，它是拉取的一部分。
claim-11 = leader 有 (1, 20) (2, 80) (3, 120)，问 1，得到 80。
    .kafka = 从 2.0 起是“纪元 1，80”，follower 再与自己的日志比较。
claim-12 = 有了纪元，返回 LastOffset = leader LEO = 2：重启后不截断，数据没有丢失。
    .kafka = Leader 返回自己的 LEO，因此无需截断。
claim-13 = 有了纪元，不会再不一致。
    .kafka = 在这个例子里是的。两次快速选举之后，1.1 及以前仍会分叉；有空纪元时，2.0.0 及以前也会。
claim-14 = acks=all 依赖 leader 纪元，不会再有数据丢失。
    .kafka = 0.11 到 2.0.0 仍会丢。更新的版本也可能：leader 没有察觉自己被取代时。任何版本都无法恢复磁盘上没有的。
claim-15 = HW 是各副本 LEO 的最小值。
    .kafka = 是 ISR 中各副本的最小值。ISR 之外的副本不会阻碍它推进。
claim-16 = 不清洁选举默认关闭；开启会丢数据，换取可用性。
    .kafka = 0.10.2 及以前默认开启。
claim-17 = 之前停机的副本按最新 leader 的 LEO 截断。
    .kafka = 从 0.11 起，截断到两者共有部分的末端，可能更低。
claim-18 = leader-epoch-checkpoint 里是 (0, 0) (1, 300)：第二届 leader 从位移 300 写起，0 到 299 由第一届写入。
    .kafka = 所以纪元 0 止于 300。课程里问的是 (1, 20) (2, 80)：纪元 1 止于 80。
