title = 最慢的副本决定高水位
summary = 高水位是 ISR 中各副本日志末端的最小值，以 leader 所知为准。
remember = ISR 中最慢的副本决定什么算已提交。
note-1 = Broker 2 拉取了四条，broker 3 只拉取了两条。Leader 还不知道这些：它从下一次拉取才得知 follower 的末端。
note-2 = min(4, 4, 2) = 2：停在 2 的 broker 3 使高水位等待。
note-3 = 在这三个版本中，返回给 broker 3 的是记录这次拉取之后的高水位（KAFKA-5758，由 KAFKA-7104 撤销）。
ask-1 = 三份日志现在一样了。m4 提交了吗？
    .answer-1 = 提交了，三份日志都有它。
    .answer-2 = 没有，它必须先刷盘。
    .answer-3 = 没有，leader 还不知道。
    .reason-1 = 所有副本都有还不算提交。Leader 按自己所知的日志末端计算：min(4, 4, 3) = 3。
    .reason-2 = Kafka 不等刷盘。Leader 得知所有同步副本都有这条消息，它就算提交。
    .reason-3 = Broker 3 的上一个请求从位移 3 开始。下一次从 4 拉取，才证明它有 m4。
note-4 = 在 broker 3 从位移 4 拉取之前，leader 的高水位停在 3。
