### The label of a step's button: by the step and an argument's name or value, otherwise by the step.
### Attributes: its name on the timeline (`title`), in a list of steps (`name`), on the row of its broker
### (`row`) or in the bar of actions on anything else (`bar`), the name of a fault within a sentence
### (`fault`), and the label of its number in a search (`budget`).

produce = 向 { $to } 写入 { $values }
    .title = 写入 { $many ->
        [nothing] { $values }
       *[other] { $many } 条消息
    }{ $acks ->
        [all] { "" }
       *[other] ，acks={ $acks }
    }{ $broker ->
        [nothing] { "" }
       *[other] ，发给 broker { $broker }
    }
    .budget = 额外写入的消息
    .name = 写入消息
    .row = 写入
produce-acks = 向 { $to } 写入 { $values }，acks={ $acks }
produce-idempotent = 向 { $to } 写入 { $values }，acks={ $acks }，幂等
retry = { $as } 重试
    .title = { $as } 重试
    .budget = producer 重试
    .name = 重试 produce 请求
    .bar = 重试
refresh = { $as } 刷新元数据
    .title = { $as } 刷新元数据
    .budget = 客户端刷新元数据
    .name = 刷新客户端元数据
    .bar = 刷新元数据
transaction = { $as } 的事务：{ $do }
    .title = { $as } { $do ->
        [begin] 开始事务
        [commit] 提交事务
       *[abort] 中止事务
    }
    .name = 开始或结束事务
    .bar = 事务
transaction-begin = { $as } 开始事务
transaction-commit = { $as } 提交事务
transaction-abort = { $as } 中止事务
consume = { $as } 消费 { $partition }
    .title = { $as } 读取{ $where ->
        [nothing] { "" }
       *[other] { " " }{ $where }
    }{ $broker ->
        [nothing] { "" }
       *[other] ，从 broker { $broker }
    }
    .budget = consumer 读取
    .name = 消费
    .bar = 消费
consume-broker = { $as } 从 broker { $broker } 消费 { $partition }
consume-rack = 机架 { $rack } 中的 { $as } 消费 { $partition }
consume-read_committed = { $as } 以 read_committed 消费 { $partition }

fetch = broker { $broker } 拉取
    .title = { $who ->
        [nothing] 拉取
       *[other] broker { $who } 拉取
    }{ $where ->
        [nothing] { "" }
       *[other] { " " }{ $where }
    }{ $records ->
        [nothing] { "" }
       *[other] { " " }{ $records } 条
    }{ $only ->
        [nothing] { "" }
       *[other] ，只到截断为止
    }{ $drop ->
        [nothing] { "" }
       *[other] ，响应丢失
    }
    .name = 拉取：完整一轮
    .row = 拉取
fetch-partition = broker { $broker } 拉取 { $partition }
fetch-drop = broker { $broker } 拉取，但响应丢失
fetch-only = broker { $broker } 截断
send_fetch = broker { $broker } 只发出下一个请求
    .title = broker { $broker } 发出请求
    .name = 只发送一个拉取请求
send_fetch-partition = broker { $broker } 为 { $partition } 只发出下一个请求
deliver = 投递“{ $kind }” { $from } → { $to }
    .title = { $skip ->
        [nothing] “{ $kind }”到达 { $to ->
            [controller] controller
           *[other] broker { $to }
        }
       *[other] 跳过发给 broker { $to } 的“{ $kind }”
    }
    .name = 投递一个报文
    .bar = 投递
deliver-nth = 投递第 { $nth } 条“{ $kind }” { $from } → { $to }
deliver-records = 向 broker { $to } 一次投递 { $records } 条元数据记录
deliver-skip = 跳过“{ $kind }” { $from } → { $to }，由下一个取代
drop = 丢弃“{ $kind }” { $from } → { $to }
    .title = 发给 { $to ->
        [controller] controller
       *[other] broker { $to }
    } 的“{ $kind }”丢失
    .fault = 报文丢弃
    .budget = 丢失的拉取响应
    .name = 丢弃一个报文
    .bar = 丢弃
