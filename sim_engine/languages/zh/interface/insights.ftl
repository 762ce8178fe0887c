### The insights page.

headlineNone = 没有一个分享的运行丢失过以 acks=all 确认的消息。
headlineStopped = 使用 acks=all 时，Kafka { $last } 及之前的运行丢失过已确认的消息，之后的没有。
headlineWorst = 使用 acks=all 时，Kafka { $kafka } 有 { $rate } 的运行丢失了已确认的消息，高于其他版本。
headlineOnly = 使用 acks=all 时，Kafka { $kafka } 的 { $n } 次运行中有 { $lost } 次丢失了已确认的消息。
headlineFault = 最常见的最后一个故障是：{ $fault }。
from = 来自 { $runs } 次分享的运行，汇总于{ $when }。为模拟结果，并非真实集群的测量。每个标记都能打开一个对应的运行。
lossTitle = 丢失已确认消息的运行
lossText = 在有效运行中的占比与 95 % 区间，按 Kafka 版本
zeroNote = 从零开始的虚线：没有丢失，末端表示至多可能多频繁。
chart = 图表
table = 表格
viewOf = { $title }：显示方式
noneOf = { $n } 次中 0 次，至多 { $high }
rateOf = { $rate }（{ $low } 至 { $high }），{ $n } 次中 { $lost } 次
notExercised = { $runs } 次运行从未确认过消息，或从未遇到故障：{ $versions }。它们不能说明什么，未计入。
nothingExercised = 没有有效运行
behindTitle = 丢失背后的原因
behindText = 消息消失前的最后一个故障，按运行次数
behindNone = 还没有分享的运行丢失过消息。
lessonsTitle = 分享最多的课程
lessonsText = 每课的分享次数；红色部分丢失了已确认的消息
lessonsNone = 还没有人分享过课程。
version = Kafka
acks = acks
runs = 有效运行
lost = 丢失消息
rate = 比例
interval = 95 % 区间
unexercised = 未计入
example = 示例
open = 打开运行
openFor = { $what }：打开运行
fault = 故障
faultRuns = 包含它的运行
lossyRuns = 其中丢失消息
lastBefore = 丢失前最后一个
lesson = 课程
shares = 分享次数
emptyTitle = 尚未汇总任何运行
emptyText = 此页统计人们分享的运行，说明哪些版本和设置会丢失已确认的消息。运行本服务的人用一条命令即可汇总：
emptyAdd = 分享一个运行，它就会被计入。
emptyPlay = 播放一次故障并分享

## Faults as the summary names them.

fault-crash = 崩溃
fault-power_loss = 断电
fault-disk_loss = 磁盘丢失
fault-shutdown = 正常关闭
fault-pause = 暂停
fault-isolate = broker 被隔离
fault-cut = 链路中断
fault-drop = 消息丢弃
fault-unclean_election = unclean 选举
