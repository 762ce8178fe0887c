title = 如果只有已提交的 ISR 才算数？
summary = 故意的错误。Controller 已将一个副本加入 ISR，leader 还不知道。如果 leader 此时还不等它，一次 clean 选举就会丢失已确认的消息。
remember = Leader 必须等待所有可能在 ISR 中的副本，而不只是它已知的成员。
note-1 = 此场景启用了一条任何 Kafka 版本都没有的规则：ISR 将要扩大时，高水位只等旧成员。
note-2 = Broker 2 的拉取到达日志末端，broker 1 请求让它加入。Controller 写入 ISR { "{" }1, 2{ "}" }。给 broker 1 的响应和命令还在途中。
ask-1 = Producer 用 acks=all 写入 x，在 broker 1 看来 ISR 仍是 { "{" }1{ "}" }。按这条规则，x 会得到确认吗？
    .answer-1 = 会，broker 1 写入就确认。
    .answer-2 = 不会，要等 broker 2 也有它。
    .answer-3 = 不会，要等 ISR 变为 { "{" }1, 2{ "}" }。
    .reason-1 = 这条规则只等 leader 所知的 ISR { "{" }1{ "}" }，而 controller 那里已是 { "{" }1, 2{ "}" }。
    .reason-2 = 那是 Kafka 真正的规则：从请求起就算上要加入的副本。这里关闭了它。
    .reason-3 = 这条规则不等新的 ISR 到达；在那之前，broker 1 只计算 { "{" }1{ "}" }。
note-3 = Broker 2 在 controller 的 ISR 中，因此通过 clean 选举当选，却没有 x。在 Kafka 中，leader 从发出请求时起就计入正在加入的副本（见“正在加入的副本已经计入”）：那样 x 会等待，不会被确认。
note-4 = Broker 1 本可以带回 x。现在 y 提交在它的位移上，x 永久丢失。
