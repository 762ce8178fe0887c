### 真实 broker 未能完成录制的原因。`highwater record` 会打印，它的页面也会显示。

no_java = 真实 broker 需要 Java 17，但 PATH 和 JAVA_HOME 中都没有 java
no_maven = Kafka { $release } 的 jar 由 Maven 下载，但 PATH 中没有 mvn
not_exact = 请指定确切的 Kafka 版本，例如 4.3.1，而不是 { $release }
download_late = Maven 未能在 { $seconds } 秒内下载完 Kafka { $release } 的 jar
download_failed = Maven 无法下载 Kafka { $release } 的 jar：{ $printed }
no_controller = Kafka { $release } 没有“{ $control }”这种 controller
bound_port = Kafka { $release } 的 KRaft broker 注册的是它监听的端口，而不是对外公布的端口，因此无法扣留 broker 之间的任何内容：请使用 ZooKeeper

# 各节点。$printed 是进程打印的最后一行，或者 printed_nothing。
printed_nothing = 进程没有打印任何内容
printed_no_reason = 没有打印原因
broker_down = Kafka { $release } 的 broker { $broker } 未能启动：{ $printed }
node_late = Kafka { $release } 的节点 { $node } 未能在 { $seconds } 秒内启动：{ $printed }
stop_late = broker { $broker } 未能在 { $seconds } 秒内停止
zookeeper_down = ZooKeeper 未能启动：{ $printed }
not_formatted = Kafka { $release } 无法格式化存储：{ $printed }

# 节点之间的报文。
request_late = { $seconds } 秒内没有等到节点 { $sender } 发给节点 { $receiver } 的 { $api } 请求
response_late = { $seconds } 秒内没有等到节点 { $receiver } 对节点 { $sender } 的 { $api } 响应
stranger = 到节点 { $node } 的一个连接不属于这个集群，它的客户端是 { $client }
past_forwarder = 节点 { $node } 绕过转发器连接了节点 { $other }

# 各步骤。
not_settled = 集群未能在 { $seconds } 秒内稳定下来
session_lost = broker { $broker } 在运行，但丢失了会话：这台机器太慢
transactions_refused = 无法创建 { $topic }：{ $error }
topic_refused = 无法创建 topic：{ $error }
topic_late = topic 未能在 { $seconds } 秒内创建
no_session = broker { $broker } 没有可以结束的会话
register_late = broker { $broker } 未能在 { $seconds } 秒内注册
ended_by_itself = broker { $broker } 自行退出：{ $printed }
fence_late = controller 未能在 { $seconds } 秒内隔离 broker { $brokers }
znode_in_use = /admin/{ $name } 仍在处理中
broker_paused = broker { $broker } 已暂停，不响应任何拉取请求
no_way_to_controller = 没有运行中的 broker 可以转发管理员的请求
coordinator_error = 事务协调器：{ $error }
broker_error = broker { $broker }：{ $error }
not_responded = 没有响应

# 两轮：录制的同一位置上各自的内容。
runs_differ = 两轮结果不同：{ $reason }
records_differ = 步骤 { $step }：一轮是 { $one }，另一轮是 { $other }
values_differ = 步骤 { $step }，{ $place }：一轮是 { $one }，另一轮是 { $other }

# 如何结束。
at_step = 步骤 { $step }：{ $reason }
interrupted = 已中断
partly_kept = { $reason }；已录制的内容在 { $file } 中
defect = 程序出错：{ $error }
