### 场景文件、步骤、参数网格和导入中的错误：分句，末尾不加句号。
### 名词直接与后文相接，不留空格，因此以汉字或全角标点结尾；原样引用的词加引号。

## 名词：输入的一部分。

# 输入中的原词，例如键名。
literal = “{ $of }”
a_broker = broker 编号
a_client_name = 客户端名称
a_fault = 故障
a_feature_level = 特性的级别
a_log = 日志
a_log_end_offset = 日志末端位移
a_note = 注释
a_partition = 分区
a_property = 性质
a_question = 问题
a_rack = 机架
a_reason = 理由
a_replica = 副本
a_rule = 规则
a_scenario = 场景
a_setting = 配置项
a_source = 来源
a_start_offset = 起始位移
a_term = 术语表中的术语
a_topic = topic（列表中的一项）
a_topic_name = topic 的名称
a_value = 消息的值
another_distribution = 其他发行版
an_answer = 答案
an_axis = 维度
an_epoch = 纪元
an_error = 错误
correct_answer = “correct”（正确答案的序号，从 0 开始）
election_kind = 选举的类型
epoch_and_start = [纪元，起始位移]（一对）
message_kind = 报文的类型
rule_called = 规则“{ $of }”
start_of_epoch = 纪元的起始位移
the_explanation = 解释
the_grid = 参数网格
the_leader = leader 的编号
the_leader_or_none = leader 的编号（没有则为 -1）
the_summary = 摘要
the_title = 标题
timer_kind = 定时器的类型
a_member = “{ $of }”的成员

## 名词：有名称的各类事物。

client = 客户端
fault = 故障
feature = 特性
key = 键
producer = producer
rule = 规则
setting = 配置项
step = 步骤
topic = topic

## 名词：实际给出的内容。

empty = 空值
empty_text = 空文本
list = 列表
mapping = 映射
number_given = 数字 { $of }
switch_given = 布尔值 { $of }
text_given = 文本“{ $of }”

## 名词：允许的内容。

characters = 1 到 { $most } 个字符，可用字符：{ $of }
error_names = Kafka 的错误名，例如 NOT_ENOUGH_REPLICAS
value_characters = 1 到 32 个可打印字符，不含空格、/ 和 *
all_of = { $first } 和 { $last }
any_of = { $first } 或 { $last }
none_here = 无
epoch_entry = 一个纪元和它的起始位移
offset_entry = 一个 topic、一个分区号和一个位移

## 文件的文本。

duplicate_key = 键重复
document_empty = 文档为空；场景应为映射
document_too_large = 文档超过 { $most } 字节
document_too_deep = 文档嵌套超过 { $most } 层
document_too_long = 文档超过 { $most } 个值
control_character_in_document = 文档含有控制字符
control_character = 文本含有控制字符或不成对的代理字符
second_document = 一个文件只能有一个文档，这里是第二个
alias_not_supported = 不支持别名（*name），请直接写出值
anchor_not_supported = 不支持锚点（&name），请直接写出值
tag_not_supported = 不支持标签（!name），请直接写出值
merge_key_not_supported = 不支持合并键（<<），请逐个写出键
key_form = 键必须是单词或数字
key_too_long = 键最多 { $most } 个字符
not_finite = 不允许无穷大和 NaN
number_too_large = 这个数太大
number_too_long = 这个数超过 { $most } 位
value_not_possible = 场景不能包含这种值
file_unreadable = 文件无法读取：{ $problem }
file_not_utf8 = 文件不是 UTF-8 编码
translation_unreadable = 译文无法读取：{ $problem }
not_yaml = 这不是有效的 YAML
not_yaml_because = 这不是有效的 YAML：{ $reason }
yaml_other = 解析器报告“{ $problem }”
yaml_within = { $context }，{ $reason }

## 为什么不是有效的 YAML。

