title = 不知道自己被取代的 leader
summary = Leader 与 controller 断开，仍是 leader。已没有 follower 跟随它，所以它无法确认 acks=all 的消息；它以 acks=1 确认的消息，在它得知新 leader 时丢失。
remember = 被取代的 leader 会接收永远无法提交的消息。
note-1 = Controller 无法连接 broker 1，在新的纪元选举 broker 2。Broker 1 不知道：两个 broker 都以为自己是 leader。
ask-1 = 两个 producer 还在写 broker 1，一个用 acks=1，一个用 acks=all。谁会收到确认？
    .answer-1 = 只有 acks=all 的
    .answer-2 = 两个都会
    .answer-3 = 两个都不会
    .answer-4 = 只有 acks=1 的
    .reason-1 = acks=all 要等 broker 2 和 3，而它们不再向 broker 1 拉取；acks=1 谁也不等。
    .reason-2 = acks=all 要等 broker 2 和 3，而它们现在从 broker 2 拉取。
    .reason-3 = 隔离是 controller 上的状态。Broker 1 与 controller 断开，并不知情。
    .reason-4 = acks=1 时，broker 1 不等待任何其他副本。它确认了 z1，但 z1 之后会丢失。
note-2 = acks=all 要等待 broker 1 所知的 ISR，而那些成员现在从 broker 2 拉取。Broker 1 的高水位停在 1，所以它的 consumer 读不到 z1 和 z2。
note-3 = Broker 1 得知新的纪元，转为 follower，在日志分叉处截断 z1 和 z2。z1 以 acks=1 确认，而 acks=1 不能防止 leader 故障造成的丢失。
