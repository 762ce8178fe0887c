title = 被拒绝，却已写入
summary = 追加时 ISR 还够大，复制完成之前 ISR 缩小了。Producer 得到错误；消息却留在日志里，之后还会被提交。
remember = 返回错误不等于没有写入。
note-1 = min.insync.replicas 是 2，ISR 是 { "{" }1, 2{ "}" }，所以 broker 1 接受 m1，并等待 broker 2。
ask-1 = Broker 2 在拉取 m1 之前崩溃，ISR 缩小为 { "{" }1{ "}" }。m1 会怎样？
    .answer-1 = 它保留下来，producer 收到错误。
    .answer-2 = 它被删除，producer 收到错误。
    .answer-3 = 它保留下来，producer 收到成功。
    .reason-1 = 追加时 ISR 还是 { "{" }1, 2{ "}" }。同步副本不够只会报错，不会回滚。
    .reason-2 = Leader 从不删除已追加的消息。出错并不撤销写入。
    .reason-3 = min.insync.replicas 是 2。ISR 只有一个成员时，acks=all 得不到确认。
note-2 = 3.6 及以前，ISR 唯一的成员有了 m1，高水位便越过它：producer 得到 NOT_ENOUGH_REPLICAS_AFTER_APPEND，consumer 却能读到 m1。从 3.7 起，高水位要等两个同步副本；producer 此时还没有收到响应。
note-3 = 三十秒后请求超时。从 3.7 起，producer 收到 REQUEST_TIMED_OUT。
note-4 = Broker 2 回来，拉取了 m1 并加入 ISR。那条“失败”的消息已提交，可以读到。不带幂等的重试会让它在日志中出现两次。
