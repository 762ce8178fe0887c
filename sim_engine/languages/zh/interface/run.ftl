### The page of a run.

lessons = 课程
share = 分享
find = 查找故障
embed = 嵌入
theme = 主题
help = 键盘快捷键
step = 第 { $step } 步，共 { $steps } 步
start = 起点
sameUnder = 现在看 { $kafka } 下的同一过程 →
stepShort = 第 { $step }/{ $steps } 步
whatChanged = 变化
allChanges = 显示全部（{ $count }）
changedBroker = broker { $broker }
rule = 规则：{ $rule }
before = 本步骤中较早的事件
also = 本步骤中的其他事件
behindIt = 相关的 { $count } 条协议性质
canHappen = 可执行的操作
filter = 筛选操作
nothingMatches = 没有匹配的操作。
readOnly = 此运行为只读。如需修改，请先复制一份。
notYours = 这是他人的运行。你的操作会在你自己的拷贝中执行。
forkedFrom = 复制自
fromLink = 由包含整个运行的链接打开。
linkDiffers = 此运行与分享时不同：链接由 Highwater { $engine } 生成，而此版本执行这些步骤的结果不同。
fromAuthor = 来自作者
noteFromAuthor = 作者的说明：
forkedFromRun = 另一个运行
forkedFromShare = 一个分享
fork = 复制并修改
forkShort = 复制
note = 作者说明
otherReleases = 其他版本
writtenFor = （针对 Kafka { $kafka } 编写）
question = 你认为会怎样？
right = 正确。
wrong = 不正确。看看实际结果。
first = 跳到起点
back = 上一步
play = 播放
pause = 暂停
next = 下一步
last = 跳到末尾
speed = 速度
timeline = 时间线
branches = 分支
branch = { $step ->
        [0] 从起点：{ $what }
       *[other] 第 { $step } 步之后：{ $what }
    }
leavesAfter = { $step ->
        [0] 从起点起不同
       *[other] 前 { $step } 步相同
    }
mainBranch = 原始运行
underKafka = 在 Kafka { $kafka } 下
stepBefore = 第
stepAfter = / { $steps } 步
clock = t = { $time }
virtualTime = 虚拟时间
goToStep = 跳到某一步
toNextMark = 下一个标记
more = 更多
broker = Broker { $name }
producer = Producer { $name }
consumer = Consumer { $name }
controller = Controller
network = 报文与链路
time = 时间
nothingToDo = 目前没有可执行的操作。
menu = 操作
recordSent = 第 { $step } 步：发送 { $value }
recordAcked = 第 { $step } 步：{ $value } 得到确认
recordAtRisk = 第 { $step } 步：{ $value } 有风险
recordLost = 第 { $step } 步：{ $value } 丢失
recordGone = 第 { $step } 步：{ $value } 的最后一份副本消失
showWhereGone = 查看 { $values } 在哪里丢失，第 { $step } 步
showRecords = 显示 { $values }
where = 插入位置
keyPlay = 播放或暂停
keyStep = 一步
keyEnds = 起点、末尾
keyMark = 上一个、下一个标记
keyBroker = 选中 broker 1–9
keyKill = 让选中的 broker 崩溃或启动
keyCut = 切断选中 broker 的网络，或恢复
keyNatural = 执行最可能的下一步；在选中的对象上：显示其全部操作
keyGoTo = 跳到某一步
keyBranch = 下一个分支
keyUndo = 返回并另选操作；不会删除任何内容
keyProduce = 写入消息
keyProduceForm = 自定义参数写入
keyCompare = 与另一个版本或分支比较
keyFind = 从此处查找故障
keyShare = 分享
keyFilter = 筛选操作
keySearch = 搜索全部内容
keyLanguage = 语言
keyHelp = 本列表
level = 步进粒度
levelStory = 故事
levelMessage = 每个报文
messageOf = 第 { $message } 个报文，共 { $messages } 个
messageOfStep = ，第 { $message } 个报文，共 { $messages } 个
messagesOfStep = 本步的 { $count } 个报文
veiled = 回答之后才显示接下来的内容
skip = 跳过问题
skipWarning = 再按一次 → 跳过问题。
seeWhatHappens = 看看会发生什么 →
toActions = 查看可执行的操作
onward = 继续 →
leftLesson = { $step ->
        [0] 你在起点离开了课程
       *[other] 你在第 { $step } 步之后离开了课程
    }
