### What a button says that does a step: by the step and an argument's name or value, else by the step.
### A fault is named beside it: one of them (`fault`), and how many a search may try (`budget`).

produce = 向 { $to } 生产 { $values }
    .budget = 额外写入的消息
produce-acks = 向 { $to } 生产 { $values }，acks={ $acks }
produce-idempotent = 向 { $to } 生产 { $values }，acks={ $acks }，幂等
retry = { $as } 重试
refresh = { $as } 刷新元数据
transaction = { $as } 的事务：{ $do }
transaction-begin = { $as } 开始事务
transaction-commit = { $as } 提交事务
transaction-abort = { $as } 中止事务
consume = { $as } 消费 { $partition }
consume-broker = { $as } 从 broker { $broker } 消费 { $partition }
consume-rack = 机架 { $rack } 中的 { $as } 消费 { $partition }
consume-read_committed = { $as } 以 read_committed 消费 { $partition }

fetch = broker { $broker } 拉取
fetch-partition = broker { $broker } 拉取 { $partition }
fetch-drop = broker { $broker } 拉取，但响应丢失
fetch-only = broker { $broker } 截断
send_fetch = broker { $broker } 发出下一个请求
send_fetch-partition = broker { $broker } 为 { $partition } 发出下一个请求
deliver = 投递“{ $kind }” { $from } → { $to }
deliver-records = 向 broker { $to } 一次投递 { $records } 批元数据记录
deliver-skip = 跳过“{ $kind }” { $from } → { $to }，由下一个取代
drop = 丢弃“{ $kind }” { $from } → { $to }
    .fault = 消息丢弃
    .budget = 丢失的拉取响应
hold = 扣留“{ $kind }” { $from } → { $to }
    .budget = 元数据延迟的 broker（KRaft）
hold-metadata_record = 扣留发给 broker { $to } 的元数据日志
release-metadata_record = 放行发给 broker { $to } 的元数据日志
release = 放行“{ $kind }” { $from } → { $to }

timer = 触发 broker { $broker } 的“{ $kind }”定时器
timer-isr_expiration = broker { $broker } 检查 ISR
timer-high_watermark_checkpoint = broker { $broker } 写入高水位检查点
timer-recovery_point_checkpoint = broker { $broker } 写入恢复点检查点
timer-flush = broker { $broker } 把日志刷盘
timer-isr_change_propagation = broker { $broker } 通知 controller 其 ISR 变更
timer-heartbeat = broker { $broker } 发送心跳
timer-session_timeout = broker { $broker } 的会话到期
timer-preferred_leader_check = controller 检查首选 leader
timer-unclean_leader_check = controller 检查没有 leader 的分区
timer-long_poll = broker { $broker } 完成等待中的拉取
timer-follower = 完成 broker { $follower } 等待中的拉取
timer-fetch_backoff = broker { $broker } 的拉取退避结束
timer-produce_timeout = broker { $broker } 上等待的生产请求超时

crash = 使 broker { $broker } 崩溃
    .fault = 崩溃
    .budget = broker 崩溃
power_loss = 使 broker { $broker } 断电
    .fault = 断电
    .budget = 断电
power_loss-keep = 使 broker { $broker } 断电，日志保留到 { $keep }
disk_loss = 清空 broker { $broker } 的磁盘
    .fault = 磁盘丢失
    .budget = 磁盘丢失
shutdown = 正常关闭 broker { $broker }
    .fault = 正常关闭
pause = 暂停 broker { $broker }
    .fault = 暂停
    .budget = broker 暂停
resume = 恢复运行 broker { $broker }
detect = controller 检测到 broker { $broker } 的状态
start = 启动 broker { $broker }
boot-session = 在旧会话仍存在时启动 broker { $broker }
boot = 启动 broker { $broker }，controller 未察觉

cut = 切断链路 { $from } → { $to }
    .fault = 链路中断
heal = 恢复链路 { $from } → { $to }
heal-broker = 恢复 broker { $broker } 的所有链路
isolate = 切断 broker { $broker } 的网络
    .fault = broker 网络被切断
    .budget = 网络被切断的 broker
isolate-controller = 切断 broker { $broker } 与 controller 的网络
isolate-brokers = 切断 broker { $broker } 与其他 broker 的网络
isolate-all = 切断 broker { $broker } 与所有其他节点的网络
slow = 让 broker { $broker } 的消息延迟 { $ms } ms

elect = 为 { $partition } 选举 leader
elect-clean = 从 ISR 中为 { $partition } 选举 leader
elect-unclean = 为 { $partition } 选举 leader，必要时 unclean
elect-preferred = 选举 { $partition } 的首选 leader
reassign = 将 { $partition } 重新分配到 broker { $replicas }
config = 设置 { $settings }
config-topic = 为 topic { $topic } 设置 { $settings }
fail_controller = controller 故障转移

advance = 时间前进 { $ms } ms，不投递消息
run = 运行 { $ms } ms
settle = 运行到没有待处理事项
note = 作者说明
ask = 提问
expect = 作者的预期

## What an election may come to, by the names of shares and of searches.

unclean_election =
    .fault = unclean 选举
unclean =
    .budget = unclean 选举
