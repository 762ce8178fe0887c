title = 同步副本不足
summary = ISR 太小时，min.insync.replicas 让 leader 拒绝 acks=all。acks=1 仍被接受，但从 3.7 起 consumer 读不到。
remember = min.insync.replicas 只约束 acks=all。
note-1 = min.insync.replicas 是 2，而 ISR 只有 { "{" }1{ "}" }。
ask-1 = 同一个 producer 改用 acks=1。会怎样？
    .answer-1 = 消息被拒绝，错误相同。
    .answer-2 = 消息被写入并得到确认。
    .answer-3 = 消息被写入，producer 等待。
    .reason-1 = min.insync.replicas 并不禁止写入本身。acks=1 时 leader 不等任何副本。
    .reason-2 = acks=1 只要求 leader 写入，所以与 ISR 的大小无关。
    .reason-3 = acks=1 时没有什么可等：leader 追加之后立即响应。
note-2 = 3.6 及以前，作为 ISR 唯一成员的 leader 立即提交 m2。从 3.7 起高水位要等 ISR 够大（KAFKA-15583）：producer 成功，consumer 读不到消息。