ownLesson = 这是你自己的课程运行
lessonAtStep = { $step ->
        [0] 从头看课程
       *[other] 查看课程第 { $step } 步
    }
leftRun = { $step ->
        [0] 此分支从起点开始
       *[other] 此分支从第 { $step } 步之后开始
    }
backToRun = 返回原来的运行
acted = 你的操作：{ $what } · { $count } 个报文
leaving = 执行其他操作会新建一个分支。时间线会同时保留两个分支。
marks = 标记
toNextMarkOf = 跳到下一个：{ $mark }
mark-loss = 消息丢失
mark-at_risk = 消息有风险
mark-surprise = 已读内容发生变化
mark-divergence = 日志不一致
mark-truncation = 截断
mark-election = 选举
mark-isr = ISR 变化
mark-fault = 故障
mark-acknowledgement = 确认
mark-question = 问题
mark-note = 说明
allBranches = 全部 { $count } 个分支
allVersions = 另有 { $count } 个版本
sameSteps = 相同步骤
branchName = 分支名称
branchFrames = 自身 { $count } 个报文
rename = 重命名
saveName = 保存
keyLevel = 在故事和每个报文之间切换
keyOther = 按另一种粒度步进
keyTree = 所有分支
firstViolatedAt = 违反，首次出现在第 { $step } / { $steps } 步
violatedUntil = 曾被违反，首次出现在第 { $step } 步；自第 { $until } 步起恢复
violatedAt = 曾在第 { $step } 步被违反
violatedTitles = 违反：{ $titles }。
titleSeparator = 。
keyDiagram = 放大报文时序图
skipTo = 跳到
skipStage = 舞台
skipExplanation = 说明
skipActions = 操作
skipTimeline = 时间线
tabs = 详情
tabMessages = 报文
tabWhy = 原因
tabAct = 操作 { $count }
tabQuestion = 提问
noReturn = 无法挽回的一步
lessonShows = 对应的文章说法：
claimOf = 《{ $title }》的说法 { $number }
keyPresent = 全屏演示，他人可通过链接同步观看
simpleView = 简明视图
showEverything = 显示全部
showAllParts = 显示全部
onlyKnown = 简明视图：只显示课程已经讲过的内容。
everythingShown = 已显示全部内容。
newWord = 新词
lessonOf = 第 { $number } 课，共 { $count } 课
firstLessons = 入门课程
goOn = 继续
goBack = 返回
goOnTo = 下一课：{ $title }
leftOutYet = 讲到之前不显示：{ $terms }。
wholeView = 简明视图不显示其余部分。
keyEverything = 显示全部，或入门课程的简明视图
simpleFigure = 各 broker 的日志

## 报文的字段，按 Kafka 协议中的名称。

messageFields = 报文字段
fate-sent = 已发送
fate-arrived = 已送达
fate-arrived_unseen = 已送达
fate-lost = 已丢失
fate-replaced = 被更新的报文取代
fate-in_flight = 传输中
fieldMs = { $value } ms
fieldError = 错误码
fieldFetchOffset = 拉取位移
fieldWhich = 请求的位移
fieldOffset = 位移
fieldRecords = 消息
fieldHighWatermark = 高水位
fieldAskedEpoch = 查询的纪元
fieldAnswerEpoch = 纪元
fieldDivergingEpoch = 分叉纪元
fieldEndOffset = 结束位移
fieldLeader = leader
fieldLeaderEpoch = leader 纪元
fieldLastFetchedEpoch = 最后拉取的纪元
fieldIsr = ISR
fieldPartitionEpoch = 分区纪元
fieldBrokerEpoch = broker 纪元
fieldControllerEpoch = controller 纪元
fieldMetadataOffset = 元数据日志中的位移
fieldMaxWait = 最长等待
