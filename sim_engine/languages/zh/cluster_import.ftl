### 导入报告：识别出的内容，以及所作的假设。

# 导入的场景的标题。
title = 导入的集群

## 各行内容的含义。

topic = topic { $topic }：{ $count } 个分区
dump = { $partition } 的日志：{ $count } 条消息
segment = { $partition } 的 segment：{ $count } 条消息
epoch_file = { $partition } 的纪元文件：{ $count } 个条目
offset_file = { $checkpoint }：{ $count } 个分区
features = KRaft 集群的特性：{ $names }
offsets = leader 的高水位：{ $count } 个分区
kcat = kcat 的元数据：{ $count } 个分区
log_dirs = 日志目录：{ $count } 个副本
metadata_log = KRaft 的元数据日志：{ $count } 个分区
broker_log = 日志中说明了分区或 broker 状态的行
node = ZooKeeper 或 metadata shell 的节点，或副本分配
resources = Strimzi 资源
election = 首选 leader 选举：{ $count } 个分区
reassignment = 进行中或已完成的重分配
meta_properties = broker { $broker } 的日志目录
quorum = KRaft；读取元数据日志的 broker：{ $brokers }
topic_configs = topic { $entity } 的配置：{ $count } 项
broker_configs = broker { $entity } 的配置：{ $count } 项
cluster_configs = 所有 broker 的配置：{ $count } 项

## 假设。

