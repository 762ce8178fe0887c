### The comparison of two runs.

compare = 比较
with = 比较对象
none = 比较…
stop = 停止比较
sideInView = 显示哪一侧
controlRun = 对照运行：{ $title }
openControlRun = 与对照运行比较：{ $title }
versions = 用其他版本执行相同步骤
branches = 另一个分支
here = { $name } · 第 { $step }/{ $steps } 步
hereMessage = { $name } · 第 { $step }/{ $steps } 步，第 { $message } 个报文，共 { $messages } 个
thisBranch = 这个分支
comparing = 正在比较…
same = 两个运行在每一步结束时都相同。
side = { $kind ->
    [settings] 在 { $name } 时
    [branch] 在分支“{ $name }”中
    [scenario] 在“{ $name }”中
    [thisBranch] 在{ $name }中
   *[version] 在 { $name } 中
}
parting = 从第 { $step } 步起不同：{ $sideA }为{ $a }，{ $sideB }为{ $b }
quoted = “{ $step }”
between = 、
betweenSentences = 。
more = 另有 { $count } 步
noStep = 空
start = 初始的{ $what }不同
start_brokers = broker
start_configs = 配置
start_topics = topic、日志或 leader
start_rules = 规则
start_seed = 延迟
start_metadata_version = 协议级别
start_inter_broker_protocol_version = 协议级别
meanwhile = 另一侧的事件
before = 之前还有 { $count } 个事件……
first = 首个差异出现在第 { $step } 步：{ $what }{ $sideA }为 { $a }，{ $sideB }为 { $b }
onlyIn = 仅{ $side }，第 { $step } 步：{ $property }
show = 查看
differs = 此处不同
differsIn = ：{ $rows }
differsRow = broker { $broker } 的{ $parts }
betweenRows = ；
records = 消息
state = 状态
agrees = 此处相同
nothing = 无
log = broker { $broker } 的日志
high_watermark = broker { $broker } 的高水位
role = broker { $broker } 的角色
broker_state = broker { $broker } 的状态
epoch_cache = broker { $broker } 的纪元
leader = leader{ " " }
isr = ISR{ " " }
elr = ELR{ " " }
leader_epoch = leader 纪元
partition_epoch = { $control ->
    [zookeeper] znode 版本
   *[kraft] 分区纪元
}
outcome = producer 收到的响应
error = producer 收到的错误
value = consumer 读到的值
other = { $where }{ " " }
