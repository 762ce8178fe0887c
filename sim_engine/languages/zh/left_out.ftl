### 引擎没有模拟的 Kafka 内容（sim_engine/left_out.py）：FIDELITY.md 的各行，错误、导入和搜索也会显示。
### 每行有一个标题，以及不带最后一个句号的说明。

## 表头，以及句末的标点。

head = 没有模拟的内容
head-means = 这意味着什么
head-names = 会被拒绝的名称
full-stop = 。

## 各行。

controller_quorum = KRaft controller 的仲裁（KIP-595、KIP-853、KIP-996）
controller_quorum-means = KRaft controller 是一个进程。没有投票和预投票，不更换投票者，没有故障切换，不会失去多数派，元数据日志也没有高水位。真实的集群失去多数派时，leader 继续服务，但不能选举 leader，ISR 也不再变化
unclean_recovery = KIP-966 的第二部分：unclean 恢复，即向副本询问它们的日志
unclean_recovery-means = Kafka 尚未发布它
old_releases = 0.8.2 之前的版本，以及 0.8.2 中大于 1 的 acks
old_releases-means = 0.8.2 是所模拟的最早版本。那里的 produce 可以使用 acks 0、1 或 all，但不能使用副本数（0.9 由 KAFKA-1697 移除）
zookeeper_migration = 从 ZooKeeper 迁移到 KRaft（KIP-866），包括两者都写入的阶段
zookeeper_migration-means = 集群始终使用同一种 controller
brokers_at_run_time = 添加 broker，以及注销 broker（UnregisterBroker）
brokers_at_run_time-means = 集群只有启动时的 broker，永远不返回的 broker 仍保持注册。在 Kafka 中，注销的 broker 离开所有 ISR 和 ELR；被隔离的 broker 离开 ISR
topics_at_run_time = 集群运行期间创建、增加或删除 topic 和分区
topics_at_run_time-means = 它们从一开始就全部存在
placement = 按机架放置副本，以及跨数据中心的集群
placement-means = 副本位于场景列出的 broker 上。broker 的机架写在它的 rack 中，只影响从 follower 拉取的 consumer，以及搜索和批量运行中整个机架的故障
observers = Confluent Server 的观察者（observer）及其他功能
observers-means = 每个副本都可以加入 ISR。在 Confluent Server 中，观察者也复制数据，但在策略提升它之前不进入 ISR
mirroring = 集群之间的复制：MirrorMaker、集群链接
mirroring-means = 只有一个集群。镜像有自己的位移和 leader 纪元，不属于所模拟的协议
diskless = 无盘 topic（KIP-1150）
diskless-means = Kafka 尚未发布它们。它们的消息在对象存储中，没有 ISR，拉取不带 leader 纪元，也没有截断
tiered_storage = 分层存储（KIP-405）
tiered_storage-means = 日志是完整的，并且在本地。在 Kafka 中，follower 可以从 leader 的本地日志起点开始，再用远端的数据重建纪元
reading_from_tier = 从远端存储读取
reading_from_tier-means = 不会拉取本地日志之前的位移，因此没有响应带有 OFFSET_MOVED_TO_TIERED_STORAGE
retention = 保留策略和删除的消息
retention-means = 只有场景设置时，日志起点才大于 0，并且不会移动
compaction = 日志压缩（compaction）
compaction-means = 日志包含从起点到末端的每条消息
segments = 日志段及其滚动
segments-means = 日志是一串消息。日志段滚动时不刷盘
log_directories = 多个日志目录，以及除失去磁盘以外的磁盘错误
log_directories-means = 磁盘要么正常，要么丢失，连同其 broker 的所有副本
message_formats = 比版本更旧的消息格式，KIP-724 在 3.0 中终止了它们
message_formats-means = 每个版本写入自己的格式。在 Kafka 中，保持 0.11 之前格式的 topic 的消息没有纪元，它的 follower 在每个版本中都截断到高水位
timestamps = 消息的时间戳，以及按时间查询位移
timestamps-means = 没有复制决定取决于它们
sizes = 多条消息的批次、压缩，以及大小限制
sizes-means = 一条消息就是一个批次，没有大小；一个响应包含 leader 的全部消息。因此落后的 follower 收到下一个响应就追上，追赶期间反复加入和退出 ISR 的现象（KAFKA-19996）不会在一个步骤内重复：每次加入时的位移都更大。要看到下一次，请限制一次拉取的消息数，或用步骤 slow 延迟它
quotas = 配额和复制限流
quotas-means = 它们不改变哪些消息被提交。要延迟一个 broker 的报文，请用步骤 slow
consumer_groups = consumer 组和提交的位移（KIP-848）
consumer_groups-means = 它们不改变哪些消息被提交。consumer 从自己的位置继续：处理之前就提交位移，崩溃后会跳过这条消息；处理之后才提交，则可能重复处理
share_groups = 共享组（KIP-932）
share_groups-means = 它们不改变哪些消息被提交。它们的状态在单独的 topic 中，与其他 topic 一样复制
streams = Kafka Streams 和 Kafka Connect（KIP-1071）
streams-means = 它们是协议的客户端。场景写明客户端的每一步
transactions = 开始、提交和中止以外的事务内容：协调者的日志、超时、KIP-890
transactions-means = 事务由一个步骤结束，事务标记在该步骤中写入。没有消息在标记之后到达，没有生产者被另一个 transactional.id 相同的生产者隔离（ProducerFencedException），producer id 也不会过期
client_settings = 客户端的配置
client_settings-means = 场景逐步写明客户端做什么：acks、idempotent 和 isolation 是其步骤的参数，重试是一个步骤，请求按步骤的顺序发送（max.in.flight.requests.per.connection），没有消息会超时过期（delivery.timeout.ms）
processes = 进程的地址、角色、安全和线程
processes-means = 它们不改变哪些消息被提交。broker 由它在 brokers 中的 id 标识
performance = 速度：吞吐量、延迟，以及字节如何搬运（零拷贝、sendfile）
performance-means = 步骤本身不花时间，消息没有大小。慢由场景的步骤写明
metrics = 把指标和日志行用作场景的预期
metrics-means = 页面为每一步列出与复制有关的指标和日志行；场景用状态本身作预期
clocks = 错误的时钟、损坏的报文、恶意的 broker
clocks-means = 对后两者，Kafka 也不设防