drop-nth = 丢弃第 { $nth } 条“{ $kind }” { $from } → { $to }
hold = 扣留“{ $kind }” { $from } → { $to }
    .title = 扣留发给 { $to ->
        [controller] controller
       *[other] broker { $to }
    } 的“{ $kind }”
    .budget = 元数据延迟的 broker
    .name = 扣留一个报文
    .bar = 扣留
hold-nth = 扣留第 { $nth } 条“{ $kind }” { $from } → { $to }
hold-metadata_record = 扣留发给 broker { $to } 的元数据日志
release-metadata_record = 放行发给 broker { $to } 的元数据日志
release = 放行“{ $kind }” { $from } → { $to }
    .title = 放行发给 { $to ->
        [controller] controller
       *[other] broker { $to }
    } 的“{ $kind }”
    .name = 放行被扣留的报文
    .bar = 放行
release-nth = 放行第 { $nth } 条“{ $kind }” { $from } → { $to }

timer = 触发 broker { $broker } 的“{ $kind }”定时器
    .title = { $kind ->
        [isr_expiration] broker { $broker } 检查 ISR
        [high_watermark_checkpoint] broker { $broker } 写高水位文件
        [recovery_point_checkpoint] broker { $broker } 写恢复点文件
        [flush] broker { $broker } 刷盘
        [isr_change_propagation] broker { $broker } 检查 ISR 变更
        [heartbeat] broker { $broker } 发送心跳
        [session_timeout] broker { $broker } 会话到期
        [preferred_leader_check] controller 检查首选 leader
        [unclean_leader_check] controller 检查没有 leader 的分区
        [long_poll] broker { $broker } 完成等待中的拉取
        [fetch_backoff] broker { $broker } 的退避结束
       *[produce_timeout] broker { $broker } 上等待的 produce 请求超时
    }
    .name = 触发定时器
    .bar = 触发定时器
timer-isr_expiration = broker { $broker } 检查 ISR
timer-high_watermark_checkpoint = broker { $broker } 写入高水位检查点
timer-recovery_point_checkpoint = broker { $broker } 写入恢复点检查点
timer-flush = broker { $broker } 把日志刷盘
timer-isr_change_propagation = broker { $broker } 检查是否要将 ISR 变更通知 controller
timer-heartbeat = broker { $broker } 发送心跳
timer-session_timeout = broker { $broker } 的会话到期
timer-preferred_leader_check = controller 检查首选 leader
timer-unclean_leader_check = controller 检查没有 leader 的分区
timer-long_poll = broker { $broker } 完成等待中的拉取
timer-follower = 完成 broker { $follower } 等待中的拉取
timer-fetch_backoff = broker { $broker } 的拉取退避结束
timer-produce_timeout = broker { $broker } 上等待的 produce 请求超时

crash = 使 broker { $broker } 崩溃
    .title = broker { $broker } 崩溃
    .fault = 崩溃
    .budget = broker 崩溃
    .name = 让 broker 崩溃
    .row = 崩溃
power_loss = 使 broker { $broker } 断电
    .title = broker { $broker } 断电
    .fault = 断电
    .budget = 断电
    .name = 断电
    .row = 断电
power_loss-keep = 使 broker { $broker } 断电，日志保留到 { $keep }
disk_loss = 清空 broker { $broker } 的磁盘
    .title = broker { $broker } 磁盘丢失
    .fault = 磁盘丢失
    .budget = 磁盘丢失
    .name = 清空磁盘
    .row = 清空磁盘
shutdown = 受控关闭 broker { $broker }
    .title = { $only ->
        [begin] 开始受控关闭
        [end] 完成受控关闭
       *[nothing] 受控关闭
    } broker { $broker }
    .fault = 受控关闭
    .budget = broker 受控关闭
    .name = 受控关闭 broker
    .row = 受控关闭
pause = 暂停 broker { $broker }
    .title = 暂停 broker { $broker }
    .fault = 暂停
    .budget = broker 暂停
    .name = 暂停 broker
    .row = 暂停
resume = 让 broker { $broker } 恢复运行
    .title = 恢复 broker { $broker }
    .name = 恢复 broker 运行
    .row = 恢复运行
