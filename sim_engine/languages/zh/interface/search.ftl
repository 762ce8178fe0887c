### The search for a failure. It never says that a run is safe.

title = 从这里找一个故障
question = 从这一步起，会发生这样的事吗？
property = 可能发生什么
budget = 允许的故障
crash = broker 崩溃
power_loss = 断电
drop = 丢失的拉取应答
hold = 元数据读得晚的 broker（KRaft）
isolate = broker 被隔离
pause = broker 暂停
disk_loss = 磁盘丢失
unclean = unclean 选举
produce = 再写入的消息
depth = 最多步数
seconds = 最多秒数
search = 开始查找
cancel = 取消
progress = { $states } 个状态，深 { $depth } 步，{ $seconds } 秒
violated = 会，{ $steps } 步之内：{ $property }
violatedAlready = 在这一步它已经发生了。
open = 作为分支打开
none = 在这些限制内没有找到：深 { $depth } 步以内的 { $states } 个状态都看过了。更多的故障或步数仍可能做到。
cut = 在中止之前没有找到：看过 { $states } 个状态，深至 { $depth } 步。其余的不得而知。
cancelled = 已取消。没看过的部分不得而知。
grain = 它逐步尝试人能做的一切，先找最短的路。
