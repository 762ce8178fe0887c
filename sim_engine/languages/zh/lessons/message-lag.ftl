title = 按条数计：replica.lag.max.messages
summary = 0.8 会移除落后超过 replica.lag.max.messages 条的 follower，于是一阵突发写入就能清空健康的 ISR。0.9 去掉了这个设置（KIP-16）。Kafka 的默认值 4,000 在这里是 40，所有数字都取百分之一。
remember = 按条数判断，会把突发写入误当成故障。
note-1 = 两个 follower 刚刚都拉取过。Leader 末端是 100，broker 2 是 60，broker 3 是 59。
ask-1 = replica.lag.max.messages 是 40。下一次检查时谁离开 ISR？
    .answer-1 = 两个都离开：都没有赶上
    .answer-2 = 只有落后 41 的 broker 3
    .answer-3 = 都不离开：都还在拉取
    .reason-1 = 允许落后：最多 40 条，而 broker 2 正好落后 40。
    .reason-2 = 100 − 59 = 41 大于 40；100 − 60 = 40 不大于。
    .reason-3 = 在 0.8 中，只拉取还不够：缺少的条数也算。
note-2 = 写入一暂停，两个 follower 都赶上了。接着是一阵突发写入：两次拉取之间有 41 条消息。
note-3 = 在 0.8 中，两个健康的 follower 立即离开 ISR，leader 上的每条消息都算作已提交，尽管只有一个 broker 拥有它们。从 0.9 起只看时间，它们留下。