yaml_while_alias = 读取别名时
yaml_while_anchor = 读取锚点时
yaml_while_block_collection = 解析块列表时
yaml_while_block_mapping = 解析块映射时
yaml_while_block_node = 解析块节点时
yaml_while_block_scalar = 读取块文本时
yaml_while_directive = 读取指令时
yaml_while_double_quoted = 读取双引号文本时
yaml_while_flow_mapping = 解析花括号映射时
yaml_while_flow_node = 解析行内节点时
yaml_while_flow_sequence = 解析方括号列表时
yaml_while_next_token = 读取下一个符号时
yaml_while_node = 解析节点时
yaml_while_parsing_directive = 解析指令时
yaml_while_parsing_tag = 解析标签时
yaml_while_quoted = 读取引号文本时
yaml_while_simple_key = 读取键时
yaml_while_tag = 读取标签时
yaml_because_bad_start = 字符 { $found } 不能出现在开头
yaml_because_bad_version = YAML 文档的版本不兼容（需要 1.*）
yaml_because_duplicate_directive = YAML 指令重复
yaml_because_duplicate_handle = 标签前缀 { $found } 重复
yaml_because_end_in_quotes = 文件在引号内结束
yaml_because_escape = 转义字符 { $found } 未知
yaml_because_expected_bang = 应为 '!'，实际是 { $found }
yaml_because_expected_block_end = 块应在此结束，实际是 { $found }
yaml_because_expected_chomping = 应为换行或缩进标记，实际是 { $found }
yaml_because_expected_colon = 缺少 ':'
yaml_because_expected_comma_or_brace = 应为 ',' 或 '{ "}" }'，实际是 { $found }
yaml_because_expected_comma_or_bracket = 应为 ',' 或 ']'，实际是 { $found }
yaml_because_expected_comment = 应为注释或换行，实际是 { $found }
yaml_because_expected_content = 缺少节点的内容，实际是 { $found }
yaml_because_expected_digit = 应为数字，实际是 { $found }
yaml_because_expected_digit_or_dot = 应为数字或 '.'，实际是 { $found }
yaml_because_expected_digit_or_space = 应为数字或空格，实际是 { $found }
yaml_because_expected_document = 应为文档的开头，实际是 { $found }
yaml_because_expected_greater = 应为 '>'，实际是 { $found }
yaml_because_expected_hexadecimal = 转义序列应有 { $count } 位十六进制数字，实际是 { $found }
yaml_because_expected_indentation = 缩进标记应为 1 到 9，实际是 0
yaml_because_expected_letter = 应为字母或数字，实际是 { $found }
yaml_because_expected_space = 应为空格，实际是 { $found }
yaml_because_expected_uri = 应为 URI，实际是 { $found }
yaml_because_expected_uri_escape = URI 转义序列应有 2 位十六进制数字，实际是 { $found }
yaml_because_keys_not_here = 这里不能有映射的键
yaml_because_separator_in_quotes = 引号内出现了文档分隔符
yaml_because_sequence_not_here = 这里不能有列表项
yaml_because_undefined_handle = 标签前缀 { $found } 未定义
yaml_because_values_not_here = 这里不能有映射的值

## 类型、范围和名称。

not_a_mapping = { $what }必须是映射，不能是{ $given }
not_a_list = { $what }必须是列表，不能是{ $given }
not_an_integer = { $what }必须是整数，不能是{ $given }
not_a_switch = { $what }必须是 true 或 false，不能是{ $given }
not_text = { $what }必须是文本，不能是{ $given }
not_text_but_number = { $what }必须是文本，不能是{ $given }；请写成 "{ $right }"
not_on_one_line = { $what }只能有一行
text_too_long = { $what }最多 { $most } 个字符、{ $bytes } 字节
missing = { $what }缺少 { $names }
too_few_entries = { $what }至少要有 { $least } 项，现在有 { $count } 项
too_many_entries = { $what }最多 { $most } 项，现在有 { $count } 项
out_of_range = { $what }必须在 { $lowest } 到 { $highest } 之间，不能是 { $number }
not_matching = { $what }不能是{ $given }，应为：{ $right }
no_such = { $what }“{ $name }”不存在
no_such_but_meant = { $what }“{ $name }”不存在；是否应为 { $meant }？
no_such_but_allowed = { $what }“{ $name }”不存在；可选：{ $names }
left_out = Highwater 没有模拟 { $name }：{ $what }。{ $reason }
cannot_be = { $what }不能是{ $given }
cannot_be_but_meant = { $what }不能是{ $given }；是否应为 { $meant }？
cannot_be_but_allowed = { $what }不能是{ $given }；必须是 { $names }

## 版本、协议级别和规则。

