### What the engine leaves out of Kafka (sim_engine/left_out.py): the rows of FIDELITY.md, which
### errors, imports and the search show too. Each has a title without its article at the start of a
### sentence, and sentences without the last full stop.

## The head of the table, and the end of a sentence.

head = left out
head-means = what that means
head-names = names that are refused
full-stop = .

## The rows.

controller_quorum = the quorum of KRaft controllers (KIP-595, KIP-853, KIP-996)
controller_quorum-means = The KRaft controller is one process. There are no votes, no pre-vote, no change of voters, no failover, no lost majority, and no high watermark of the metadata log. Real leaders continue to serve without a majority, but no leader is elected and no ISR changes
unclean_recovery = the second part of KIP-966: unclean recovery, which asks replicas for their logs
unclean_recovery-means = Kafka has not released it
old_releases = releases before 0.8.2, and acks greater than 1 in 0.8.2
old_releases-means = 0.8.2 is the oldest release modelled. A produce there can use acks 0, 1 or all, but not a number of replicas (removed in 0.9 by KAFKA-1697)
zookeeper_migration = migration from ZooKeeper to KRaft (KIP-866), including the phase in which both are written
zookeeper_migration-means = A cluster has the same type of controller throughout
brokers_at_run_time = adding brokers, and unregistering them (UnregisterBroker)
brokers_at_run_time-means = A cluster has the brokers that it starts with, and a broker that never returns stays registered. In Kafka an unregistered broker leaves every ISR and ELR; a fenced one leaves the ISRs
topics_at_run_time = creating, adding or deleting topics and partitions while the cluster runs
topics_at_run_time-means = All of them exist from the start
placement = rack-aware placement of replicas, and clusters that are stretched over data centres
placement-means = Replicas are on the brokers that the scenario lists. A broker’s rack, given as rack in its list, matters only to consumers that fetch from followers, and to the faults of a rack in searches and campaigns
observers = observers and other features of Confluent Server
observers-means = Every replica can join the ISR. In Confluent Server, observers replicate but stay outside the ISR until a policy promotes them
mirroring = replication between clusters: MirrorMaker, cluster linking
mirroring-means = There is one cluster. A mirror has its own offsets and leader epochs, and is outside the protocol that is modelled
diskless = diskless topics (KIP-1150)
diskless-means = Kafka has not released them. Their records are in object storage, and they have no ISR, no leader epochs in fetches and no truncation
tiered_storage = tiered storage (KIP-405)
tiered_storage-means = A log is whole and local. In Kafka, a follower may start at the leader’s local log start offset, and then builds its epochs from the tier
reading_from_tier = reading from the tier
reading_from_tier-means = A fetch below the local log never occurs, so no response has OFFSET_MOVED_TO_TIERED_STORAGE
retention = retention and deleted records
retention-means = The log start offset is above 0 only if the scenario sets it, and it does not move
compaction = compaction
compaction-means = A log has every record from its start to its end
segments = segments and segment rolls
segments-means = A log is one sequence of records. There is no flush on a segment roll
log_directories = several log directories, and disk errors other than losing the disk
log_directories-means = A disk works or is lost, with all replicas of its broker
message_formats = formats of records (message formats) older than the release’s, which KIP-724 ended with 3.0
message_formats-means = Each release writes its own format. In Kafka, a topic kept at a format from before 0.11 has no epochs in its records, and its followers truncate to the high watermark in every release
timestamps = timestamps of records, and offset lookups by time
timestamps-means = No replication decision depends on them
sizes = batches of several records, compression, and limits of sizes
sizes-means = One record is one batch, without a size, and a response has every record that the leader has. So a follower that falls behind catches up with its next response, and the ISR that flaps while it does so (KAFKA-19996) never repeats within a step: each join is at a later offset. To show the next one, limit the records of a fetch, or delay it with the step slow
quotas = quotas and throttled replication
quotas-means = They do not change which records are committed. To delay a broker’s messages, use the step slow
consumer_groups = consumer groups and committed offsets (KIP-848)
consumer_groups-means = They do not change which records are committed. A consumer continues from its own position: one that commits its offset before it has processed a record skips it after a crash, and one that commits afterwards may process it twice
share_groups = share groups (KIP-932)
share_groups-means = They do not change which records are committed. Their state is in a topic of its own, which is replicated as any other
streams = Kafka Streams and Kafka Connect (KIP-1071)
streams-means = They are clients of the protocol. A scenario states each step of its clients
transactions = transactions beyond begin, commit and abort: the coordinator’s log, timeouts, KIP-890
transactions-means = A transaction ends with a step, and its markers are written in that step. No write arrives after its marker, no producer is fenced by another with the same transactional.id (ProducerFencedException), and no producer id expires
client_settings = settings of clients
client_settings-means = A scenario states what its clients do, step by step: acks, idempotent and isolation are arguments of their steps, a retry is a step, requests are sent in the order of the steps (max.in.flight.requests.per.connection), and no record expires (delivery.timeout.ms)
processes = addresses, roles, security and threads of processes
processes-means = They do not change which records are committed. A broker is named by its id in brokers
performance = speed: throughput, latency, and how bytes are moved (zero copy, sendfile)
performance-means = A step takes no time of its own, and a record has no size. What is slow is a step of the scenario
metrics = metrics and log lines as expectations of a scenario
metrics-means = The page lists those of replication for each step; a scenario expects the state itself
clocks = wrong clocks, corrupted messages, malicious brokers
clocks-means = Kafka does not defend against the last two either
