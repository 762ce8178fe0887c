### 我的集群：下一次故障会对分区造成什么影响。

## 结果。

outcome-keeps = 全部保留
outcome-writes_stop = 停止写入
outcome-unavailable = 不可用
outcome-can_lose = 可能丢失
outcome-lost = 必然丢失
outcome-pending = –
outcome-undecided = 未能确定

## 故障：作为列名，以及在句子中。

failure-crash = 一个 broker 崩溃
failure-power_loss = 一个 broker 断电
failure-disk_loss = 一块磁盘损坏
failure-isolated_leader = leader 与 controller 失联
failure-unclean_election = 手动 unclean 选举

next-crash = 崩溃
next-power_loss = 断电
next-disk_loss = 磁盘损坏
next-isolated_leader = leader 与 controller 失联
next-unclean_election = unclean 选举

## 单元格的原因：简短的几个词，以及一句话。

short-pending = –
why-pending = 尚未计算。
short-undecided = 状态太多
why-undecided = 没有尝试完所有后续情况：超过 { $states } 个状态。
short-no_leader = 没有 leader
why-no_leader = 该分区没有 leader，谈不上失联。
short-refused = 被拒绝：{ $leader } 是 leader
why-refused = broker { $leader } 是 leader，因此 controller 拒绝选举。
short-goes_on = 写入继续
why-goes_on = broker { $leader } 是 leader，ISR 为 { $isr }；无论谁恢复，已确认的消息都不会丢失。
short-one_copy = 之后只剩一个副本
why-one_copy = 之后 ISR 只剩 broker { $leader }。已确认的消息不会丢失。
short-new_leader = { $seconds } 秒后有新 leader
why-new_leader = { $seconds } 秒后，controller 结束 { $broker } 的会话并选举 { $leader }。{ $broker } 之后收到的消息不会被确认。
short-stops = 直到有一个恢复
why-stops = 之后 ISR 为 { $isr }，小于 min.insync.replicas { $least }：acks=all 的写入被拒绝。
short-stops_now = 与现在相同；{ $leader } 是 leader
why-stops_now = 现在和之后 ISR 都小于 min.insync.replicas { $least }：acks=all 的写入被拒绝。broker { $leader } 是 leader，没有丢失。
short-until_back = 直到 { $broker } 恢复
why-until_back = 没有 { $broker }，其他副本都不能成为 leader。已确认的消息不会丢失。
short-until_reconnected = 直到 { $broker } 重新连接
why-until_reconnected = controller 结束 { $broker } 的会话，而其他副本都不能成为 leader。仍连接到 { $broker } 的 producer 可能还能写入。已确认的消息不会丢失。
short-still_gone = 与现在相同：没有 leader
why-still_gone = 可以成为 leader 的副本都没有运行。已确认的消息不会丢失。
short-unflushed = { $broker } 上未刷盘的消息
why-unflushed = broker { $broker } 丢失尚未刷盘的消息，之后由缺少这些消息的 { $leader } 担任 leader。
short-unflushed_only = { $broker } 上未刷盘的消息
why-unflushed_only = broker { $broker } 丢失尚未刷盘的消息，其他副本都没有这些消息。
short-disk = 若损坏的是 { $broker } 的磁盘
why-disk = { $broker } 的磁盘上有一些消息，之后的 leader { $leader } 缺少它们。
short-only_disk = 只有 { $broker } 有副本
why-only_disk = 其他副本离开 ISR 之后确认的消息，只有 broker { $broker } 有。
short-acks = 只有 { $broker } 有的消息
why-acks = acks={ $acks } 时，leader { $broker } 独自确认；当选的 { $leader } 没有这些消息。
short-elected = 若 { $leader } 先当选
why-elected = broker { $leader } 可能从 ISR 之外当选，而它缺少最后确认的消息。
short-surely_elected = 当选的 { $leader } 缺少消息
why-surely_elected = broker { $leader } 从 ISR 之外当选，而它缺少最后确认的消息。
short-by_hand = 会选出 { $leader }
why-by_hand = 该选举使 ISR 之外的 { $leader } 成为 leader：它缺少或可能缺少最后确认的消息。
short-last_known = 当 { $returned } 恢复时
why-last_known = broker { $returned } 没有正常关闭，恢复时会离开 ELR。最后的 leader { $leader } 当选，而它可能缺少消息。
short-later = 一旦 { $returned } 恢复
why-later = 一旦 { $returned } 恢复，缺少最后确认的消息的 { $leader } 就会担任 leader。
short-led_without = leader { $leader } 缺少消息
why-led_without = 担任 leader 的 broker { $leader } 缺少最后确认的消息。
why_assumed = { $why }{ $assumed }
assumed-down = 按更坏的情况假定 { $brokers } 已停止。
assumed-up = 按更坏的情况假定 { $brokers } 正在运行。