format_not_supported = 只支持格式的第 { $version } 版：scenario: 1
version_not_quoted = 版本必须是字符串：请带引号写成 "{ $right }"；不带引号是数字，0.10 就成了 0.1
version_not_text = 版本应为 "2.0.1" 这样的字符串，不能是{ $given }
version_form = “{ $kafka }”不是 Kafka 版本号；可选版本：{ $names }
no_release = 没有 Kafka { $kafka }；可选版本：{ $names }
no_patch = 没有 Kafka { $kafka }；{ $line } 的版本有：{ $names }
release_of_vendor = { $kafka } 是 { $what } 的版本，它包含 Kafka { $right }：请写 { $right }
release_too_new = 没有 Kafka { $kafka } 的资料；已知的最新版本是 { $newest }：写 { $line } 可按其规则运行；可选版本：{ $names }
release_too_old = Kafka { $kafka } 比可模拟的最旧版本 { $oldest } 还旧；可选版本：{ $names }
range_form = 版本范围的写法如 '>=0.11 <3.6'；可选版本：{ $names }
no_level = 没有协议级别 { $level }；可选级别：{ $names }
no_level_setting = KRaft 下的 Kafka { $kafka } 没有 metadata.version 配置：它从 3.3 开始才有，之前 broker 使用 { $level }
level_not_supported = Kafka { $kafka } 不能以 { $name } { $level } 运行；支持 { $oldest } 到 { $newest }
level_of_other_control = { $control } 下的集群使用 { $right }，不使用 { $name }
level_of_topic = { $name } 是整个集群的配置，不属于 topic 或 broker
config_of_two = 一个 config 步骤修改一个 topic 或一个 broker 的配置，不能同时修改两者
control_not_supported = Kafka { $kafka } 不支持 { $control }；支持 { $names }
no_rule = 规则“{ $name }”不存在；可选：{ $names }
rule_needs_rule = 规则 { $name } 需要 { $right }，而它已关闭
no_feature = { $control } 下的 Kafka { $kafka } 没有 { $name }：它从 { $since } 开始才有，且只在 KRaft 下

## 配置项。

setting_removed = { $name } 在 Kafka { $since } 中已移除
setting_too_new = { $name } 从 Kafka { $since } 开始才有，这里是 { $kafka }
setting_not_a_switch = { $name } 必须是 true 或 false
setting_not_an_integer = { $name } 必须是整数
setting_choices = { $name } 必须是 { $names }
setting_out_of_range = { $name } 必须在 { $lowest } 到 { $highest } 之间，不能是 { $number }
setting_far_out_of_range = { $name } 必须在 { $lowest } 到 { $highest } 之间，不能是超过 20 位的数
setting_of_topic = { $name } 是 topic 的配置；broker 上对应 { $right }
setting_of_broker = { $name } 是 broker 的配置，不属于 topic
setting_of_controller = 只有 controller 读取 { $name }：请在 configs 中为整个集群设置
min_isr_of_one_broker = 启用合格的 leader 副本（KIP-966）时，{ $name } 只能为集群或 topic 设置，不能为单个 broker 设置
setting_of_broker_named = { $name } 是 broker 的配置；topic 上对应 { $right }
no_setting = 配置项“{ $name }”不存在

## broker、topic 和分区。

broker_count = “brokers”必须有 1 到 { $most } 项，现在有 { $count } 项
broker_twice = broker { $broker } 重复出现
broker_twice_in = broker { $broker } 在{ $what }中重复出现
no_broker = 没有 broker { $broker }；现有 broker：{ $names }
not_a_replica = { $what }必须是该分区的副本之一（{ $names }），不能是 { $broker }
not_by_replica = { $what }以副本的编号为键；没有副本{ $given }，现有副本：{ $names }
leader_not_in_isr = ISR 必须包含 leader { $broker }
first_replica_not_in_isr = ISR 必须包含 leader { $broker }；如果 leader 是其他副本，请加上 leader:
start_impossible_in = Kafka { $kafka } 的集群不可能处于这个初始状态：{ $where }：{ $reason }
start_fences_no_broker = ZooKeeper 的 controller 不会隔离（fence）broker；broker 的状态只能是 running、stopped 或 unknown
start_leader_not_active = broker { $broker } 不可能是 leader：它的会话已被 controller 结束，leader 身份也随之失去；请写 leader: -1，或让它处于运行状态
start_isr_member_not_active = broker { $broker } 不可能在 ISR 中：会话结束时 controller 已将它移出，而被隔离的 broker 不能再加入（KIP-841）
start_would_be_elected = broker { $broker } 正在运行且在 ISR 中，controller 早已选它为 leader（ELECTION-CLEAN）。如果是它的日志目录故障：这里每个 broker 只有一个日志目录，请写 state: stopped
start_elr_would_be_elected = broker { $broker } 正在运行且是 eligible leader replica，而 ISR 为空，controller 早已选它为 leader（KIP-966）
start_isr_of_several = 没有 leader 的分区，ISR 最多只剩最后一个成员，而不是 { $count } 个：每个 broker 的会话结束时，controller 都会将它移出
start_isr_empty = 在 Kafka { $kafka } 中，ISR 的最后一个成员会保留，因此没有 eligible leader replicas（KIP-966）时 ISR 不可能为空
start_without_elr = 此处的 Kafka { $kafka } 没有 eligible leader replicas（KIP-966，自 4.0 起，仅 KRaft）
start_elr_in_isr = broker { $broker } 在 ISR 中，因此不在 ELR 中
start_elr_with_whole_isr = 只要 ISR 的成员数不少于 min.insync.replicas，ELR 就为空：ISR 有 { $count } 个成员，min.insync.replicas 为 { $least }（KIP-966）
start_last_known_is_one = 最后已知的 leader 只有一个 broker
start_last_known_with_leader = 只有分区没有 leader 时，才会记录最后已知的 leader（KIP-966）
start_removes_all = 重新分配不可能移除所有副本
partition_number_too_small = 主题的分区必须按编号排列：这里的编号至少为 { $least }，不能是 { $number }
topic_twice = topic “{ $name }”出现了两次
too_many_partitions = 一个场景总共最多 { $most } 个分区，现在有 { $count } 个
no_partition = 分区“{ $name }”不存在；现有分区：{ $names }

