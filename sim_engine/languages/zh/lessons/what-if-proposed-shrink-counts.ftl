title = 如果一请求缩小 ISR 就生效？
summary = 故意的错误。Leader 一请求移除 follower 就不再等它，便会提交 controller 的 ISR 所没有的消息。
remember = 请求缩小 ISR，不等于 ISR 已经缩小。
note-1 = 此场景启用了一条任何 Kafka 版本都没有的规则：leader 一请求移出某个成员，高水位就不再等它，而不是等 controller 同意之后。
note-2 = Broker 2 太久没有拉取。Broker 1 请求把 ISR 改为 { "{" }1{ "}" }；请求还没到，在 controller 看来两个都同步。
ask-1 = Producer 用 acks=all 写入 m2。按这条规则，什么会得到确认？
    .answer-1 = 只有 m1
    .answer-2 = m1 和 m2 都会
    .answer-3 = m1 和 m2 都不会
    .reason-1 = 对这两条消息，broker 1 都只算自己。它的日志里也有 m2，所以高水位升到 2。
    .reason-2 = 缩小为 { "{" }1{ "}" } 的请求还没到，broker 1 却已只算自己：高水位为 2。
    .reason-3 = 那是 Kafka 真正的规则：controller 移除之前，成员一直算数。这里关闭了它。
note-3 = Broker 1 崩溃，请求随之丢失，controller 通过 clean 选举选出日志为空的 broker 2。在 Kafka 中，leader 在 controller 移出 broker 2 之前一直计入它：m1 和 m2 等待，不会被确认。
note-4 = Broker 1 本可以带回 m1 和 m2。现在 m3 和 m4 提交在它们的位移上，m1 和 m2 永久丢失。
