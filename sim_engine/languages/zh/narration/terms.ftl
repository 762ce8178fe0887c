### One-sentence explanations, shown on hover.

ISR = 同步副本集合（in-sync replicas）：leader 和跟得上它的 follower。acks=all 等待其中的全部，clean 选举从中选出 leader。
AR = 已分配副本（assigned replicas）：应当持有该分区的全部 broker，无论是否同步；第一个是首选 leader。
maximal-ISR = ISR 加上即将加入、或已被提议移出的副本：在 controller 应答之前，高水位等待的就是它。
HW = 高水位（high watermark）：此位移以下的消息都已提交，consumer 只能读到这里。
high-watermark = 高水位：此位移以下的消息都已提交，consumer 只能读到这里。
LEO = 日志末端位移（log end offset）：该副本日志中下一条消息将得到的位移。
log-end-offset = 该副本日志中下一条消息将得到的位移，即 LEO。
offset = 位移：消息在分区日志中的位置，从 0 开始。
record = 消息：Producer 写入、日志保存的内容，每个位移一条。
leader = Producer 写入、follower 拉取的那个副本；什么算提交只由它决定。
follower = 不断从 leader 拉取、复制其日志的副本。leader 从不推送。
preferred-leader = 首选 leader：分配中的第一个副本，存活且同步时会重新成为 leader。
leader-epoch = leader 纪元：每换一任领导就增大的编号。每条消息带有写入它的 leader 的纪元。
partition-epoch = 分区纪元：分区状态每次变更都增大的编号；在 ZooKeeper 下就是 znode 的版本。
broker-epoch = broker 纪元：broker 每次注册得到的编号，用来与它的前身区分。
controller-epoch = controller 纪元：每换一个 controller 就增大的编号；broker 拒绝更旧的 controller 的命令。
epoch-vector = 纪元向量：副本对历任领导的了解，即（leader 纪元 → 起始位移）的列表，保存在 leader-epoch-checkpoint 文件中。
truncation = 截断：follower 把日志末尾与 leader 不同、或可能不同的部分切掉。
divergence = 分叉：两个副本在同一位移上是不同的消息。
acks = Producer 等待什么：0 什么都不等，1 等 leader，all 等整个 ISR。
min-insync-replicas = ISR 至少要有多少副本，acks=all 的消息才会被接受；从 3.7 起，低于它就不再提交任何消息。
unclean-election = unclean 选举：ISR 中没有存活的副本，于是让 ISR 外的副本成为 leader。分区恢复可用，但它缺少的消息就此放弃。
clean-election = clean 选举：让 ISR 中存活的成员成为 leader。
committed = 已提交：在高水位以下，所有计入的副本都拥有，consumer 可以读到。
acknowledged = 已确认：Producer 得知消息已按其 acks 的要求写入。
controller = 集群中负责察觉 broker 存活、选举 leader 并保存各分区 ISR 的角色。
ZooKeeper = Kafka 4.0 之前保存集群状态的独立服务；由其中一个 broker 在其上担任 controller。
KRaft = Kafka 自带的复制元数据日志，取代 ZooKeeper：controller 写入，broker 按序读取。
znode-version = 分区状态在 ZooKeeper 中的版本；只有写明当前版本的写入才会成功。
metadata-log = 元数据日志：KRaft 中 controller 所有决定的日志；各 broker 按自己的进度应用。
fenced = 被隔离：已注册但不被信任；被隔离的 broker 不领导任何分区，也不在任何 ISR 中。
checkpoint = 检查点：定期写入的小文件，记录各分区的一个位移：一个存高水位，一个存恢复点。
recovery-point = 恢复点：写下它时，此位移以下必已落盘；恢复时从这里开始读取日志。
page-cache = 页缓存：操作系统对已写入文件内容的缓存；进程死亡它还在，断电则消失。
flush = 刷盘：强制把已写内容落到磁盘，使其在断电后仍在。
clean-shutdown-marker = 正常关闭标记：broker 正常停止时留下的文件，说明日志无需恢复。
long-poll = 长轮询：没有消息可取的拉取在 leader 处等待，直到有消息或时限到。
ELR = Eligible Leader Replicas（KIP-966）：不在 ISR 中、但已知拥有全部已提交消息的副本。
leader-recovery-state = RECOVERING 表示 leader 由 unclean 选举产生、日志可能不全；RECOVERED 是正常状态。
OffsetsForLeaderEpoch = follower 用来询问某个 leader 纪元在 leader 日志中何处结束的请求。
LeaderAndIsr = ZooKeeper 模式的 controller 告诉 broker 领导和跟随哪些分区的命令。
AlterPartition = leader 请求 controller 修改其 ISR 的请求；3.2 之前叫 AlterIsr。
replica-lag-time-max-ms = follower 多久没有赶上就要离开 ISR。
