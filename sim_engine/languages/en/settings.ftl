### What Kafka's settings control, by name. A setting that is a term of the glossary is in
### narration/terms.ftl.

unclean-leader-election-enable = Whether a replica outside the ISR may become leader when no replica in it is alive. The records that it lacks are then at risk, and lost once the other replicas truncate to its log.
replica-lag-max-messages = How many records a follower may lag behind its leader before it leaves the ISR.
replica-fetch-wait-max-ms = How long a leader holds a follower’s fetch when it has no new records for it.
replica-fetch-min-bytes = The minimum size of a fetch response that a leader does not hold back.
replica-fetch-max-bytes = The maximum size of one partition’s records in a follower’s fetch.
replica-fetch-response-max-bytes = The maximum size of a whole response to a follower’s fetch.
replica-fetch-backoff-ms = How long a follower waits after a failed fetch before it fetches again.
replica-socket-timeout-ms = How long a follower waits for the response to a fetch.
replica-high-watermark-checkpoint-interval-ms = How often a broker writes its high watermarks to disk.
num-replica-fetchers = The number of threads with which a broker fetches from each other broker.
log-flush-interval-messages = After how many records of a partition a broker flushes them to disk. By default, that is left to the operating system.
log-flush-interval-ms = How long a record may stay in the page cache before a broker flushes it.
log-flush-scheduler-interval-ms = How often a broker checks which logs are due to be flushed.
log-flush-offset-checkpoint-interval-ms = How often a broker writes its recovery points to disk.
log-flush-start-offset-checkpoint-interval-ms = How often a broker writes its log start offsets to disk.
default-replication-factor = The number of replicas of a topic that is created automatically.
offsets-topic-replication-factor = The number of replicas of the topic with the committed offsets of consumer groups.
auto-leader-rebalance-enable = Whether the controller returns leadership to preferred leaders on its own.
leader-imbalance-check-interval-seconds = How often the controller checks whether preferred leaders lead.
unclean-leader-election-interval-ms = How often the controller checks whether it may elect an unclean leader of a leaderless partition.
leader-imbalance-per-broker-percentage = The percentage of a broker’s preferred partitions that others may lead before the controller returns them.
controlled-shutdown-enable = Whether a broker hands over its partitions before it shuts down.
controlled-shutdown-max-retries = How often a broker tries again to hand over its partitions before it shuts down anyway.
controlled-shutdown-retry-backoff-ms = How long a broker waits between these attempts.
zookeeper-session-timeout-ms = How long a broker may be silent before ZooKeeper ends its session. Only then does the controller consider it dead.
broker-session-timeout-ms = How long the controller waits for a broker’s heartbeat before it fences the broker.
broker-heartbeat-interval-ms = How often a broker sends a heartbeat to the controller.
request-timeout-ms = How long a broker waits for the response to a request of its own.
replica-selector-class = The replica from which a consumer reads: the leader, or one in the consumer’s rack.
enable-idempotence = Whether a producer numbers its records, so that a leader recognises a retry and does not append it again.
