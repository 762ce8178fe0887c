title = Unclean 选举
summary = 在可用性与完整性之间选择：允许 unclean 选举时，缺少消息的副本也能成为 leader，缺少的消息会丢失。KRaft controller 从 3.9 起才读这个设置。
remember = Unclean 选举用消息换取可用性。
note-1 = ISR 是 { "{" }1{ "}" }，所以 acks=all 只等待 broker 1：second 立即得到确认，也被读到。
ask-1 = Broker 2 先回来。它不在 ISR 中。谁成为 leader？
    .answer-1 = Broker 2，KRaft 下从 3.9 起
    .answer-2 = Broker 2，KRaft 下是 3.8 及以前
    .answer-3 = 没有 broker，无论哪种 controller
    .reason-1 = 读取该设置的 controller 会选第一个存活的副本，即使它没有 second。
    .reason-2 = 正好相反：3.8 及以前，KRaft controller 不读取该设置，会等待 broker 1。
    .reason-3 = 设置关闭时才会如此。这里已开启：牺牲完整性换取可用性。
note-2 = 若 broker 2 是 leader，third 在位移 1，而 consumer 在那里读到的是 second。3.9 之前的 KRaft controller 不读这个设置（KAFKA-12670）：那时分区没有 leader，third 被拒绝，分区等待 broker 1。
note-3 = 有了 leader 纪元，broker 1 会截断消息 second，两份日志恢复一致。0.11 之前它们永远不一致。若分区一直等待，则 broker 1 再次成为 leader，没有丢失消息。
