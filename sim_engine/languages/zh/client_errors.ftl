### Kafka 协议的错误的含义（sim_engine/client_errors.py）：用于参考文档和搜索。

UNKNOWN_SERVER_ERROR = broker 或 controller 出现了没有专门错误码的失败，原因在它的日志中。
OFFSET_OUT_OF_RANGE = leader 的日志中没有这个位移：日志起点更靠后，或末端更靠前。consumer 会从 auto.offset.reset 规定的位置继续，follower 会截断或重新开始。
CORRUPT_MESSAGE = 消息与其校验和不符。
UNKNOWN_TOPIC_OR_PARTITION = broker 上没有该分区，或者它还不知道该分区。
LEADER_NOT_AVAILABLE = 该分区没有 leader。客户端会一直重试，直到有 leader。
NOT_LEADER_OR_FOLLOWER = broker 不是该分区的 leader，或者不再是。客户端会刷新元数据，再去请求新的 leader。
REQUEST_TIMED_OUT = ISR 没有及时收到这条消息。它在 leader 的日志中，仍可能被提交，因此若 producer 不是幂等的，重试可能重复写入。
REPLICA_NOT_AVAILABLE = broker 上没有该分区可供 consumer 读取的副本。
NOT_ENOUGH_REPLICAS = ISR 小于 min.insync.replicas，因此 leader 拒绝 acks=all 的消息。什么也没有写入。
NOT_ENOUGH_REPLICAS_AFTER_APPEND = leader 追加消息之后，ISR 变得小于 min.insync.replicas。消息在日志中，因此若 producer 不是幂等的，重试可能重复写入。
NOT_CONTROLLER = 接收方不是活动的 controller。发送方会去寻找活动的 controller。
INVALID_REQUEST = 请求自相矛盾，或与相关状态矛盾，例如 ISR 中没有 leader。
OUT_OF_ORDER_SEQUENCE_NUMBER = 幂等 producer 的序号有缺口：分区缺少 producer 此前发送的批次。
OPERATION_NOT_ATTEMPTED = 操作没有执行。如果 ISR 变更中有不合格的副本，而 leader 的版本太旧、不认识 INELIGIBLE_REPLICA，controller 就这样响应。
UNKNOWN_PRODUCER_ID = 分区没有这个 producer 的任何信息，因此无法检查序号。
FENCED_LEADER_EPOCH = 请求带的 leader 纪元比 broker 的旧：发送方还不知道最新的 leader。
UNKNOWN_LEADER_EPOCH = 请求带的 leader 纪元比 broker 的新：broker 还不知道自己已当选或已被取代。发送方会重试。
STALE_BROKER_EPOCH = 请求带的是 broker 更早一次启动的纪元。
OFFSET_NOT_AVAILABLE = 新的 leader 还不知道高水位推进到了哪里，因此不告诉 consumer 日志在哪里结束。
INVALID_UPDATE_VERSION = leader 的 ISR 变更依据的是过时的分区状态，leader 会放弃它。
INELIGIBLE_REPLICA = leader 提出的 ISR 中有被隔离、正在关闭或已重启的副本。leader 保持原来的 ISR。
NEW_LEADER_ELECTED = controller 接受了 ISR 变更，同时选出了另一个 leader，例如在重新分配结束时。
