title = 来自旧纪元的响应
summary = Follower 得知自己的日志在哪里与 leader 分叉，但响应迟到了：其间换过 leader，日志也已改变。但日志仍结束于同一位移，而从 2.8 到 3.9.0（以及 4.0.0）不比较其他内容。Broker 3 截断了一条已提交的消息；再有一个 broker 故障，它就在缺少这条消息的情况下成为 leader。
remember = 响应必须属于应用它时的纪元。
note-1 = Broker 3 是 t-0 在纪元 1 的 leader，写入了其他 broker 都没有的 x，随后失效。它回来后跟随 broker 1，也从 broker 1 拉取 q-0：两个分区共用一个拉取线程，只要还剩一个分区，这个线程就一直在。
note-2 = Broker 1 的响应是纪元 0 结束于 1，所以必须截断 x。响应被延迟；在它到达之前，这个线程不会再向 broker 1 发送任何请求。
note-3 = t-0 的领导权移到首选 leader broker 2。Broker 3 用另一个线程跟随它；原来的线程因 q-0 还留着。
note-4 = Broker 3 截断 x，得到 m1，加入 ISR。m1 得到确认：三个 broker 都有。
note-5 = Broker 2 停机维护。Broker 1 又是 leader，纪元 4，t-0 回到 broker 3 原来的线程：等纪元 2 的那个响应一到，它就要从日志末端 2 开始拉取。
ask-1 = 被扣留的响应终于到达。它响应的是纪元 2 中从位移 2 开始的拉取，指明日志在 1 分叉。Broker 3 现在又要从位移 2 拉取，纪元是 4。它会怎么做？
    .answer-1 = 把日志截断到 1。
    .answer-2 = 丢弃这个旧响应。
    .answer-3 = 保留 m1 并继续。
    .reason-1 = 线程等的是位移 2 的响应，到的也是位移 2 的响应。响应属于纪元 2 而不是 4，但不会被检查。
    .reason-2 = 那是 3.9.1 和 4.0.1 的修复（KAFKA-18991）。这里只比较位移。
    .reason-3 = Follower 的高水位不能保护消息。它随截断降回 1。
note-6 = Broker 3 在 ISR 中却没有 m1。下一次拉取会补回它，前提是还有下一次拉取。
note-7 = Broker 1 在那次拉取之前崩溃。Broker 3 从 ISR 中当选：这是 clean 选举，min.insync.replicas 是 2，写入使用 acks=all。比较纪元的版本里它有 m1；不比较的版本里，它没有 m1 就成为 leader。
note-8 = 其他 broker 回来并跟随 broker 3，截断它没有的内容：在丢失 m1 的版本里，从此没有任何 broker 还有它。在真实集群上录制过：3.5.2、3.9.0 和 4.0.0 丢失 m1，3.9.1 和 4.0.1 保留它。修复它的 KAFKA-18991 只警告 follower 可能丢失已提交的消息。响应最多迟到 30 秒（replica.socket.timeout.ms）。
