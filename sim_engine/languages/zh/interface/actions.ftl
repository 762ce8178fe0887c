### The forms of steps and of settings.

withValues = 自定义参数…
withValuesOf = 自定义参数：{ $step }
anyAction = 任意操作，自定义参数…
formTitle = 按自定义参数操作
kindOfStep = 操作
do = 执行
optional = 可选
nothing = 不设置
count = 数量
countHint = 多条消息，从该值起依次编号。
countWrong = 必须是 { $least } 到 { $most } 之间的整数。
countDiffers = 输入了多个值时，数量必须与值的个数一致：{ $count }。如需依次编号，请只输入一个值。
waitingKinds = 等待中
otherKinds = 其他类型
valuesHint = 多个值用空格分隔。
replicasHint = broker id，首选 leader 在前，用逗号分隔。留空表示取消进行中的重新分配。
keptHint = 断电后保留到的 LEO。留空表示保留到已刷盘的位置。
otherPartitions = 其他分区的 { $count } 个操作


about-fetch = 执行 follower 的拉取循环，直到消息写入日志，或拉取请求开始在 leader 处等待。
about-send_fetch = follower 只发出下一个请求。请求和响应都由你来投递。
about-advance = 时钟前进，到期的定时器触发；报文不投递。
about-run = 执行这段时间内到期的所有操作，包括投递报文。
about-power_loss = 进程终止，未刷盘的数据全部丢失，除非你指定保留多少。
about-boot = 进程启动并打开日志，但还没有收到任何元数据。

arg-to = 目标
arg-values = 值
arg-acks = acks
arg-as = 客户端
arg-broker = broker
arg-produce-broker = 发往此 broker（无论谁是 leader）
arg-consume-broker = 从此 broker 读取
arg-idempotent = 幂等
arg-sequence = 序号
arg-timeout_ms = 超时（ms）
arg-do = 操作
arg-nth = 同类中的第几条（从最早的算起）
arg-partition = 分区
arg-rack = 机架
arg-max = 最多消息数
arg-isolation = 隔离级别
arg-records = 最多消息数
arg-deliver-records = 一次投递的元数据记录数
arg-only = 结束阶段
arg-drop = 丢失
arg-kind = 类型
arg-from = 来源
arg-skip = 由下一条取代
arg-follower = 等待中的 follower
arg-keep = 保留的日志
arg-session = 旧会话
arg-ms = 时间（ms）
arg-slow-ms = 每个报文的延迟（ms）
arg-leader = 必须当选的 leader
arg-replicas = 副本

choice-truncation = 截断
choice-response = 响应
choice-kept = 仍然存在
choice-all = 全部
choice-brokers = 其他 broker
choice-controller = controller
choice-clean = clean：从 ISR 中选
choice-preferred = 首选 leader
choice-unclean = 必要时 unclean
choice-begin = 开始
choice-commit = 提交
choice-abort = 中止
choice-isr_expiration = ISR 检查
choice-high_watermark_checkpoint = 高水位检查点
choice-recovery_point_checkpoint = 恢复点检查点
choice-flush = 刷盘
choice-isr_change_propagation = ISR 变更检查
choice-heartbeat = 心跳
choice-session_timeout = 会话超时
choice-preferred_leader_check = 首选 leader 检查
choice-unclean_leader_check = 无 leader 分区检查
choice-long_poll = 结束等待中的拉取
choice-fetch_backoff = 结束拉取退避
choice-produce_timeout = 等待中的 produce 请求超时
choice-on = 开
choice-off = 关

settings = { $count } 项设置
uncleanElection = unclean 选举
settingsTitle = 本次运行的设置
settingsAbout = Kafka { $kafka }，{ $control }。带标记的设置与该版本的默认值不同。
settingsFilter = 筛选设置
ofProducers = Producer
ofProducersAbout = producer 每次发送消息时指定这些设置。重新开始会更改所有 produce 步骤。
withoutEffect = 在此不起作用
withoutEffectAbout = 引擎没有模拟它们控制的行为，修改后运行不会变化。保留它们是为了完整保存集群的配置。
produceWith = 以此设置发送……
produceWithHint = 打开下一个 produce 步骤的表单，并填好此设置。
openSetting = 更改 { $name }，当前为 { $value }
defaultIs = 默认 { $value }
unlimited = 无上限
changed = 已更改
asStep = 立即更改
asStepHint = 在本次运行中增加一步，从此处起生效。
anew = 以此设置重新开始
anewHint = 新建一次运行，从头开始同一课程。
besideIt = 与此设置对比
besideHint = 从头开始同一课程，显示在本次运行下方。
foretold = 采用此设置后，运行从第 { $step } 步起不同{ $title ->
    [nothing] { "" }
   *[other] ：{ $title }
}。
foretoldSame = 采用此设置后，运行不变。
foretoldBetter = 不再发生：{ $property }。
foretoldUnpromised = acks={ $acks } 时，Kafka 不承诺保留消息，因此丢失不违反任何性质。
foretoldWorse = 另外发生：{ $property }。
noSuchSetting = 没有匹配的设置。
