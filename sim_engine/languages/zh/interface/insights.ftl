### The insights page.

headlineNone = 在所有分享的运行中，没有一个丢失过以 acks=all 确认的消息。
headlineStopped = 使用 acks=all 时，Kafka { $last } 及之前的运行丢失过已确认的消息，之后的没有。
headlineWorst = 使用 acks=all 时，Kafka { $kafka } 有 { $rate } 的运行丢失了已确认的消息，高于其他版本。
headlineOnly = 使用 acks=all 时，Kafka { $kafka } 的 { $n } 次运行中有 { $lost } 次丢失了已确认的消息。
headlineFault = 最常见的最后一个故障是：{ $fault }。
from = 来自 { $runs } 次分享的运行，汇总于{ $when }。全部为模拟结果，未在真实集群上测量。点击标记可打开一个运行。
lossTitle = 丢失已确认消息的运行
lossText = 丢失消息的运行在有效运行中的占比，附 95% 置信区间，按 Kafka 版本
zeroNote = 从零开始的虚线：没有运行丢失消息，末端是比例的上限。
chart = 图表
table = 表格
viewOf = { $title }：显示方式
noneOf = { $n } 次中 0 次，上限 { $high }
rateOf = { $rate }（{ $low } 至 { $high }），{ $n } 次中 { $lost } 次
notExercised = { $runs } 次运行中没有已确认的消息或没有发生故障：{ $versions }。它们不能证明安全，因此未计入。
nothingExercised = 暂无有效运行
behindTitle = 导致消息丢失的故障
behindText = 消息丢失前的最后一个故障（运行次数）
behindNone = 还没有分享的运行丢失过消息。
lessonsTitle = 分享最多的课程
lessonsText = 每课的分享次数；红色：丢失了已确认消息的运行
lessonsNone = 还没有分享过课程。
version = Kafka
acks = acks
runs = 有效运行
lost = 丢失消息
rate = 比例
interval = 95% 区间
unexercised = 未计入
example = 示例
open = 打开运行
openFor = { $what }：打开运行
fault = 故障
faultRuns = 包含此故障的运行
lossyRuns = 丢失消息的运行
lastBefore = 丢失前的最后一个故障
lesson = 课程
shares = 分享次数
emptyTitle = 暂无汇总
emptyText = 此页统计分享的运行：哪些版本和设置会丢失已确认的消息。服务的运维人员执行以下命令即可生成：
emptyAdd = 分享一个运行，下次汇总时就会计入。
emptyPlay = 播放一次故障并分享
