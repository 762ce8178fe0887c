### “我的集群”页面：集群会丢什么，怎样才会丢。

myCluster = 我的集群
title = 我的集群会丢数据吗？

## 粘贴的内容

lead = 粘贴集群输出的内容，或拖入文件。页面会给出一张表：对每个分区，再发生一次故障会怎样。结果按你的版本和配置计算。
paste = kafka-topics --describe、kafka-configs、kcat -L 的输出、broker 日志、检查点文件、server.properties ……
addFiles = 添加文件
release = Kafka
releaseHelp = 可不填。文本没有写明的内容由页面推断，并说明依据。
down = 已停机的 broker
downHelp = 可不填，例如 2, 3。不填时，leader 和 ISR 成员视为在运行，其余 broker 取较坏的情况。
read = 看看会丢什么
reading = 正在读取……
example = 粘贴一个示例
examples = 示例
example-elr = broker 被杀掉，4.1
example-kraft = 只剩一份副本，3.7
example-old = 副本不足，2.3
private = 文本只用于回答这次请求，之后不保留。敏感配置的值在计算之前就被丢弃。只有你创建的链接会被保存。此标签页会保留去掉敏感值的文本，以便刷新后恢复；关闭标签页即被清除。
instead = 不粘贴，在命令行使用：
removeOf = 移除 { $name }
notUnderstood = { $count } 行无法解析
wantsRun = 想把文本变成一次可操作的运行：
wantsRunLink = 自己搭建

## 结论

about = { $brokers } 个 broker，{ $topics } 个 topic，{ $partitions } 个分区
aboutShort = { $partitions } 个分区
pasted = 粘贴
shared = 分享
kept = 只保留在此标签页，除非你分享
keptLive = 不会被保存，除非你分享
keptShared = 此链接的内容不会改变
counted = 分区：{ $counts }
count-can_lose = { $count } 个可能丢失
count-stop = { $count } 个停止写入
count-keep = { $count } 个全部保留
short-can_lose = { $count } 个可能丢失
short-stop = { $count } 个停写
short-keep = { $count } 个保留
betweenParts = { "" }
first = 首先：{ $text }
showsWhy = 看影片 { $number } 的原因
copyMarkdown = 复制为 Markdown
copied = 已复制
json = JSON
share = 分享
shareMaking = 正在创建链接……
copyLink = 复制链接
pasteAgain = 重新粘贴
connect = 改为直接连接
computing = 已得出 { $done } / { $of } 个结论
cancel = 停止
stopped = 已停止。没有结论的格子没有计算。
failed = 无法得出结论。
again = 重试
deleteLink = 删除链接
deleted = 链接已删除。

## 假设

whatIf = 假设
settings-kafka = Kafka
settings-elr = ELR
settings-acks = acks
settings-min-insync-replicas = min.insync.replicas
settings-unclean-leader-election-enable = unclean 选举
settings-flush-messages = flush
settings-racks = 机架
noLeader = 没有 leader
leaderIs = leader { $leader }
isrOf = ISR { $isr }/{ $replicas }
watchWhy = 观看原因
everyRelease = 所有版本
upTo = 到 { $until } 为止
fromRelease = { $since } 及以后
between = { $since } 到 { $until }
value-elr-on = 开
value-elr-off = 关
value-unclean-leader-election-enable-true = 开
value-unclean-leader-election-enable-false = 关
value-flush-messages-system = 交给操作系统
value-flush-messages-1 = 每条消息
asPasted = 未改动；改动后重新计算表格
back = 撤销改动
more = 另有 { $count } 项
moreSettings = 更多配置
unread = 此版本不读取
pastedValue = { $value }（未改动）
custom = 其他……
racks = broker 所在的机架
racksNone = 未给出
racksSome = 已给出 { $named }/{ $of }
racksNamed = { $count } 个
racksAllowed = 字母、数字、点、下划线和连字符
rackUnknown = 未知
racksHelp = 每个 broker 所在的机架。同一机架的 broker 会一起断电。
rackOf = broker { $broker } 的机架
apply = 应用