release = 输入中没有版本号。假定为 Kafka { $kafka }，即符合条件的最新版本；符合条件的最旧版本是 { $oldest }。
described_twice = { $partition } 被描述了多次，且内容不同，以最后一次为准。
unclean_election_logged = 日志显示 controller 在 { $topic } 中进行过 unclean 选举，因此认为 unclean.leader.election.enable 为 true。
described_by_log = 只有日志提到 { $partition }，以其中最新的一行（{ $time }）为准。副本取日志中提到的全部 broker：{ $replicas }。
log_contradicts = { $partition }：描述中 { $column } 为 { $printed }，而日志最新的一行（{ $time }）中为 { $logged }。以描述为准。
log_offsets = { $partition } 的日志末端位移和高水位来自日志，时间为 { $time }。
replicas_unknown = 输入中没有 { $partition } 的任何副本，因此略去。请同时粘贴它的副本分配，例如 get /brokers/topics/orders。
replicas_assumed = 输入中没有 { $partition } 的副本列表。假定副本是输入中提到的全部 broker：{ $replicas }。
state_assumed = 输入中没有 { $partition } 的 ISR。假定所有副本都在同步，leader 为 { $leader }。
leader_assumed = 输入中没有 { $partition } 的 leader。假定为 { $leader }。
placement_assumed = 只知道 { $topic } 的分区数和副本数。按新建集群的方式分布在 broker { $brokers } 上，全部同步。要得到实际状态，请粘贴 kafka-topics --describe 的输出。
part_printed = 这些 topic 只输出了一部分分区，例如使用了 --under-replicated-partitions：{ $topics }。其余分区的状态未知。
topic_line_missing = 缺少这些 topic 含有 PartitionCount 和 Configs 的行：{ $topics }。它们可能还有其他分区，配置也未知。
offsets_not_described = 输入中有一些分区的位移，但没有这些分区的描述：{ $partitions }。这些位移没有用到。
election_contradicts = kafka-leader-election 报告 { $partition } 的首选 leader { $preferred } 已当选，但描述中的 leader 是 { $leader }。以描述为准。
reassignment_unknown = { $partition } 正在重分配，但输入中看不出增加和移除哪些副本：请粘贴 kafka-reassign-partitions --list 的输出，或 2.4 及以上版本的 kafka-topics --describe 的输出。起始状态中没有这次重分配。
log_dir_offline = broker { $broker } 有一个日志目录离线。模型中没有多个日志目录：每个 broker 只有一个，且工作正常。
shutting_down = broker { $broker } 正在受控关闭：它不能成为 leader，也不能加入 ISR，进程即将结束。起始状态无法表示这一点。它起始为停止状态，未刷盘的数据有丢失的风险。
shutting_down_and_leads = broker { $broker } 正在受控关闭，但它仍是某个分区的 leader，或在某个 leader 的 ISR 中。起始状态无法表示这一点。它起始为运行状态。
down_but_in_sync = controller 已结束这些 broker 的会话，但它们仍是某个分区的 leader，或在某个 leader 的 ISR 中：{ $brokers }。它们起始为运行状态。
stray = broker { $broker } 上有 { $partition } 的文件，但它不是该分区的副本。这些文件已忽略。
broker_guessed = broker { $broker } 是从文件路径推断的。
not_described = kafka-topics 没有描述 { $partition }。假定：副本 { $replicas }，leader { $leader }，ISR { $isr }。
internal_topics = Kafka 的内部 topic 已省略：{ $topics }。
partitions_left_out = 一个场景最多有 16 个分区和 9 个 broker：导入 { $kept } 个分区，省略 { $count } 个。
renamed_broker = 由于 id 最大为 1000，broker { $broker } 导入后编号为 { $called }。
logs_empty = 输入中没有 { $partition } 的日志，按空日志导入。
log_unknown = 输入中没有 broker { $broker } 上 { $partition } 的日志，假定它结束于 { $offset }。
log_end = 输入中没有 broker { $broker } 上 { $partition } 的日志末端位移。它至少为 { $offset }，按 { $offset } 导入。
window = { $partition } 的日志从位移 { $offset } 开始导入，更早的消息已省略。
rebased = { $partition } 的位移整体减去 { $offset }：位移 { $offset } 变为 0。
stand_ins = 输入中缺少 { $partition } 的 { $count } 条消息的内容。例如，用 o17 代表位移 17 处的消息。
changed_values = { $partition } 的 { $count } 个值已改写：值最多 32 个字符，不含空格、/ 和 *。
record_epochs = 输入中缺少 { $partition } 的 { $count } 条消息的纪元，假定为 0。
control_records = { $partition } 的 { $count } 个事务标记按普通消息导入。
epochs_disagree = broker { $broker } 上 { $partition } 的纪元文件与日志不一致，以日志为准。
leader_epoch = 输入中没有 { $partition } 的 leader 纪元。它至少为 { $epoch }，按 { $epoch } 导入。
configs_left_out = 省略了 { $count } 项与复制无关的 broker 配置。
topic_configs_left_out = 省略了 topic { $topic } 中与复制无关的配置：{ $names }。
left_out = { $names }：{ $what }。{ $reason }。已省略。
configs_differ = 各 broker 的 { $setting } 不同，统一按 { $value } 导入。
state_unknown = 既不是 leader，也不在任何 leader 的 ISR 中：{ $brokers }。输入中看不出这些 broker 是否在运行；它们起始为停止状态，未刷盘的数据有丢失的风险。
min_isr = 输入中某个 topic 有 eligible leader replicas，但没有它的 { $setting }。该值至少为 { $least }，假定为此值。
secrets = 这些设置可能含有机密，其值已丢弃：{ $names }。
lags_without_offsets = kafka-log-dirs 显示副本落后多少，但没有位移。请加上 kafka-get-offsets 的输出。
live_but_not_elected = 正在运行，但 controller 没有选举它们，尽管它们在某个没有 leader 的分区的 ISR 或 ELR 中：{ $brokers }。它们起始为停止状态。
not_elected = { $partition }{ $more ->
        [0] {" "}
       *[other] {" "}及另外 { $more } 个分区
    }没有 leader，而输入表明可以当选的 broker 正在运行：{ $brokers }。此处按该副本离线来判断。在 Kafka 中，若该副本所在的日志目录离线、该 broker 正在受控关闭，或 controller 尚未完成选举，就会保持这种状态。请粘贴 kafka-log-dirs --describe 的输出或新的描述。