detect = controller 检测 broker { $broker } 的状态
    .title = controller 检测 broker { $broker }
    .name = 让 controller 检测 broker 的状态
    .row = 让 controller 检测
start = 启动 broker { $broker }
    .title = 启动 broker { $broker }
    .name = 启动 broker
    .row = 启动
boot-session = 在旧会话仍存在时启动 broker { $broker }
boot = 启动 broker { $broker }，controller 未察觉
    .title = 启动 broker { $broker }，未察觉
    .name = 启动 broker，controller 未察觉
    .row = 启动，controller 未察觉

cut = 切断链路 { $from } → { $to }
    .title = 切断 { $from } → { $to }
    .fault = 链路中断
    .budget = 单个方向的链路中断
    .name = 切断链路的一个方向
    .bar = 切断
heal = 恢复链路 { $from } → { $to }
    .title = { $broker ->
        [nothing] 恢复 { $from } → { $to }
       *[other] 恢复 broker { $broker } 的链路
    }
    .name = 恢复链路
    .row = 恢复链路
heal-broker = 恢复 broker { $broker } 的所有链路
isolate = 切断 broker { $broker } 的网络
    .title = 切断 broker { $broker }{ $from ->
        [controller] { " " }与 controller 的网络
        [brokers] { " " }与其他 broker 的网络
       *[other] { " " }的网络
    }
    .fault = broker 网络被切断
    .budget = 网络被切断的 broker
    .name = 切断 broker 的网络
    .row = 切断网络
isolate-controller = 切断 broker { $broker } 与 controller 的网络
isolate-brokers = 切断 broker { $broker } 与其他 broker 的网络
isolate-all = 切断 broker { $broker } 与所有其他节点的网络
slow = { $ms ->
    [0] 不再延迟 broker { $broker } 的报文
   *[other] 让 broker { $broker } 的报文延迟 { $ms } ms
}
    .title = { $ms ->
    [0] 不再延迟 broker { $broker } 的报文
   *[other] 延迟 broker { $broker } 的报文
}
    .name = 延迟 broker 的报文

elect = 为 { $partition } 选举 leader
    .title = { $leader ->
        [nothing] 选举
        [-1] 选举
       *[other] 选举 broker { $leader }
    }{ $kind ->
        [clean] { "" }
       *[other] ，{ $kind }
    }
    .budget = 选举 ISR 成员（clean）
    .name = 请求选举
    .bar = 选举 leader
elect-clean = 从 ISR 中为 { $partition } 选举 leader
elect-unclean = 为 { $partition } 选举 leader，必要时 unclean
elect-preferred = 选举 { $partition } 的首选 leader
reassign = { $replicas ->
        [nothing] 取消 { $partition } 的重新分配
       *[other] 将 { $partition } 重新分配到 broker { $replicas }
    }
    .title = { $replicas ->
        [nothing] 取消重新分配
       *[other] 重新分配到 { $replicas }
    }
    .budget = 重新分配
    .name = 重新分配分区
    .bar = 重新分配
config = 设置 { $settings }
    .title = { $settings }
    .budget = 更改设置
    .bar = 更改设置
config-topic = 为 topic { $topic } 设置 { $settings }
config-broker = 仅为 broker { $broker } 设置 { $settings }
fail_controller = controller 故障转移
    .title = controller 故障转移
    .budget = controller 故障转移
    .name = 切换 controller
    .bar = 切换 controller

advance = 时间前进 { $ms } ms，不投递报文
    .title = 等待 { $time }
    .budget = 等待落后的 follower 离开 ISR
    .name = 推进时间，不投递报文
run = 运行 { $ms } ms
    .title = 运行 { $time }
    .name = 运行一段时间
settle = 运行到没有待处理事项
    .title = 运行到空闲
    .name = 运行到没有待处理事项
note = 作者说明
ask = 提问
    .name = 问题
expect = 作者的预期
    .name = 预期

## The kinds of elections and the late fetch, by their names in shares and searches.

unclean_election =
    .fault = unclean 选举
unclean =
    .budget = unclean 选举
late =
    .budget = 报文延迟的拉取
election =
    .budget = leader 变更
epoch =
    .budget = 新的 leader 纪元
