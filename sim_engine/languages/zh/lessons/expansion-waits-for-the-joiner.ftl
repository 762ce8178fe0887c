title = 正在加入的副本已经计入
summary = 从 2.7 起，在等待 controller 响应期间，正在加入的 follower 属于 maximal ISR：虽然它还不在 ISR 中，高水位已经开始等待它。
remember = 即将加入 ISR 的副本已经计入。
note-1 = Broker 1 是 ISR 的唯一成员，十条消息已提交。Broker 2 拥有其中三条，在 ISR 之外。
note-2 = 从位移 3 拉取只证明拥有三条消息：不够加入。
note-3 = 从位移 10 拉取到达了高水位。2.6 及以前，leader 立即把 ISR 写入 ZooKeeper；从 2.7 起它请求 controller 修改，该请求正在途中。
ask-1 = Controller 还没有响应：ISR 只有 broker 1。高水位到哪里了？
    .answer-1 = 10，broker 2 的日志末端
    .answer-2 = 12，broker 1 的日志末端
    .answer-3 = 3，broker 2 先前的日志末端
    .reason-1 = 从发出请求起，leader 就把 broker 2 算作成员：min(12, 10) = 10。
    .reason-2 = Leader 所知的 ISR 可能已过时：controller 也许已经加入了停在 10 的 broker 2。
    .reason-3 = 此后 broker 2 已从位移 10 拉取过，而且 leader 的高水位不会下降。
note-4 = 现在 controller 的 ISR 里有 broker 2，可能选它为 leader，而 leader 还不知道。假如高水位是 12，就会有两条已提交的消息只在 broker 1 上。
note-5 = 从位移 12 的拉取说明 broker 2 两条都有了。高水位随之推进。
