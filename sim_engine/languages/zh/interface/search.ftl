### The search for a failure. Finding nothing does not prove that a run is safe.

title = 从此处查找故障
property = 要查找的故障
budget = 允许的故障
acks = 搜索所发送消息的 acks
depth = 最大步数
seconds = 处理器时间上限（秒）
search = 查找
cancel = 取消
progress = { $states } 个状态，最多 { $depth } 步，{ $seconds } 秒
counts = { $states } 个状态，最多 { $depth } 步，处理器时间 { $seconds } 秒
violated = 会，经过 { $steps } 步：{ $property }
neverEnds = 最后 { $steps } 步结束所有故障，并让能发生的事全部发生。{ $ending ->
        [recurs] 此后相同的状态反复出现。
       *[stuck] 此后不再有任何变化。
    }
violatedAlready = 在这一步已经发生。
none = 在这些限制内未找到。就搜索所尝试的步骤而言，{ $depth } 步以内的所有状态均已检查（共 { $states } 个）。如果步数更多，或加上未尝试的步骤，仍可能出现问题。
cut = { $limit ->
        [interrupt] 已取消。
        [cpu_seconds] 已达到处理器时间的限制。
        [unconfirmed] 搜索得出了一个违反，但实际运行无法重现。这是 Highwater 的缺陷。
       *[states] 已达到状态数的限制。
    }目前未找到：已检查 { $states } 个状态，最多 { $depth } 步。其余状态尚未检查。从更靠后的一步开始，或减少允许的故障，可以搜索得更远。
unexercised = 没有检查任何内容：在 { $depth } 步以内的 { $states } 个状态中，都不可能发生这种情况。请放宽限制，例如允许写入或读取消息。
cancelled = 已取消。其余状态尚未检查。
wholeCluster = 要看真实集群的每个分区：我的集群
question = 从这一步开始，会发生这种情况吗？搜索会尝试各种步骤的组合，最短的路径优先。结果会列出尝试过的步骤。
scene = 出现什么问题
preset-crashes = 只有崩溃
preset-crashes-means = broker 进程崩溃，磁盘数据不丢。
preset-power = 另加一次断电
preset-power-means = 还有一台机器会丢失未刷盘的数据。
preset-zombie = 僵尸 leader
preset-zombie-means = leader 与 controller 失去联系，不知道自己已被取代，仍会确认 acks=1 的消息。
preset-rack = 机架断电
preset-rack-means = { $brokers } 台机器丢失未刷盘的数据。
preset-own = 自定义
preset-own-means = 设置每种故障最多发生的次数。
limits = 限制
grain = 搜索的粒度
grain-all = 先按完整步骤，再按整次交互，最后逐条报文
grain-exchange = 整次交互：请求、处理和响应合为一步
grain-message = 逐条报文
grain-step = 完整步骤：一次拉取完整执行，controller 的命令立即送达
decides-decided = 最多 { $faults }：按完整步骤得出结论，处理器时间约 { $seconds } 秒。
decides-found = 最多 { $faults }：找到故障，处理器时间约 { $seconds } 秒。
asks = 最多 { $faults }，在限制之内尽量搜索。
upTo = 最多 { $faults }：
progressOf = { $searched }：{ $progress }
searched = { $grain ->
        [exchange] { $faults }，按整次交互
        [message] { $faults }，逐条报文
       *[step] { $faults }，按完整步骤
    }
count = { $states } 个状态
exhausted = 以下情况也未找到，且所有状态均已检查：
undecided = 在限制之内没有结论：
ofGrain = { $grain ->
        [exchange] { $outcome }这是按整次交互得出的结果：请求与响应之间可能发生的事情没有尝试。
        [message] { $outcome }每条报文单独作为一步。
       *[step] { $outcome }只尝试了完整步骤，没有尝试报文之间可能发生的事情。
    }
sentWith = 消息以 acks={ $acks } 发送。
times = { $count } × { $fault }
watch = 播放
point = 其中第 { $step } 步之后已无法挽回：没有找到能保住该消息的后续步骤（搜索范围：{ $depth } 步、{ $states } 个状态）。
pointBefore = 在这一步之前就已无法挽回。
showPoint = 查看从哪一步起无法挽回
prevented = 以下任一条件下，同样的步骤不会丢失任何数据：
byConfig = { $name } = { $value }
byRule = 规则 { $rule }
byKafka = Kafka { $kafka }
notPrevented = 任何单项设置、单条规则或更高版本都无法避免。
complete = 未找到。用搜索所尝试的步骤，从此处可以到达 { $states } 个状态，已全部检查。如果加上未尝试的步骤，仍可能出现问题。
triedSteps = 搜索尝试的步骤
leftOut = 未尝试的步骤及原因
left-budget = 允许的次数为 0
left-without = 只有与某个次数为 0 的步骤一起才有影响
left-part = 属于某个作为整体尝试的步骤
left-composed = 由多个逐一尝试的步骤组成
left-finer = 只有每个报文单独作为一步时才会尝试
left-any_order = 所有先后顺序都会尝试，因此不会带来新的结果
left-no_effect = 搜索所查找的问题都不取决于它
left-release = 这个版本或这种 controller 中不存在
left-default = 始终使用默认值
left-transactions = 搜索写入的消息不属于任何事务
