### 录制中每一步对真实集群执行的操作。

create_topic = 在 broker { $replicas } 上创建 topic t
produce = 写入 { $values }（acks { $acks }）
produce-to = 向 broker { $broker } 写入 { $values }（acks { $acks }）
answer = 接收 { $value } 的响应
transaction-begin = 开始事务
transaction-commit = 提交事务
transaction-abort = 中止事务
consume = 在 broker { $broker } 上从位移 { $offset } 消费
offsets_for_leader_epoch = 查询 broker { $broker } 各 leader 纪元的结束位移
kill = 终止 broker { $broker } 的进程
session_end = 结束 broker { $broker } 的 ZooKeeper 会话
delete_file = 删除 broker { $broker } 的 { $deleted }
power_loss = 切断 broker { $broker } 的电源，保留 { $keep } 条
disk_loss = 销毁 broker { $broker } 的磁盘
stop = 正常关闭 broker { $broker }
start = 启动 broker { $brokers }
freeze = 冻结 broker { $broker }
thaw = 让 broker { $broker } 恢复运行
wait = 等待 { $ms } ms
wait-leader = 等到 broker { $leader } 成为 leader
wait-fenced = 等到 broker { $fenced } 被隔离
wait-fenced-all = 等到所有 broker 被隔离
wait-isr = 等到 ISR 为 { $isr }
wait-isr_shrinks = 等到 ISR 收缩
wait-answered = 等待 { $answered } 的响应
elect-preferred = 请求首选 leader 选举
elect-unclean = 请求 unclean 选举
reassign = { $replicas ->
        [nothing] 取消重新分配
       *[other] 将副本重新分配到 { $replicas }
    }
config-cluster = 为集群设置 { $settings }
config-topic = 为 topic { $topic } 设置 { $settings }
config-broker = 仅为 broker { $broker } 设置 { $settings }
cut_off = 切断 broker { $broker } 与 controller 的连接
reconnect = 恢复 broker { $broker } 与 controller 的连接
cut_link = 切断链路 { $from } → { $to }
heal_link = 恢复链路 { $from } → { $to }
network-hold-request = 扣留 { $from } → { $to } 的 { $api } 请求
network-hold-response = 扣留 { $to } → { $from } 的 { $api } 响应
network-release-request = 放行 { $from } → { $to } 的 { $api } 请求
network-release-response = 放行 { $to } → { $from } 的 { $api } 响应
network-drop-request = 丢弃 { $from } → { $to } 的 { $api } 请求
network-drop-response = 丢弃 { $to } → { $from } 的 { $api } 响应
network-cut = 切断 broker { $broker } 与 ZooKeeper 的连接
network-heal = 恢复 broker { $broker } 与 ZooKeeper 的连接
fetch-delivered = broker { $broker } 从 { $from } 拉取 { $rounds } 次
fetch-held = broker { $broker } 从 { $from } 拉取 { $rounds } 次，最后一个响应被扣留