open_transaction = { $partition } 的日志中，producer { $producer } 有一个自位移 { $offset } 起未结束的事务。最后稳定位移至多为 { $offset }。其消息按普通消息导入，因此场景中的最后稳定位移就是高水位。
batch_invalid = kafka-dump-log 标明 { $partition } 位移 { $offset } 处的内容无效。仍按原样导入。
elr_on = 输入中有 eligible leader replicas，而 Kafka { $kafka } 默认关闭它。已打开。
elr_off = 输入表明 eligible leader replicas 未启用，尽管 Kafka { $kafka } 默认启用（KIP-966）。
partition_epochs = 输入中没有全部分区的分区纪元，缺少的假定为 0。
memory = 任何工具都不会输出以下内容：内存中的高水位（取 ISR 中最小的日志末端位移）、恢复点之后已刷盘的数据，以及在途的报文。

## 运行中的集群没有给出的内容。

refused = 集群没有给出{ $what }（{ $count ->
        [0] { $reason }
       *[other] { $reason }：{ $names }
    }）。{ $unknown }
not_offered = 此版本的 broker 不提供{ $what }。{ $unknown }
mixed_releases = 各 broker 运行的版本不同：{ $releases }。假定全部为其中最新的版本。
unreachable = 无法连接 broker { $broker }：{ $reason }。其日志末端位移未知。
changed_while_read = 每次读取时这些分区都在变化：{ $partitions }。读到的内容可能不属于同一时刻。
replicas_unordered = 0.11 之前的 broker 列出的副本没有固定次序，因此不知道哪个是首选 leader。
log_dir_failed = broker { $broker } 有一个日志目录已失效，其中的副本处于离线状态。
asked_metadata = topic 的描述
without_metadata = 已省略。
asked_elr = eligible leader replicas
without_elr = 它们未知。
asked_reassignments = 重分配信息
without_reassignments = 正在加入或移除的副本未知。
asked_quorum = controller 仲裁组的信息
without_quorum = 可能缺少没有副本的 broker。
asked_topic_settings = topic 的配置
without_topic_settings = 假定与 broker 的配置相同。
asked_broker_settings = broker 的配置
without_broker_settings = 假定为该版本的默认值。
asked_offsets = 位移
without_offsets = 这些日志的末端位移未知。
asked_epochs = leader 纪元
without_epochs = 各记录的纪元未知。
asked_log_dirs = 日志目录
without_log_dirs = 哪些目录已失效未知。

## 起始状态未能保留的内容。

set_aside = 场景中没有 { $partition }：它没有 leader，而 broker { $broker } 正在运行并且可以当选，因此 controller 会选举它。在 Kafka 中，若该副本所在的日志目录离线、该 broker 正在受控关闭，或 controller 尚未完成选举，就会保持这种状态。请粘贴 kafka-log-dirs --describe 的输出或新的描述，或者单独导入这一行。
difference = { $partition }：输入中 { $column } 为 { $printed }，场景中为 { $kept }。

## 能识别但没有用到的行。

not_used_broker_log = 日志中没有说明分区的 leader、ISR、纪元或位移的行。
not_used_not_described = 日志中的行，涉及输入没有描述的分区。
not_used_election_failed = 失败的选举：首选副本不能当选。
not_used_plan = 重分配计划。它不说明现在的状态。
not_used_reassignment = kafka-reassign-partitions 的提示信息。
not_used_resource = 不是 KafkaTopic、Kafka 或 KafkaNodePool 的 Kubernetes 资源。
not_used_message = shell、Java 或日志库的输出。
not_used_prose = 输出前后的说明文字。

## 版本的依据。

