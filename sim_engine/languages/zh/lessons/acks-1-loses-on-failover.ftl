title = acks=1 在故障切换时丢失消息
summary = acks=1 时，leader 在任何 follower 拥有消息之前就确认它。如果 leader 随后崩溃，消息就会丢失，而这并不违反 Kafka 的保证。
remember = acks=1 只保证一份副本，而这一份可能丢失。
note-1 = m1 立即得到确认。Broker 2 还没有拉取。
note-2 = Broker 2 在 ISR 中，所以这是一次 clean 选举。它的日志是空的。
ask-1 = Broker 1 带着磁盘上的 m1 回来。m1 会怎样？
    .answer-1 = 从 broker 1 的日志中截断。
    .answer-2 = 又能从 broker 1 读到。
    .answer-3 = 从那里复制到 broker 2。
    .answer-4 = 从 0.11 起，凭纪元保留。
    .reason-1 = Follower 的日志必须与 leader 一致。Broker 2 的日志是空的，所以 broker 1 截断到位移 0。
    .reason-2 = 旧 leader 没有任何优先权。纪元 1 的 leader 是 broker 2，回来的 broker 要跟随它。
    .reason-3 = 消息只从 leader 流向 follower。Broker 2 是 leader，不会向其他 broker 拉取。
    .reason-4 = 从 0.11 起由纪元决定截断到哪里。Broker 2 没有纪元 0 的消息，所以 m1 照样被截断。
note-3 = m1 丢失，这是允许的：min.insync.replicas 和 ISR 只保护 acks=all。
