### Why real brokers made no recording. `highwater record` prints it, and its page shows it.

no_java = real brokers need Java 17, and there is no java in PATH or JAVA_HOME
no_maven = Maven downloads the jars of Kafka { $release }: there is no mvn in PATH
not_exact = name an exact release of Kafka, such as 4.3.1, and not { $release }
download_late = Maven did not download the jars of Kafka { $release } within { $seconds } s
download_failed = Maven cannot download the jars of Kafka { $release }: { $printed }
no_controller = Kafka { $release } has no controller '{ $control }'
bound_port = a KRaft broker of Kafka { $release } registers the port at which it listens, not the advertised one, so that nothing between brokers could be held: use ZooKeeper

# The nodes. $printed is the last line that a process has printed, or printed_nothing.
printed_nothing = it printed nothing
printed_no_reason = it printed no reason
broker_down = broker { $broker } of Kafka { $release } did not come up: { $printed }
node_late = node { $node } of Kafka { $release } did not come up within { $seconds } s: { $printed }
stop_late = broker { $broker } did not stop within { $seconds } s
zookeeper_down = ZooKeeper did not come up: { $printed }
not_formatted = Kafka { $release } cannot format its storage: { $printed }

# What the nodes send each other.
request_late = the { $api } request of node { $sender } at node { $receiver } did not come within { $seconds } s
response_late = the { $api } response of node { $sender } at node { $receiver } did not come within { $seconds } s
stranger = a connection to node { $node } is none of this cluster's: its client is { $client }
past_forwarder = node { $node } is connected to node { $other } past the forwarder

# The steps.
not_settled = the cluster did not settle within { $seconds } s
session_lost = broker { $broker } runs and lost its session: this machine is too slow
transactions_refused = { $topic } cannot be created: { $error }
topic_refused = the topic cannot be created: { $error }
topic_late = the topic was not created within { $seconds } s
no_session = broker { $broker } has no session to end
register_late = broker { $broker } did not register within { $seconds } s
ended_by_itself = broker { $broker } ended by itself: { $printed }
fence_late = the controller did not fence { $brokers } within { $seconds } s
znode_in_use = /admin/{ $name } is still in progress
broker_paused = broker { $broker } is paused and responds to no fetch
no_way_to_controller = no broker runs that could pass on an administrator's request
coordinator_error = the transaction coordinator: { $error }
broker_error = broker { $broker }: { $error }
not_responded = it did not respond

# Two runs: what one and the other have at the same place of the recording.
runs_differ = two runs differ: { $reason }
records_differ = step { $step }: { $one } in one run, { $other } in the other
values_differ = step { $step }, { $place }: { $one } in one run, { $other } in the other

# How it ended.
at_step = step { $step }: { $reason }
interrupted = interrupted
partly_kept = { $reason }; what was recorded is in { $file }
defect = an error in the program: { $error }