## 初始日志。

record_form = 消息必须写成 值 或 值/纪元（x*20/纪元 表示二十条消息），不能是“{ $given }”
record_count = x*{ $count } 的消息数必须在 1 到 { $most } 之间
too_many_records = 一个日志最多 { $most } 条消息
offset_out_of_log = { $what }必须在 { $lowest } 到日志末端 { $highest } 之间，不能是 { $number }
acked_of_no_record = 已确认的消息，其值必须恰好对应这些日志中的一条消息；值为 { $value } 的有 { $count } 条
recovery_point_not_flushed = 恢复点之前的内容必须已刷盘：{ $number } 超过了 flushed { $flushed }
record_epoch_decreases = 日志中的纪元不能减小：{ $value } 的纪元是 { $epoch }，而前一条是 { $before }
record_epoch_differs = 位移 { $offset } 处消息的纪元是 { $right }，不是 { $epoch }
log_epoch_too_high = 日志包含纪元 { $epoch }，因此 leader_epoch 至少为 { $epoch }，不能是 { $leader_epoch }
entry_epoch_too_high = 纪元 { $epoch } 不能大于 leader_epoch { $leader_epoch }
epoch_not_rising = 纪元必须递增：{ $epoch } 排在 { $before } 之后
start_decreases = 起始位移不能减小：{ $offset } 排在 { $before } 之后

## 步骤。

too_many_steps = 一个场景最多 { $most } 个步骤，现在有 { $count } 个
step_not_a_mapping = 步骤必须是映射，例如 { "{" }crash: { "{" }broker: 1{ "}" }{ "}" }，不能是{ $given }
step_empty = 步骤为空
step_of_several = 一个步骤只能有一个操作，这里有 { $names }
not_an_action = `{ $name }` 不是操作，只能写在场景文件中
refused_not_here = `refused` 只能写在场景文件中
refused_twice = `refused` 重复出现
acks_form = acks 必须是 all、1 或 0，不能是{ $given }
endpoint_form = 链路的端点必须是 broker 编号或 controller，不能是“{ $given }”
no_client_before = { $what }“{ $name }”在这一步之前不存在；已有：{ $names }
no_client_yet = { $what }“{ $name }”在这一步之前不存在；目前一个也没有
no_replica_of = broker { $broker } 没有 { $names } 的副本
same_ends = from 和 to 必须不同，现在都是“{ $given }”
config_without_setting = config 缺少配置项，例如 min.insync.replicas: 2
idempotence_needs_acks = 幂等要求 acks: all，不能是“{ $given }”
sequence_needs_idempotence = sequence 要求 idempotent: true
sequence_needs_one_value = sequence 要求恰好一个值
broker_or_rack = broker 和 rack 只能写一个
metadata_from_controller = 元数据日志必须来自 controller
nth_of_one_message = nth 只选择一个报文，不能用于元数据日志，也不能与 skip 同时使用
records_of_metadata = “records”只能用于元数据日志
metadata_without_partition = 元数据日志没有分区
skip_of_command = skip 只能用于 leader_and_isr
timer_needs_broker = 定时器“{ $given }”需要 broker
timer_of_broker = 定时器“{ $given }”属于 broker，不属于 controller
heal_of_both = heal 要么写 from 和 to，要么写 broker，不能都写
heal_of_nothing = heal 需要 from 和 to，或者 broker

## 问题和预期。

reason_count = “reasons”必须与 { $expected } 个答案一一对应，现在有 { $count } 项
expectation_empty = 预期不能为空
partition_not_named = 有多个分区，请用“partition”指明一个，例如“partition: { $name }”

