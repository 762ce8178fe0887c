### 导入时读懂了什么，以及哪些状态无法得知。

# The title of the scenario that it makes.
title = 导入的集群

## 各行内容的含义。

topic = topic { $topic }：{ $count } 个 partition
dump = { $partition } 的日志：{ $count } 条消息
segment = { $partition } 的 segment：{ $count } 条消息
epoch_file = { $partition } 的 epoch 文件：{ $count } 条记录
offset_file = { $checkpoint }：{ $count } 个 partition
meta_properties = broker { $broker } 的目录
quorum = KRaft；读取元数据日志的 broker：{ $brokers }
topic_configs = topic { $entity } 的配置：{ $count } 项
broker_configs = broker { $entity } 的配置：{ $count } 项
cluster_configs = 所有 broker 的配置：{ $count } 项

## 无法得知的状态。

release = 输出中没有版本号。这里假定为 Kafka { $kafka }，即符合条件的最新版本；符合条件的最旧版本是 { $oldest }。
described_twice = { $partition } 出现了多次，以最后一次为准。
stray = broker { $broker } 上有 { $partition } 的文件，但它不是该 partition 的副本。这些文件已忽略。
broker_guessed = broker { $broker } 是从文件路径推断的。
not_described = kafka-topics 没有描述 { $partition }。这里假定：副本 { $replicas }，leader { $leader }，ISR { $isr }。
internal_topics = Kafka 的内部 topic 已省略：{ $topics }。
partitions_left_out = 一个场景最多有 16 个 partition 和 9 个 broker：保留 { $kept } 个，省略 { $count } 个。
renamed_partition = { $partition } 在这里称为 { $called }：缺少它前面的 partition。
renamed_broker = broker { $broker } 在这里称为 { $called }：id 最大为 1000。
logs_empty = { $partition } 的日志内容未知，在这里为空。
log_unknown = broker { $broker } 上 { $partition } 的日志内容未知。在这里它结束于 { $offset }。
log_end = broker { $broker } 上 { $partition } 的 log end offset 没有输出。它至少为 { $offset }，在这里就是 { $offset }。
window = { $partition } 的日志在这里从 offset { $offset } 开始，更早的内容已省略。
rebased = { $partition } 的 offset 在这里从 { $offset } 起算：offset { $offset } 记为 0。
stand_ins = { $partition } 有 { $count } 条消息没有输出内容。o17 代表 offset 17 处的消息。
changed_values = { $partition } 有 { $count } 个值在这里写法不同：最多 32 个字符，不含空格、/ 和 *。
record_epochs = { $partition } 有 { $count } 条消息的 epoch 没有输出，在这里为 0。
control_records = { $partition } 的 { $count } 个事务标记在这里是普通消息。
epochs_disagree = broker { $broker } 上 { $partition } 的 epoch 文件与日志不一致，以日志为准。
leader_epoch = { $partition } 的 leader epoch 没有输出。它至少为 { $epoch }，在这里就是 { $epoch }。
configs_left_out = 省略了 { $count } 项与复制无关的 broker 配置。
topic_configs_left_out = 省略了 topic { $topic } 中与复制无关的配置：{ $names }。
configs_differ = 各 broker 的 { $setting } 不同。在这里都是 { $value }。
crashed_to_state = { $partition }：场景开始时必须有 leader，且没有 ELR，因此用步骤让 broker { $brokers } 崩溃，以到达输出的状态。
running = 不在任何 ISR 中的 broker：{ $brokers }。输出中看不出它们是否在运行；在这里它们都在运行。
memory = 任何工具都不会输出：内存中的高水位（在这里取 ISR 中最小的 log end offset）、partition epoch、恢复点之后已刷盘的内容，以及传输中的消息。
