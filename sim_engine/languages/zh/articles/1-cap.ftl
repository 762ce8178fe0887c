title = 探究Kafka原理-6.CAP理论实践(下)
about = 高水位保证什么，为什么仍会丢消息，以及 leader 纪元。
claim-1 = HW 以下的消息，消费者才看得到。
    .kafka = 在 read_committed 下，只能看到 LSO 以下的。
claim-2 = HW 的更新落后于数据同步一轮，数据丢失和不一致都源于此。
    .kafka = 现在仍然晚一轮。从 0.11 起，follower 不再按它截断。
claim-3 = 四步：第一轮 fetch 拿到 m1 和 HW 0，第二轮 HW 才变为 1。
    .kafka = 每个版本都是这些数字。
claim-4 = A 重启时，按 HW 截断日志。
    .kafka = 只有成为 follower 时才截断，打开日志时不截断。
claim-5 = B 重启后从 A 的响应拿到 HW，于是截断日志，m2 永久丢失。
    .kafka = 它从位移 2 拉取，超出 A 的范围，因此才截断。结果一样：m2 丢失。
claim-6 = producer 用 acks=all 也会丢数据。
    .kafka = m2 已经确认：leader 已收到证明 follower 拥有它的拉取。只有 clean 选举也会发生。
claim-7 = 数据不一致：B 先重启，按 HW 截断日志后成为 leader。
    .kafka = 成为 leader 的副本不截断：m3 写在 m2 之后。
claim-8 = producer 用 acks=all，副本间数据也会不一致。
    .kafka = 需要断电，使 m2 不在 B 的磁盘上。
claim-9 = 副本成为 leader 后，等到有新消息写入才更新 epoch，并记到 leader-epoch-checkpoint 文件。
    .kafka = 从 2.0.1 起，在当选时记录，早于任何写入。
claim-10 = Follower 发送自己最新的 epoch：与 leader 相同，LastOffset 就是 leader 的 LEO；否则是比它大的最小 epoch 的 start offset。
    .kafka = 从 2.0 起，响应还带上所指的纪元。从 2.8 起，它是拉取的一部分。
claim-11 = leader 有 (1, 20) (2, 80) (3, 120)，follower 的 epoch 是 1：LastOffset 为 80。
    .kafka = 从 2.0 起是“纪元 1，80”，follower 再与自己的日志比较。
claim-12 = 有了 leader epoch，LastOffset 等于 leader 的 LEO 2：A 重启后不截断，数据没有丢失。
    .kafka = Leader 返回自己的 LEO，因此无需截断。
claim-13 = 有了 leader epoch，副本间数据不会再不一致。
    .kafka = 在这个例子里是的。两次快速选举之后，1.1 及以前仍会分叉；有空纪元时，2.0.0 及以前也会。
claim-14 = 有了 leader epoch，acks=all 不再丢数据。
    .kafka = 0.11 到 2.0.0 仍会丢。更新的版本也可能：leader 没有察觉自己被取代时。任何版本都无法恢复磁盘上没有的。
claim-15 = HW 取所有副本 LEO 中最小的。
    .kafka = 是 ISR 中各副本的最小值。ISR 之外的副本不会阻碍它推进。
claim-16 = 不清洁选举默认关闭；一旦允许，数据丢失和不一致的可能性大增。
    .kafka = 0.10.2 及以前默认开启。
claim-17 = 之前宕机的副本重启后，按新 leader 的 LEO 截断。
    .kafka = 从 0.11 起，截断到两者共有部分的末端，可能更低。
claim-18 = leader-epoch-checkpoint 里是 (0, 0) (1, 300)：第 2 个版本的 leader 从位移 300 写起，0 到 299 属于第 1 个版本。
    .kafka = 所以纪元 0 止于 300。课程里问的是 (1, 20) (2, 80)：纪元 1 止于 80。
