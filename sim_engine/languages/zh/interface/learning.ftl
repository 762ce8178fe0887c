### 几个与课程有关的页面的用语。

watch = 观看
watchAgain = 再看一次
stepOf = 《{ $title }》第 { $step } 步
remember = 要点
backToLoss = 回到丢失消息的第 { $step } 步
nextLesson = 下一课：{ $title }

## A step as a large figure.

broker = Broker { $broker }
roleLeader = leader
roleFollower = follower
roleAsks = 要先询问
roleDown = 已崩溃
watermarkFlag = 高水位 { $offset }
acked = ✓ 已确认
cutHere = 已截断
asksEnd = 到哪里为止？
answersEnd = 到 { $offset }
asksForMore = 有新消息吗？
asksFrom = 从 { $offset } 起有吗？
answersRecords = 有：{ $records }
nothingNew = 没有新消息

## The figure of the simple view in words.

figureInWords = { $label }。
rowInWords = Broker { $broker }（{ $said }）的日志：{ $log }。
emptyLog = 空
askedInWords = broker { $follower } 问 broker { $leader }：“{ $asked }”
answeredInWords = broker { $leader } 回答：“{ $answered }”

## The end of a lesson as a card.

endLost = { $value } 已被确认，却丢失了。
endOfStory = 故事结束
backToStage = 回到舞台
showEnd = 用一张卡片看完整的故事
before = 之前
after = 之后
atStep = 第 { $step } 步
theRule = 规则
inRelease = 在你的版本中
chooseRelease = Kafka 版本
outcome-lost = { $kafka } 会丢失已确认的消息：{ $releases }。
outcome-fails = { $kafka } 违反另一个性质：{ $releases }。
outcome-holds = { $kafka } 不丢失任何消息：满足所有性质。
outcome-none = { $kafka } 没有其中的一个步骤。
watchUnder = 在 { $kafka } 下观看
sendThis = 发送这一刻
sendWhere = 链接直接打开这一步
momentBefore = 之前，{ $step }
momentTurn = 转折，{ $step }
momentAfter = 之后，{ $step }
copyLink = 复制链接
moreForms = 图片、动画、嵌入
nextTitle = 下一课
continueNext = 继续
endFigure = 第 { $step } 步的日志。{ $said }
logEndFlag = LEO { $offset }
ofEpoch = 纪元 { $epoch }
inIsr = ISR
inElr = ELR
controllerLeader = Controller：broker { $broker } 是 leader
nobodyLeads = Controller：没有 leader
