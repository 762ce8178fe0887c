title = ELR 挽救了消息
summary = 最后一个同步副本断电，丢失一条消息。有了 ELR，controller 不选它，而是等待最后离开 ISR 的副本，并选举该副本。
remember = ELR 记录哪些副本仍有全部已提交的消息。
note-1 = Broker 2 卡住。m2 由 broker 1 和 3 确认，满足 min.insync.replicas=2。
note-2 = Broker 3 也卡住了。ISR 低于 min.insync.replicas，不再提交消息，而 broker 3 拥有全部已提交的消息：它进入 ELR。
ask-1 = Broker 1 先回来，只剩 m1。它会成为 leader 吗？
    .answer-1 = 会，它是上一任 leader。
    .answer-2 = 不会，它不是正常关闭的。
    .answer-3 = 会，它在 ELR 中。
    .reason-1 = 只有 ELR 为空时才考虑这一点，而 broker 3 还在 ELR 中。
    .reason-2 = 断电后它没有正常关闭标记，因此离开 ELR。ELR 现为 { "{" }3{ "}" }，分区等待拥有 m2 的 broker 3。
    .reason-3 = 它在重新注册之前是 ELR 成员：没有正常关闭的 broker 会先被移出 ELR。
note-3 = Broker 1 没有包含其 broker 纪元的正常关闭标记。Controller 把它移出 ELR，分区等待 broker 3。没有 ELR 时 broker 1 立刻成为 leader。
note-4 = 这次 clean 选举虽然来得晚，但以 acks=all 确认的消息都没有丢：每个副本都有 m2。x 只由 broker 1 确认，acks=1 的保证仅限于此。
