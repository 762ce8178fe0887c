title = 重试会重复写入消息吗？
summary = Producer 收到错误，而消息已在日志里。普通 producer 的重试会产生第二条；幂等 producer 的重试可凭序号识别。
remember = 只有幂等 producer 重试时不会写两份。
note-1 = 两个 producer 各写一条：p1 是普通的，p2 是幂等的。p2 的批次带有它的 producer id 和序号 0。
note-2 = Broker 2 在拉取之前停机。两条消息是在 ISR 为 { "{" }1, 2{ "}" } 时写入的，会留下来；但 ISR 现在只剩 { "{" }1{ "}" }，而 min.insync.replicas 要求两个：acks=all 失败。
ask-1 = 两个 producer 都收到错误，都进行重试。日志会有多长？
    .answer-1 = 2 条：broker 识别出两条都已存在。
    .answer-2 = 3 条：它只能识别幂等的那条。
    .answer-3 = 4 条：每个请求都会追加。
    .reason-1 = 普通批次没有序号，无法与值相同的新消息区分。
    .reason-2 = p2 的批次重复序号 0，日志里已有，不再追加。p1 的 m1 成为第二条。
    .reason-3 = 幂等 producer 给批次编号，broker 记得最近的几个。
note-3 = m1 在日志里有两条，consumer 无法区分哪条是原来的。p2 的序号 0 已在日志中，所以重试返回原来的位移 1。
