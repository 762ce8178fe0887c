### 报文时序图。标签写在箭头和圆点旁边，所以都要短。

title = 报文时序
show = 展开报文时序
hide = 收起报文时序
full = 放大
dock = 收回到日志下方
steps = { $last ->
        [nothing] 第 { $first } 步
       *[other] 第 { $first }–{ $last } 步
    }
step = { $number } { $title }
start = 开始
seconds = { $value } s
now = t = { $time }
untimed = 时间未推进
untimedWhy = 此运行的各个步骤都不推进时间。
dueNext = 即将到期
dueIn = { $time } 后
dueNow = 现在
letPass = 让时间前进到该时刻：{ $timer } { $due }
both = 全部
all = 全部
partitions = 显示的分区
playhead = 播放头在 { $time }
window = { $steps }。按上下方向键沿泳道移动，按住 Shift 切换泳道。
said = { $what }。{ $sentence }
named = { $what }，{ $from } → { $to }。{ $sentence }

## 泳道。

broker = Broker { $broker }
producers = Producer { $names }
consumers = Consumer { $names }
controller = Controller
leader = leader
staleLeader = leader，纪元 { $epoch }？
follower = follower
down = 停机
paused = 暂停

## 即将到期的定时器。没有 broker 时表示多个。

timer-isr_expiration = { $broker ->
        [nothing] ISR 检查
       *[other] broker { $broker } 的 ISR 检查
    }
timer-high_watermark_checkpoint = { $broker ->
        [nothing] 写 HW 检查点
       *[other] broker { $broker } 写 HW 检查点
    }
timer-recovery_point_checkpoint = { $broker ->
        [nothing] 写恢复点检查点
       *[other] broker { $broker } 写恢复点检查点
    }
timer-isr_change_propagation = { $broker ->
        [nothing] ISR 变更检查
       *[other] broker { $broker } 的 ISR 变更检查
    }
timer-session_timeout = { $broker ->
        [nothing] 会话到期
       *[other] broker { $broker } 的会话到期
    }
timer-long_poll = { $broker ->
        [nothing] 等待中的拉取
       *[other] 在 broker { $broker } 等待的拉取
    }
timer-produce_timeout = { $broker ->
        [nothing] 等待中的 producer
       *[other] 在 broker { $broker } 等待的 producer
    }
timer-unclean_leader_check = 检查没有 leader 的分区

## 报文的内容。

several = { $what } ×{ $count }
held = { $what }，扣留
lost = { $what }，未送达
fetch = 从 { $offset } 拉取
fetched = { $values ->
        [nothing] { $count } 条，HW { $high_watermark }
       *[other] { $values }，HW { $high_watermark }
    }
fetchedNothing = HW { $high_watermark }
diverges = 纪元 { $epoch } 结束于 { $offset }
asksEpoch = 纪元 { $epoch } 在哪里结束？
respondsEpoch = 结束于 { $offset }
asksOffset = { $which ->
        [earliest] 日志起点？
       *[other] 日志末端？
    }
respondsOffset = { $which ->
        [earliest] 开始于 { $offset }
       *[other] 结束于 { $offset }
    }
commands = { $leader ->
        [-1] 无 leader，纪元 { $leader_epoch }
       *[other] leader { $leader }，纪元 { $leader_epoch }
    }
metadata = 元数据
deletesReplica = 删除副本
asksIsr = ISR { "{" }{ $isr }{ "}" }？
respondsIsr = ISR { "{" }{ $isr }{ "}" }
notifies = ISR 已变更

## 单个节点上的事件，以及客户端发出和收到的内容。

produces = { $value }
acknowledges = 确认 { $value }
fails = { $error ->
        [nothing] 被拒绝
       *[other] { $error }
    }
waits = { $value } 等待
leavesWithoutResponse = 没有响应
learnsLeader = { $leader ->
        [-1] 无 leader
       *[other] leader { $leader }
    }
opensTransaction = 开始事务
closesTransaction = { $how ->
        [commit] 提交
        [abort] 中止
       *[other] 结束
    }
marks = { $how ->
        [commit] 提交标记
       *[other] 中止标记
    }
lostRecord = { $value } 丢失
recordsAtRisk = { $values ->
        [nothing] { $count } 条有风险
       *[other] { $values } 有风险
    }
recordsSafe = { $values ->
        [nothing] { $count } 条重新安全
       *[other] { $values } 重新安全
    }
consumes = { $values ->
        [nothing] { $count } 条
       *[other] { $values }
    }
readsNothing = 没有新消息
toldToFollower = 改读 { $follower }
appends = { $values ->
        [nothing] 追加 { $count } 条
       *[other] 追加 { $values }
    }
cuts = { $values ->
        [nothing] 截断 { $count } 条
       *[other] 截断 { $values }
    }
losesUnflushed = { $values ->
        [nothing] 未刷盘的 { $count } 条消失
       *[other] 未刷盘的 { $values } 消失
    }
movesHighWatermark = HW { $before } → { $after }
fileOfHighWatermark = { $offsets ->
        [nothing] HW 写入文件
       *[other] HW { $offsets } 写入文件
    }
fileOfRecoveryPoint = 恢复点写入文件
flushes = 刷盘至 { $flushed }
opensLog = 打开日志
replicaMade = 新副本
replicaDeleted = 删除日志
starts = 启动
crashes = 崩溃
powerLost = 断电
diskLost = 磁盘丢失
stops = 停止
ends = 进程退出
hangs = 卡住
shutsDown = 正在关闭
pauses = 暂停
resumes = 恢复
slows = { $ms ->
    [0] 不再延迟
   *[other] 延迟 { $ms } ms
}
cutsLink = { $to ->
        [nothing] 网络切断
        [controller] 与 controller 断开
       *[other] 与 { $to } 断开
    }
healsLink = { $to ->
        [nothing] 链路恢复
        [controller] 与 controller 的链路恢复
       *[other] 与 { $to } 的链路恢复
    }
takesOver = controller 纪元 { $controller_epoch }
sessionEnds = { $broker } 的会话到期
fences = 隔离 { $broker }
unfences = 解除隔离
registers = 注册
heartbeat = 心跳
electedLeader = leader { $leader }，纪元 { $leader_epoch }
nobodyLeads = 无 leader
notElected = 没有可选的副本
elrChanges = ELR { "{" }{ $elr }{ "}" }
assigns = 副本 { $replicas }
failsWithException = 失败
setsConfig = { $name } = { $value }
changesLevel = { $level }
leads = 成为 leader，纪元 { $leader_epoch }
follows = 跟随 { $leader }
leaderless = 无 leader
ignores = { $what ->
        [nothing] 忽略
       *[other] 忽略 { $what }
    }
fetcherFails = 停止拉取
isrChanges = ISR { "{" }{ $isr }{ "}" }
checksIsr = ISR 检查
checksIsrChanges = ISR 变更检查
outOfSync = { $replica } 不同步
refusesIsr = ISR 未变更
