### `highwater connect --watch --open` 读取的实时集群的页面。

title = 实时集群
connecting = 正在等待第一次读取……
source = 于 { $time } 读取自 { $bootstrap }
every = 每 { $seconds } 秒读取一次
every-label = 连接状态
reading = 正在读取
slow = 上一次读取耗时 { $took } 秒，超过了 { $seconds } 秒的间隔，因此下一次会立即开始。
overdue = { $time } 开始的读取已超过 { $seconds } 秒的间隔。
away = 自 { $time } 起无法读取：{ $reason }。
awayKept = 页面显示的是 { $time } 的状态，每 { $seconds } 秒会重试一次。
again = highwater connect 程序没有响应。页面显示的是 { $time } 的状态，程序恢复后会自动重新连接。
ended = 这里没有监视任何集群。请在你的机器上运行：
readings = 读取记录
readingsAbout = 两次读取之间的变化，最新的在前。其间发生了什么并不知道。位移随流量变化，不在此列出。
first = 第一次读取：{ $partitions } 个分区，{ $brokers } 个 broker
unchanged = { $count ->
        [one] 没有变化
       *[other] { $count } 次读取没有变化
    }
failed = { $count ->
        [one] 无法读取：{ $reason }
       *[other] { $count } 次无法读取：{ $reason }
    }
show = 显示该分区在 { $time } 读取时的状态
shown = 显示在下方
newest = 最新
partition = 分区
partitionTitle = { $time } 读取的 { $partition }
drawn = 除下面列出的未读取内容外，这一帧的每个值都读取自集群。它是一个状态，不是一次运行：引擎不会计算两次读取之间发生了什么。
notDrawn = 引擎不可能处于这个状态，因此只显示读取到的值：{ $why }
noOffsets = 没有读取该分区的位移。对于 { $most } 个分区，只读取状态异常者的位移；用 --topic 指定它的主题即可读取。
stage = 画出的值
values = 读取到的值
notKnown = 未读取，图中按假设处理
follow = 跟随最新的读取
loading = 正在载入分区……
gone = 该次读取中没有这个分区，或者该次读取已不再保留。
drawnOtherwise = 画出的值与读取到的不同
recordingTitle = 录制与引擎对照
recordingConnecting = 正在等待录制……
recordingEnded = 这里没有显示任何录制。请在你的机器上运行：
recordingAgain = 程序没有响应，恢复运行后页面会自动重新连接。
recordingWaits = broker 正在启动。读取到第一个状态后会立即显示。
nothingRecorded = 没有录制到任何内容。
brokersStart = 第 { $run } 轮（共 { $runs } 轮）：broker 正在启动……
recordingStep = 第 { $run } 轮（共 { $runs } 轮）：步骤 { $step }，最后一步是 { $last }……
recordingDone = 录制已完成，保存在 { $file }。
recordingKept = 根据文件重放。
recordingFailed = 录制失败：{ $reason }
firstDifference = 引擎在步骤 { $step } 之后首次出现差异：{ $title }。
showDifference = 显示
noDifference = 到目前为止，引擎的每个值都相同。
isFirst = 首个差异
steps = 步骤
stepsAbout = 让 broker 做了什么、状态有何变化，以及读取到的值中引擎有多少与之相同。录制只保留分区 0 和第一轮的值，其余的不参与对照。
followStep = 跟随最新的步骤
stepEqual = { $count } 个值相同
stepDiffers = { $count } 个值中有 { $differs } 个不同
notRead = 没有读取
notFollowed = 引擎无法跟随
stepTitle = 步骤 { $step } 之后的 { $partition }
onStage = 画面内容
recordedStage = 录制
engineStage = 引擎
drawnRecorded = 除下面列出的未读取或画法不同的内容外，这一帧的每个值都读取自 broker。
drawnByEngine = 引擎执行相同步骤之后的状态。
