### Texts for values that would otherwise be shown as they are, by the value's name. `message` uses `kind`.

kind = { $value ->
    [isr_expiration] ISR check
    [high_watermark_checkpoint] high watermark checkpoint
    [recovery_point_checkpoint] recovery point checkpoint
    [flush] flush
    [isr_change_propagation] ISR change check
    [session_timeout] session timeout
    [preferred_leader_check] preferred leader check
    [unclean_leader_check] unclean leader check
    [long_poll] long poll
    [fetch_backoff] fetch backoff
    [produce_timeout] produce timeout
    [fetch_request] fetch request
    [fetch_response] fetch response
    [offsets_for_leader_epoch_request] OffsetsForLeaderEpoch request
    [offsets_for_leader_epoch_response] OffsetsForLeaderEpoch response
    [list_offsets_request] ListOffsets request
    [list_offsets_response] ListOffsets response
    [leader_and_isr] LeaderAndIsr command
    [stop_replica] StopReplica command
    [update_metadata] UpdateMetadata command
    [metadata_record] metadata record
    [alter_partition_request] AlterPartition request
    [alter_partition_response] AlterPartition response
    [isr_change_notification] ISR change notification
    [heartbeat] heartbeat
    [heartbeat_response] heartbeat response
   *[other] { $value }

}

from = { $value ->
    [controller] the controller
   *[other] { $value }

}

to = { $value ->
    [controller] the controller
   *[other] { $value }

}

control = { $value ->
    [zookeeper] ZooKeeper
    [kraft] KRaft
   *[other] { $value }

}

which = { $value ->
    [latest] log end
    [earliest] log start
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
    [nothing] none
   *[other] { $value }

}

remembered = { $value ->
    [nothing] nothing yet
   *[other] { $value }

}

previous_broker_epoch = { $value ->
    [-1] −1 (unknown)
   *[other] { $value }

}

leader = { $value ->
    [-1] none
   *[other] { $value }

}

elected = { $value ->
    [-1] none
   *[other] { $value }

}

state = { $value ->
    [running] running
    [paused] paused
    [stopped] stopped
    [crashed] down
    [shutting_down] shutting down
    [fenced] fenced
    [failed] down (exited)
   *[other] { $value }

}

## Values before and after a change in a frame.

broker_state = { $value ->
    [running] running
    [paused] paused
    [stopped] stopped
    [crashed] crashed
    [shutting_down] shutting down
    [fenced] fenced
    [failed] exited
   *[other] { $value }
}

role = { $value ->
    [leader] leader
    [follower] follower
    [none] none
   *[other] { $value }
}

outcome = { $value ->
    [pending] pending
    [acked] acknowledged
    [failed] failed
    [no_answer] no response
   *[other] { $value }
}

leader_recovery_state = { $value ->
    [RECOVERED] recovered
    [RECOVERING] recovering
   *[other] { $value }
}