## 运行和参数网格。

run_too_long = 这次运行超过 { $most } { $name }
too_many_cells = 一个参数网格最多 { $most } 个单元，现在有 { $count } 个
value_impossible = { $name } 不能是“{ $given }”：{ $reason }
feature_and_rule = { $name } 会切换规则 { $right }：两者只能写一个
value_twice = 一个维度中不能有重复的值
budget_form = 预算必须写成 "crash=1,produce=2" 的形式，可用的名称是 { $right }，不能是{ $given }
rate_out_of_range = 故障率必须在 0 到 { $right } 之间（每个 broker 每一步的次数），不能是{ $given }

## 从真实集群导入。

import_inconsistent = 导入的状态自相矛盾：{ $name }：{ $reason }
import_impossible = { $name } 不可能处于所描述的状态：{ $reason }
import_without_topic = 没有 topic { $name }；现有 topic：{ $names }
import_without_partition = 没有任何分区的描述：请提供 kafka-topics --describe 的输出，或某个 broker 的数据目录
import_describes_none = 已读取：{ $what }。其中没有任何分区的描述：请加上 kafka-topics --describe 的输出，或某个 broker 的数据目录
import_not_read = 这是 { $name } 的输出，不读取；请改为粘贴 kafka-topics --describe 的输出
import_json_form = 这段 JSON 不是可读取的格式：kcat -L -J、kafka-log-dirs --describe、kafka-reassign-partitions 的计划，或 ZooKeeper、metadata shell 的节点
import_json_cut = 这段 JSON 不完整或有错误；请完整粘贴
import_node_without_path = 这个节点不含自己的路径；请在上面一行写出路径：{ $example }
import_resource_form = 这不是可读取的 YAML；请粘贴 kubectl get --output yaml 的输出
import_whose = 这部分来自哪个 broker？请在它上面加一行：# broker 1
import_not_utf8 = 这不是 UTF-8 文本
import_line_unknown = 这一行无法识别；可接受的输入是 kafka-topics --describe、kafka-dump-log、kafka-metadata-quorum describe、kafka-configs --describe、kafka-features、kafka-get-offsets、kafka-log-dirs、kafka-reassign-partitions、kafka-leader-election 和 kcat -L 的输出，以及 broker 日志、ZooKeeper 和 metadata shell 的节点、Strimzi 资源、检查点文件、meta.properties 和 server.properties
checkpoint_entry = 文件声明有 { $expected } 个条目，这是第 { $count } 个：它必须是{ $right }
checkpoint_without_name = 这里开始是一个检查点文件，但缺少文件名；请按文件名提供，或像 head 那样在上面加一行：==> broker-1/replication-offset-checkpoint <==
epochs_without_partition = 这里开始是一个纪元文件，但缺少分区；请提供它的路径，或在上面加一行：==> broker-1/orders-0/leader-epoch-checkpoint <==
epochs_not_rising = 纪元必须递增，起始位移不能减小
properties_without_broker = meta.properties 必须有 node.id 或 broker.id
dump_without_partition = 这里开始是导出的日志，但缺少分区；请保留它上面的 'Dumping …/orders-0/00000000000000000000.log' 一行
dump_too_long = 导出的日志超过 { $most } 条消息，太长
observers_form = CurrentObservers 必须是 id 的列表，或含有 id 的对象的列表
topics_incomplete = kafka-topics --describe 的这一行不完整：{ $reason }
field_not_a_number = { $name } 必须是数字
field_not_broker_ids = { $name } 必须是 broker 编号，例如 1,2,3
field_not_a_leader = Leader 必须是 broker 编号或 none
field_missing = 缺少 { $name }
partition_fields_missing = 缺少 Partition 或 PartitionCount
segment_without_partition = segment 必须放在其分区的文件夹中，例如 orders-0
not_a_segment = 这不是日志 segment：{ $reason }
segment_without_batch = 第 { $number } 字节处没有批次
segment_too_long = 超过 { $most } 条消息
batch_too_short = 位移 { $offset } 处的批次太短
batch_without_end = 位移 { $offset } 处的批次没有末位移
record_too_long = 有一条消息比它所在的批次还长
record_cut_off = 有一条消息在批次内被截断
number_without_end = 消息中有一个数没有结尾
message_cut_off = 位移 { $offset } 处的消息被截断

## 评估。

assess_acks = acks 必须是 all、1 或 0，而不是“{ $value }”
assess_elr = elr 必须是 on 或 off，而不是“{ $value }”
assess_control = control 必须是 zookeeper 或 kraft，而不是“{ $value }”
