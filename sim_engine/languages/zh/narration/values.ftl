### Words for values that would otherwise be shown raw: a message by the number's name. `message` is said by `kind`.

kind = { $value ->
    [isr_expiration] ISR 检查
    [high_watermark_checkpoint] 高水位检查点
    [recovery_point_checkpoint] 恢复点检查点
    [flush] 刷盘
    [isr_change_propagation] ISR 变更检查
    [session_timeout] 会话到期
    [preferred_leader_check] 首选 leader 检查
    [unclean_leader_check] 无 leader 分区检查
    [long_poll] 长轮询
    [fetch_backoff] 拉取退避
    [produce_timeout] produce 请求超时
    [fetch_request] 拉取请求
    [fetch_response] 拉取响应
    [offsets_for_leader_epoch_request] OffsetsForLeaderEpoch 请求
    [offsets_for_leader_epoch_response] OffsetsForLeaderEpoch 响应
    [list_offsets_request] ListOffsets 请求
    [list_offsets_response] ListOffsets 响应
    [leader_and_isr] LeaderAndIsr 命令
    [stop_replica] StopReplica 命令
    [update_metadata] UpdateMetadata 命令
    [metadata_record] 元数据记录
    [alter_partition_request] AlterPartition 请求
    [alter_partition_response] AlterPartition 响应
    [isr_change_notification] ISR 变更通知
    [heartbeat] 心跳
    [heartbeat_response] 心跳响应
   *[other] { $value }

}

from = { $value ->
    [controller] controller
   *[other] { $value }

}

to = { $value ->
    [controller] controller
   *[other] { $value }

}

control = { $value ->
    [zookeeper] ZooKeeper
    [kraft] KRaft
   *[other] { $value }

}

which = { $value ->
    [latest] 日志末端
    [earliest] 日志起始
   *[other] { $value }

}

isr = { $value ->
    [nothing] { "" }

   *[other] { $value }

}

elr = { $value ->
    [nothing] { "" }

   *[other] { $value }

}

live = { $value ->
    [nothing] 无
   *[other] { $value }

}

remembered = { $value ->
    [nothing] 尚无
   *[other] { $value }

}

previous_broker_epoch = { $value ->
    [-1] −1（未知）
   *[other] { $value }

}

leader = { $value ->
    [-1] 无
   *[other] { $value }

}

elected = { $value ->
    [-1] 无
   *[other] { $value }

}

state = { $value ->
    [running] 正在运行
    [paused] 已暂停
    [stopped] 已停止
    [crashed] 已停机
    [shutting_down] 正在关闭
    [fenced] 被隔离
    [failed] 已退出
   *[other] { $value }

}

## What a change in a frame is from and to.

broker_state = { $value ->
    [running] 运行中
    [paused] 已暂停
    [stopped] 已停止
    [crashed] 已崩溃
    [shutting_down] 正在关闭
    [fenced] 被隔离
    [failed] 已退出
   *[other] { $value }
}

role = { $value ->
    [leader] leader
    [follower] follower
    [none] 无
   *[other] { $value }
}

outcome = { $value ->
    [pending] 等待中
    [acked] 已确认
    [failed] 失败
    [no_answer] 无响应
   *[other] { $value }
}

leader_recovery_state = { $value ->
    [RECOVERED] 已恢复
    [RECOVERING] 恢复中
   *[other] { $value }
}
