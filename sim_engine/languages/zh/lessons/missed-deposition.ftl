title = 没有察觉自己被取代的 leader
summary = 一个 leader 被取代后又重新当选，并在一次投递中同时读到这两个变更。它没有察觉自己被取代，继续使用过时的 follower 状态，确认了一条只有它还拥有的消息。acks=all，min.insync.replicas=2，只有 clean 选举；已在真实集群上录制。
remember = Leader 一次读到两个变更时，可能察觉不到自己曾被取代。
note-1 = m0 在三个副本上都有。Broker 2 再也连不到 broker 1，所以 m1 只在 1 和 3 上，还在等待确认：ISR 是 { "{" }2, 1, 3{ "}" }。Leader 1 已收到 broker 3 在 m1 之后的拉取：在 leader 看来，broker 3 的日志结束于 2。
note-2 = 从这里起，broker 1 的元数据被延迟；它的心跳照常。首选 leader broker 2 在纪元 1 当选，broker 3 跟随它：它正确地截断了未被确认的 m1。只有 broker 1 不知道这一点。
ask-1 = 领导权在纪元 2 回到 broker 1。它还没读的有三条元数据记录：纪元 1 的 leader 2、副本的新顺序、纪元 2 的 leader 1。它在一次投递中读到全部三条。它会怎样处理 m1？
    .answer-1 = 保留 m1，producer 继续等待。
    .answer-2 = 保留 m1，请求失败。
    .answer-3 = 截断 m1，请求失败。
    .reason-1 = 它原来是 leader，现在还是，处于纪元 2。它保留过时的状态：broker 3 的日志末端是 2。
    .reason-2 = 那需要单独读到第一条。三条一起读时，只应用最后的状态。
    .reason-3 = 中间状态会被跳过。它从未跟随 broker 2，也就不截断。
note-3 = 这三条中只应用最终得到的状态：leader 1，纪元 2。Broker 1 之前是 leader，现在也是，所以 makeLeader 不把它当作新的任期：它保留“broker 3 的日志结束于 2”，m1 的 produce 请求也没有以 NOT_LEADER_OR_FOLLOWER 失败。
note-4 = Broker 2 已超过 replica.lag.time.max.ms 没有拉取，离开 ISR。Broker 3 也没有拉取，因为它的元数据也延迟了，还在跟随 broker 2；但只要 leader 所知的 follower 日志末端等于 leader 自己的，无论 follower 多久没有拉取，都算已赶上。于是 ISR 是 { "{" }1, 3{ "}" }，高水位升到 2，m1 得到确认。（3.5 及以前，ISR 缩小会增加 leader 纪元，broker 1 读到这一变更时高水位才上升。）
note-5 = Broker 1 崩溃。Broker 3 在 ISR 中，通过 clean 选举成为 leader，而它的日志在 m1 之前就结束了。不崩溃也会这样：如果只是把领导权移给 broker 3，broker 1 会跟随它，自己截断 m1。
note-6 = Broker 1 回来，跟随 broker 3，截断 m1，即这条已确认消息的最后一份副本。使用“比较”可以查看对照运行“同样被取代，但察觉到了”：两者的区别只在于这三条元数据记录的投递方式。