## 表格

toTable = 跳到表格
table = 再发生一次故障，每个分区会怎样
column-partition = 分区
column-state = leader、ISR、min
failure-crash = 一个 broker
failure-crash-then = 崩溃
failure-power_loss = 一个 broker
failure-power_loss-then = 断电
failure-disk_loss = 一块磁盘
failure-disk_loss-then = 损坏
failure-isolated_leader = leader 与
failure-isolated_leader-then = controller 断开
failure-unclean_election = 手动
failure-unclean_election-then = unclean 选举
line-crash = 一个 broker 崩溃
line-power_loss = 断电
line-disk_loss = 磁盘损坏
line-isolated_leader = leader 断开
line-unclean_election = 手动 unclean
tile-crash = 崩溃
tile-power_loss = 断电
tile-disk_loss = 磁盘
tile-isolated_leader = 断开
tile-unclean_election = 手动
outcome-keeps = 全部保留
outcome-writes_stop = 停止写入
outcome-unavailable = 不可用
outcome-can_lose = 可能丢失
outcome-lost = 丢失
outcome-undecided = 未能判定
outcome-pending = 尚未计算
outcome-none = 不适用
failureWhole = { $failure }{ $then }
cell = { $partition }，{ $failure }：{ $outcome }，{ $reason }
cellShort = { $partition }，{ $failure }：{ $outcome }
stateSeparator = ；
rowName = { $partition }：{ $state }
alike = 另有 { $count } 个
alikeNames = 与 { $partition } 情况相同的分区，共 { $count } 个
unfold = 显示与 { $partition } 情况相同的分区
fold = 收起与 { $partition } 情况相同的分区
find = 查找分区
notFound = 这一类中没有这个名字的分区。
foot = 最坏的在前，情况相同的分区已合并。每个格子是 { $kafka } 用你的 broker 跑出的一次运行。
move = 移动
watch = 观看
brokers = 当故障发生在 broker { $list } 时
rule = 规则
source = 出处
watchRun = 观看这次运行
opening = 正在打开……
noRun = 这个格子没有对应的运行。

## 运维的说法

words = { $partition }：运维会看到什么
wordsAbout = { $kafka } 集群在此状态下报告的内容

## 影片

films = 已知的丢失方式
filmsAbout = 在这些配置下，用你的 broker
filmsLater = 表格完成后显示。
filmsNone = 在这些配置下，没有适用的已知丢失方式。这并不证明集群是安全的。
watchFilm = 观看，{ $seconds } 秒
andMore = { $partition } 等 { $count } 个
colon = ：
comma = ，
watchFilmShort = 观看
closes = 如何避免
closedRun = 运行：{ $result }
brokerRow = broker { $broker }
filmOf = 影片 { $number } / { $count }，针对 { $partition }

## 搜索

searches = 搜索
searchAnother = 选择故障……
searchTitle = 搜索一个分区
searchPartition = 分区
searchOpen = 在这里搜索
searchText = 把这个分区作为一次运行打开，从打印出的状态开始，用你选择的故障进行搜索。
searchThis = 搜索 { $partition }
searchStarting = 正在搜索 { $partition }……
searchLater = 表格完成后，会搜索一个分区。
searchFailed = 无法搜索 { $partition }。
searchLeftOut = 未尝试的内容

## 没有用到的内容

notes = 关于文本
notKnown = 文本中没有，按假设处理
differences = 未能照原样保留
notUsed = 未使用
refused = 未判断
refusedAlike = { $why }（另有 { $count } 个相同的分区）
understood = 读取方式
line = 第 { $line } 行
lines = 第 { $from }–{ $to } 行

## 报告

sentence = { $text }。
computedBy = 由 Highwater { $engine } 计算：每个格子都是模型从打印出的状态开始的一次运行，不是测量结果。
