title = 未知的纪元导致已确认的消息丢失
summary = 在自己的纪元中没有写入消息的 leader，无法响应对更新纪元的查询。2.0.0 及以前，follower 于是退回到高水位，clean 选举也会丢失 m1。
remember = 收到“未定义”的响应后，follower 退回到按高水位截断。
note-1 = m1 已确认。Broker 2 有它，但高水位仍是 0。
note-2 = 管理员把领导权移给 broker 2，它在自己的纪元里写入 m2。
note-3 = Broker 1 还没有拉取，领导权又移了回来。Broker 1 是 leader，还没有写入任何消息。
ask-1 = Broker 2 查询自己最新的纪元，broker 1 从未见过它。Broker 1 如何响应？
    .answer-1 = 1，共有部分的末端
    .answer-2 = 日志末端，按最后的纪元
    .answer-3 = 未定义，没有这样的纪元
    .reason-1 = Leader 不比较日志，只查找纪元，而它没有这么新的条目。
    .reason-2 = 只有查询 leader 最新的纪元时，才返回日志末端，而这里查询的纪元更新。
    .reason-3 = 它有消息的最新纪元是 0，而查询的是纪元 2。Broker 2 于是退回到自己的高水位 0。
note-4 = Broker 2 在 ISR 中，所以选举是 clean 的；然而 2.0.0 及以前 m1 因此有风险：leader 没有它。从 2.0.1 起，leader 在成为 leader 时就记录自己的纪元，因此响应是 1。从 2.8 起，broker 2 会在下一次拉取时发送自己的纪元，但它在此之前就当选了，于是从未以 acks=all 确认的 m2 被提交。
note-5 = m3 提交在 m1 的位移上。Broker 1 的磁盘上还有 m1，但 m1 已算作丢失。