since_adding_replicas = 自 2.4 起才会输出 Adding Replicas 和 Removing Replicas。
since_directory_id = 自 3.7 起 meta.properties 才有 directory.id。
since_resource = Kafka 资源中写明了版本。
since_log_partition_epoch = 自 3.3 起，broker 会在日志中记录新 leader 的分区纪元。
since_log_under_min_isr = 自 3.5 起，broker 才会在日志中写 under-min-isr。
since_directory_of_voter = 自 3.9 起 kafka-metadata-quorum 才会输出 DirectoryId。
since_elr = 自 4.0 起才有 eligible leader replicas。
since_elr_columns = 自 3.7 起 kafka-topics 才有 Elr 和 LastKnownElr 两列。
since_epoch_file = 自 0.11 起才有 leader-epoch-checkpoint 文件。
since_features = 自 3.3 起 kafka-features 才显示 KRaft 集群的特性级别。
since_metadata_log = 自 2.8 起才有元数据日志。
since_oldest_broker = 最旧的 broker 表明版本不会更早。
until_newest_broker = 最新的 broker 表明版本不会更新。
since_metadata_version = broker 支持的最高 metadata.version 表明其版本。
since_protocol_version = inter.broker.protocol.version 不会高于版本本身。
until_protocol_version = inter.broker.protocol.version 只存在到 3.9。
since_default_protocol_version = inter.broker.protocol.version 的默认值就是版本本身。
since_request_versions = broker 提供的各请求的最高版本表明其版本。
until_request_versions = broker 不提供更高版本的请求。
since_node_id = 自 2.8 起 meta.properties 才有 node.id。
since_quorum_tool = 自 3.3 起才有 kafka-metadata-quorum。
since_space = 自 2.4 起，kafka-topics 会在“Topic:”与名称之间输出空格。
since_topic_id = 自 2.8 起 topic 才有 TopicId。
until_last_isr_member = 有分区没有 leader，而 ISR 中仍有成员。若启用了 eligible leader replicas（自 4.1 起默认启用），该成员早已离开。
until_message_format = message.format.version 只存在到 3.9。
until_metadata_version = broker 不支持更高的 metadata.version。
until_old_format = 有段文件使用 0.11 之前的记录格式。
until_log_prefix = 0.11 及更早的日志行以 Partition [topic,0] 开头。
until_log_zk_version = 2.7 及更早的 broker 会在日志中记录新 ISR 的 zkVersion。
until_log_version = 3.0 及更早的 broker 在日志中用方括号记录新 ISR 的版本。
until_space = 2.3 及更早的 kafka-topics 不在“Topic:”与名称之间输出空格。
until_topic_id = 2.8 之前的 topic 没有 TopicId。

## 两次读取之间的变化

changed_broker_gone = broker { $brokers } 不再运行
changed_broker_back = broker { $brokers } 正在运行
changed_new = { $partitions }：新增
changed_deleted = { $partitions }：已删除
changed_leader = { $partitions }：leader 由 { $before } 变为 { $after }
changed_no_leader = { $partitions }：不再有 leader，之前是 { $before }
changed_elected = { $partitions }：{ $after } 成为 leader，之前没有
changed_epoch = { $partitions }：leader 纪元由 { $before } 变为 { $after }
changed_isr_left = { $partitions }：{ $brokers } 离开 ISR
changed_isr_joined = { $partitions }：{ $brokers } 加入 ISR
changed_elr_left = { $partitions }：{ $brokers } 离开 ELR
changed_elr_joined = { $partitions }：{ $brokers } 加入 ELR
changed_last_known_left = { $partitions }：{ $brokers } 不再是最后已知的 leader
changed_last_known_joined = { $partitions }：{ $brokers } 成为最后已知的 leader
changed_replicas_left = { $partitions }：{ $brokers } 不再是副本
changed_replicas_joined = { $partitions }：{ $brokers } 成为副本
changed_reassigning = { $partitions }：正在重新分配，增加 { $adding }，移除 { $removing }
changed_reassigned = { $partitions }：重新分配已结束
changed_topic_setting = 主题 { $topic }：{ $setting } 由 { $before } 变为 { $after }
changed_broker_setting = broker { $broker }：{ $setting } 由 { $before } 变为 { $after }
changed_more = 另有 { $count } 处变化
