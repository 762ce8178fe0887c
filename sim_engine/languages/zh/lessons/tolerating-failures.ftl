title = 能容忍几个 broker 故障
summary = 三个副本，min.insync.replicas 为 2，acks=all：一个 broker 崩溃，一切照常；两个崩溃，可读不可写；三个崩溃，没有 leader。任何时候都没有丢失已确认的消息。
remember = 3 副本、min.insync.replicas=2：一个 broker 故障时仍可写，两个故障时仍可读。
note-1 = 一个 broker 崩溃：broker 2 成为 leader，ISR { "{" }2, 3{ "}" } 足够大，m2 得到确认。
ask-1 = Broker 2 也崩溃了。还能做什么？
    .answer-1 = 只能读
    .answer-2 = 只能写
    .answer-3 = 读写都可以
    .answer-4 = 读写都不行
    .reason-1 = m1 和 m2 在 broker 3 的高水位之下，仍然可读。acks=all 的写入需要两个同步副本。
    .reason-2 = 正好相反：acks=all 的写入需要两个同步副本，读只需要 leader。
    .reason-3 = Broker 3 是 leader，但 min.insync.replicas 是 2，ISR 是 { "{" }3{ "}" }：acks=all 被拒绝。
    .reason-4 = 有 leader：broker 3 在 ISR 中。min.insync.replicas 限制写，不限制读。
note-2 = 两个 broker 崩溃：broker 3 是 leader，也是 ISR 的唯一成员。acks=all 被拒绝，因为同步副本只有一个，少于两个；已确认的消息仍然可读。
note-3 = 三个 broker 崩溃：没有 leader。Broker 1 和 2 回来了也不能当选，因为 broker 3 是 ISR 的最后一个成员。
note-4 = 三个 broker 崩溃：没有 leader。Broker 1 和 2 回来了也不能当选。Broker 2 原在 ELR 中，但崩溃属于非正常关闭：它注册时离开了 ELR。分区等待 broker 3。
note-5 = Broker 3 返回并成为 leader；已确认的消息都在。这些是进程崩溃，页缓存得以保留：三个同时断电则不同。
