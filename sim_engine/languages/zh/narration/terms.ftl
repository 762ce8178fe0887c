### One-sentence explanations, shown on hover.

ISR = 同步副本集合（in-sync replicas）：leader 和跟得上它的 follower。acks=all 等待其中的全部，clean 选举从中选出 leader。
AR = 已分配副本（assigned replicas）：分配到该分区副本的全部 broker，无论是否同步；第一个是首选 leader。
OSR = 非同步副本（out-of-sync replicas）：已分配但不在 ISR 中的副本。它们落后或已停机，clean 选举不会选它们。
maximal-ISR = ISR 加上即将加入的副本，包括 leader 已请求移出的副本。在 controller 响应之前，高水位等待其中的全部。
HW = 高水位（high watermark）：此位移以下的消息都已提交，consumer 只能读到这里。
high-watermark = 高水位：此位移以下的消息都已提交，consumer 只能读到这里。
LEO = 日志末端位移（log end offset）：该副本日志中下一条消息将得到的位移。
log-start-offset = 日志起始位移：该副本日志中仍然保留的第一条消息的位移，更早的消息已被删除。
LSO = 最后稳定位移（last stable offset）：此位移以下不含未结束事务的消息。read_committed 的 consumer 只能读到这里。
log-end-offset = 该副本日志中下一条消息将得到的位移，即 LEO。
offset = 位移：消息在分区日志中的位置，从 0 开始。
record = 消息：producer 写入、日志保存的内容，每条消息有自己的位移。
leader = producer 写入、follower 拉取的副本；哪些消息已提交只由它决定。
follower = 通过不断拉取来复制 leader 日志的副本。leader 从不推送。
preferred-leader = 首选 leader：分配中的第一个副本，存活且同步时会重新成为 leader。
leader-epoch = leader 纪元：每次产生新的 leader 都会增大的编号。每条消息带有写入它的 leader 的纪元。
partition-epoch = 分区纪元：分区状态每次变更都增大的编号；在 ZooKeeper 下就是 znode 的版本。
broker-epoch = broker 纪元：broker 每次注册时得到的编号，用来区分它的各次启动。
controller-epoch = controller 纪元：每换一个 controller 就增大的编号；broker 拒绝更旧的 controller 的命令。
epoch-vector = 纪元向量：副本的历任 leader 记录，即 leader 纪元与其起始位移的列表，保存在 leader-epoch-checkpoint 文件中。
truncation = 截断：follower 删除日志末尾与 leader 不同、或可能不同的部分。
divergence = 分叉：两个副本在同一位移上有不同的消息。
acks = producer 等待什么：0 不等待响应，1 等待 leader，all 等待整个 ISR。
min-insync-replicas = 接受 acks=all 的消息所要求的 ISR 最小副本数；从 3.7 起，提交任何消息也要求达到它。
unclean-election = unclean 选举：ISR 中没有存活的副本，于是 ISR 外的副本成为 leader。分区恢复可用，但该副本缺少的消息会丢失。
clean-election = clean 选举：ISR 中存活的成员成为 leader。
committed = 已提交：在高水位以下，leader 等待的每个副本都拥有，consumer 可以读到。
acknowledged = 已确认：producer 已收到响应，消息已按其 acks 的要求写入。
controller = 集群中跟踪存活 broker、选举 leader 并保存各分区 ISR 的部分。
ZooKeeper = Kafka 4.0 之前保存集群状态的独立服务；由其中一个 broker 在其上担任 controller。
KRaft = Kafka 自带的复制元数据日志，取代 ZooKeeper：controller 写入，broker 按序读取。
znode-version = 分区状态在 ZooKeeper 中的版本；只有写明当前版本的写入才会成功。
metadata-log = 元数据日志：KRaft 中记录 controller 所有决定的日志；各 broker 按自己的进度应用。
fenced = 被隔离：已注册但未启用；被隔离的 broker 不是任何分区的 leader，也不在任何 ISR 中。
checkpoint = 检查点：定期写入的小文件，为每个分区记录一个位移：一个文件保存高水位，另一个保存恢复点。
recovery-point = 恢复点：写入检查点时，此位移以下的消息都已落盘；恢复时从这里开始读取日志。
page-cache = 页缓存：操作系统为文件内容保留的内存。进程结束后仍然保留，断电则丢失。
flush = 刷盘：强制把已写入的数据落盘，使其断电后不丢失。
clean-shutdown-marker = 正常关闭标记：broker 正常关闭时写入的文件，表示日志无需恢复。
long-poll = 长轮询：没有消息可取的拉取在 leader 处等待，直到有新消息或等待超时。
ELR = 合格 leader 副本（eligible leader replicas，KIP-966）：不在 ISR 中、但已知拥有全部已提交消息的副本。
leader-recovery-state = RECOVERING 表示 leader 由 unclean 选举产生、日志可能不全；RECOVERED 是正常状态。
OffsetsForLeaderEpoch = follower 用来询问某个 leader 纪元在 leader 日志中何处结束的请求。
LeaderAndIsr = ZooKeeper 模式下 controller 发给 broker 的命令，指定它是哪些分区的 leader 或 follower。
AlterPartition = leader 请求 controller 修改 ISR；3.2 之前称为 AlterIsr。
replica-lag-time-max-ms = follower 未赶上 leader 时，最长可以留在 ISR 中的时间。