## 分区的异常之处。

note-no_leader = 没有 leader
note-one_copy = 只剩一个副本，仍在写入
note-one_replica = 只有一个副本
note-none_to_spare = 缺少 { $brokers }：没有余量
note-missing = { $brokers } 不在 ISR 中
note-writes_stopped = 写入已停止
note-eligible = ELR { $brokers }
note-last_known = 最后的 leader 是 { $broker }
note-down = 已停止：{ $brokers }
note-not_preferred = leader 不是首选的 { $broker }
note-reassigning = 正在重新分配

## 标题，以及首先要做的事。

headline-loses_by_itself = broker { $brokers } 恢复时，{ $partition } 可能丢失已确认的消息。
headline-loses_once_back = broker { $brokers } 都恢复后，{ $partition } 可能丢失已确认的消息。
headline-loses = { $partition } 再发生一次{ $failure }就会丢失已确认的消息。
headline-gone = { $partition } 没有 leader。
headline-gone_and_loses = { $partition } 没有 leader，再发生一次{ $failure }就会丢失已确认的消息。
headline-stopped = { $partition } 拒绝 acks=all 的写入。
headline-next_gone = 一次故障就会使 { $partition } 没有 leader。
headline-next_stops = 一次故障就会使 { $partition } 停止写入。
headline-keeps = 任何一次故障都不会丢失已确认的消息。
headline-keeps_judged = 在能够判断的分区中，任何一次故障都不会丢失已确认的消息。
headline-pending = 到目前为止没有发现丢失。
first-do_not_start = 先不要启动 broker { $broker }。
first-procedure = { $text }。
first-start = 启动 broker { $broker }。
first-find_out = broker { $broker } 正在运行，却没有当选 { $partition } 的 leader：检查它的日志目录。
first-bring_back = 让 { $brokers } 回到 { $partition } 的 ISR。

## 设置。

release-older = 如果版本是 { $kafka } 或更早，{ $setting } 默认开启，unclean 选举丢失的消息可能比这里显示的更多：请选择版本。
setting-assumed = 没有工具会输出它：假定为 { $value }。
setting-default = { $kafka } 的默认值。
setting-stated = 来自输入。
setting-changed = 在这里修改过。
setting-not_read = { $kafka } 不读取它：KRaft 从 3.9 起才读取。

## 搜索：结果与范围。

search-none = 已搜索 { $partition }，最多 { $faults }：没有丢失已确认的消息。
search-stopped = 已搜索 { $partition }，最多 { $faults }：在搜索停止之前没有发现丢失。
search-found = 已搜索 { $partition }：经过 { $count } 步丢失一条已确认的消息，其中有 { $faults }。
search-found_without_failure = 已搜索 { $partition }：不再发生故障，经过 { $count } 步也会丢失一条已确认的消息。
search-steps = { $more ->
        [0] { $steps }。
       *[other] { $steps }，以及另外 { $more } 步。
    }
search-all = { $grain ->
        [step] 按完整步骤
        [exchange] 按整次交互
       *[message] 逐条报文
    }检查了全部 { $states } 个状态。
search-also = 最多 { $faults } 时，还{ $grain ->
        [step] 按完整步骤
        [exchange] 按整次交互
       *[message] 逐条报文
    }检查了全部 { $states } 个状态。
search-undecided = 最多 { $faults } 时，{ $grain ->
        [step] 按完整步骤
        [exchange] 按整次交互
       *[message] 逐条报文
    }没有检查完：{ $states } 个状态，最多 { $depth } 步。
search-nothing = 已检查的 { $states } 个状态中都没有已确认的消息。
search-starts = 文本没有说明分区处于 { $count } 种状态中的哪一种：每一种都作为起点。
search-acks = 消息以 acks={ $acks } 写入。
search-left_out = 未尝试：{ $names }。
search-times = { $count } × { $fault }
search-no_fault = 0 × 故障
search-running = 正在搜索 { $partition }，最多 { $faults }，{ $grain ->
        [step] 按完整步骤
        [exchange] 按整次交互
       *[message] 逐条报文
    }：已检查 { $states } 个状态。
