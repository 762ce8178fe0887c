### Names of the fields that can change in a frame.

role = 角色
log_end_offset = LEO
log_start_offset = 日志起点
high_watermark = HW
last_stable_offset = LSO
epoch_cache = 纪元
leader_epoch = leader 纪元
flushed = 已落盘到
checkpoint_high_watermark = HW 检查点
checkpoint_recovery_point = 恢复点检查点
follower_log_end_offset = 已知 broker { $subject } 的 LEO
fetcher = 拉取循环
pending_isr = 待定 ISR
leader = leader
controller_leader_epoch = controller 处的 leader 纪元
isr = ISR
elr = ELR
last_known_elr = 最后已知的 ELR
partition_epoch = { $control ->
    [zookeeper] znode 版本
   *[kraft] 分区纪元
}
leader_recovery_state = leader 恢复状态
replicas = 副本
adding_replicas = 正在加入的副本
removing_replicas = 正在移除的副本
controller_epoch = controller 纪元
broker_state = 状态
outcome = { $subject } 的 produce 响应
copies = { $subject } 的副本数
position = { $subject } 的下一位移
