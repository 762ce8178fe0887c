### Names of the fields that can change in a frame.

role = role
log_end_offset = LEO
log_start_offset = log start
high_watermark = HW
last_stable_offset = last stable offset
epoch_cache = epochs
leader_epoch = leader epoch
flushed = flushed up to
checkpoint_high_watermark = checkpointed HW
checkpoint_recovery_point = checkpointed recovery point
follower_log_end_offset = LEO known for broker { $subject }
fetcher = fetcher
pending_isr = pending ISR
leader = leader
controller_leader_epoch = leader epoch at the controller
isr = ISR
elr = ELR
last_known_elr = last known ELR
partition_epoch = { $control ->
    [zookeeper] znode version
   *[kraft] partition epoch
}
leader_recovery_state = leader recovery state
replicas = replicas
adding_replicas = replicas being added
removing_replicas = replicas being removed
controller_epoch = controller epoch
broker_state = state
outcome = response to the producer for { $subject }
copies = copies of { $subject }
position = next offset of { $subject }
