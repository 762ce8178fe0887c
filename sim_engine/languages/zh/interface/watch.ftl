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
