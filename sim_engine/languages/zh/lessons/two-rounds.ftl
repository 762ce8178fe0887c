title = 两轮拉取才能推进高水位
summary = Follower 的下一次拉取让 leader 知道消息已到达，消息才算提交。
remember = 消息到达之后，还要再拉取一次才算提交。
note-1 = Broker 1 是 leader，broker 2 跟随。Producer 使用 acks=all：消息提交后才会收到响应。
note-2 = m1 已写入 leader 的日志，但高水位仍是 0，producer 还在等。
ask-1 = Broker 2 已经有了 m1。为什么 producer 还没有收到响应？
    .answer-1 = Leader 要等下一次拉取才知道。
    .answer-2 = Leader 必须先把它写入磁盘。
    .answer-3 = Follower 必须单独发送一条确认。
    .reason-1 = 响应没有单独的确认。从位移 1 的拉取才让 leader 知道：位移 1 以下的消息它都有了。
    .reason-2 = Kafka 靠复制提交，不靠 fsync。所有同步副本的内存中都有即可。
    .reason-3 = 没有这种消息。Follower 的下一次拉取就是确认。
note-3 = 第二次拉取请求位移 1，这就是确认。Leader 的高水位升到 1，m1 得到确认；等待结束后重新读取的响应把新的高水位带给 broker 2。
