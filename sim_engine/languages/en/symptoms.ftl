### What somebody notices, or asks, who does not know yet what it is called: for the search of the
### site. A message is called like its entry: the kind and the id. No term is explained here.

lesson-a-record-and-its-copy = How does Kafka copy messages from one server to another? Do replicas pull the data, or does the leader push it? What is replication, from the beginning. Who starts the copying, and do the followers ask for data or is it sent to them? The way of a message from the producer to all replicas.
lesson-where-a-log-ends = What is an offset, and what is the next offset of a partition? How does a replica know which messages it still has to copy? How does a leader know how far each follower has copied? Where does a replica continue?
lesson-what-counts-as-safe = When is a message safe, and when can consumers see it? Sent successfully, but the consumer does not get it yet. Why is the last message not readable at once? The leader already has the message, but the consumer cannot see it. Which messages may be consumed? Why not let consumers read the newest data?
lesson-who-must-have-it = Does acks=all wait for all replicas, also for a dead or slow one? What is an in-sync replica, and how many copies does a write need? Writes continue although a broker is down. What does it mean if the ISR is smaller than the replicas? How many brokers must confirm a write: is a majority enough? Why not a quorum? What is the difference between replicas and in-sync replicas? Why is a write not decided by a majority, as in Raft?
lesson-who-led-when = What is the leader epoch number for? How does a returning broker know which of its messages are invalid? Why number the leaders? How to tell messages of the new leader from those of the old one?
lesson-who-may-lead-next = What is an eligible leader replica in Kafka 4? Which replica may become leader when fewer than min.insync.replicas are in sync? What changes with ELR in a cluster of three replicas? How is election in Kafka 4 different from before?
lesson-two-rounds = Why does a follower learn the new high watermark only with the next fetch, one request later? How many fetches until a message is committed and acknowledged? How is the high watermark updated and sent to the followers? Why are the high watermarks of leader and follower different? The follower has the message, but it is not committed yet. How long until the followers know what is committed?
lesson-high-watermark-lags-under-load = Consumers and followers see messages with a delay under constant traffic. The follower's high watermark is always a bit behind although it has the data. Consumers are always a little behind the producers in a load test.
lesson-slowest-replica-decides = One slow follower makes acks=all slow. Produce latency is high because of one replica. Which replica determines the high watermark? One slow machine or disk slows all producers down. What does the latency of a write depend on?
lesson-shrink-releases-high-watermark = One follower hangs, and producers and consumers wait until it is dropped from the ISR. Why was a replica kicked out of the ISR? Writes time out for some seconds after a broker dies, then continue. A broker froze for some seconds, all sends timed out, and then it recovered by itself. Writes stop for a while and go on later. A producer is stuck after a broker lost its network.
lesson-slow-but-steady-follower = A follower is constantly a little behind: is it still in sync? ISR flaps, shrinks and expands all the time, with a follower that cannot keep up with bursts. Monitoring shows a replica that leaves and joins the in-sync set again and again. All brokers are up, but some partitions are under-replicated from time to time.
lesson-expansion-waits-for-the-joiner = A replica is about to rejoin the ISR: does the leader already wait for it? Catching up replica and the high watermark. When does a replica that has caught up return to the ISR? A broker does not get back into the ISR.
lesson-acks-1-loses-on-failover = The producer got success with acks=1, the leader crashed or was killed right after, and the message is missing on the new leader. Messages sent successfully are lost on failover. The default acks of an old producer. The producer callback had no error, but the message is nowhere to be found, it never arrived. The producer reported no error, but consumers miss some records. The leader died right after the write and the followers had not copied it. What happens to messages in flight when the leader changes? Kafka acknowledged a write and does not have it.
lesson-not-enough-replicas = The producer fails with NotEnoughReplicasException, messages are rejected, the number of insync replicas is below the required minimum. Cannot write to the topic although a leader is up. acks=all fails, but acks=1 still works. Writes stop when one broker of two is restarted; reads still work. Why are writes refused after a broker failure? We lost an availability zone, and topics are read only.
lesson-not-enough-replicas-after-append = The producer got an exception, but consumers read the message anyway. Send failed and yet the record is in the topic: messages are written to the log, but to fewer in-sync replicas than required. Was the message written or not? The failed message is still in the topic.
lesson-retry-duplicates = The send timed out, the producer retried, and the same message is in the topic twice. Where do duplicates come from? Does enable.idempotence prevent duplicate messages? One event is sent two times. The response got lost and the producer sends again. Downstream receives the same order twice. Is it safe to retry after a timeout? A listener receives the same payload again.
lesson-caught-up-outsider = A replica that is not in the ISR blocks the acknowledgement. Producers time out although all in-sync replicas have the data. Why wait for a replica that was removed already?
lesson-uncommitted-tail = After a failover the old leader deletes messages: is this data loss? The restarted broker has fewer messages than before it crashed. Messages that were never acknowledged are removed. The old leader comes back with a longer log, and its messages are overwritten. The former leader comes back and throws away a part of its log. What happens to the surplus messages of the old master? Does Kafka ever rewrite or shorten a log?
lesson-new-leader-stale-high-watermark = After a leader change, consumers see an empty topic or old messages for a moment. Is the data gone after the failover? The new leader does not show the latest messages. Nothing can be consumed for some seconds after a failover. The latest messages are missing for a moment and then come back.
lesson-follower-high-watermark-goes-back = The high watermark went backwards after a leader election. Offsets jump back on a replica: is this a bug? Leader and follower have different high watermarks: is this normal? The latest offset was higher before the failover.
lesson-high-watermark-after-restart = How does a broker know the high watermark after a restart? What is in the file replication-offset-checkpoint, and what if it is missing, deleted or old? From where does a broker recover after a restart? Is the high watermark saved on disk?
lesson-three-ways-to-stop = What is the difference between kill -9, a graceful stop and pulling the plug? What does a broker lose when its process is killed, when the machine or the operating system crashes? Is data in the page cache lost if only the process dies? The broker starts slowly because it recovers its logs. Is it dangerous to kill the process? The process ran out of memory and exited. Are messages that are not on disk lost when the process dies? Does deleting a pod or a container lose data? What is gone after a kernel panic or a blue screen?
lesson-isr-timer-granularity = How long does it take until a slow or dead replica is removed from the ISR? After how many seconds is a follower considered out of sync? Why longer than replica.lag.time.max.ms? When does a replica count as lagging? How long may it not fetch?
lesson-message-lag = Under heavy load, or with a burst of messages, replicas fall out of the ISR and come back. Is lag measured in messages or in time? How far may a follower be behind? How did Kafka measure replica lag in the past, in messages or in time? Replicas fall out at peak traffic.
lesson-isr-change-propagation = The ISR shown in ZooKeeper or by kafka-topics is old. When does the controller know that the ISR has shrunk? Delay of ISR changes. When does the controller learn about a changed ISR? The list of in-sync replicas in the metadata is out of date.
lesson-election-follows-the-assignment = What does the controller do when a broker dies? Which replica becomes the new leader when the leader dies? How does Kafka pick the next leader: the one with the most data, the longest log, the lowest broker id, or the first of the replica list? Which broker wins if both have the same data? Who takes over when the master is dead? Is it the replica with the newest data? Who decides who becomes leader? What happens when the leader dies? Show how a new leader is elected after the leader crashes.
lesson-preferred-leader-election = After a restart, all leaders are on other brokers and the load is uneven. The broker is back but leads no partition. How to move leadership back to the original leader? All leaders ended up on one broker after maintenance. The machine is back, but its traffic is not. One broker is busy and the others are idle.
lesson-controlled-shutdown = How to stop or restart a broker for maintenance without losing messages or availability? What happens to its partitions when a broker is shut down gracefully? Rolling restart of a cluster, one broker after another. We have to patch and reboot the machines one at a time: what is the safe way? Does planned maintenance interrupt clients?
lesson-epoch-bookkeeping = When is the leader epoch incremented? Why did the leader epoch go up although the leader is the same?
lesson-four-triggers = When is the high watermark updated, recomputed or advanced?
lesson-log-start-offset = The offset that is asked for was already deleted by retention. The follower was down for so long that the leader no longer has its offset, and it copies everything from the beginning. The earliest offset is not zero. A replica was offline for days: how does it catch up? Is a full copy needed after a replica was offline for long?
lesson-follower-bounce-five-records = A follower was restarted, the leader then failed, and acknowledged messages are gone. Why does a restarted follower cut its log back to the high watermark? The simplest example in which the restart of a follower loses a committed message.
lesson-follower-bounce-with-epochs = How do leader epochs prevent losing messages when a follower restarts? What does a follower ask its leader after a restart? What does a broker do first after it restarts? How does it know where to truncate?
lesson-kip-101-data-loss = Acknowledged messages are lost in old Kafka although acks=all and unclean leader election is disabled. What problem do leader epochs solve? How can a message be lost that all in-sync replicas had? Master and slave switch over and data is lost. What is wrong with truncating to the high watermark? Data loss without unclean election. All replicas had written it, the producer got its acknowledgement, and it is lost.
lesson-leader-flaps-lose-a-record = Leadership flapped or was moved back and forth, nothing crashed, and messages are lost. Rebalancing leaders loses data. The leader bounces between two brokers, and events are missing. No machine crashed, only the leader changed several times.
lesson-unnoticed-bounce = A broker restarted so fast that nobody noticed, and messages were lost. A quick restart within the ZooKeeper session timeout. The broker hangs or shuts down when it comes back with more messages than the leader. A follower has a longer, larger log than its leader. A process is restarted at once by its supervisor, and monitoring did not see it.
lesson-follower-stops-itself = The broker exits at startup with: log truncation is not allowed for partition, current leader's latest offset is less than replica's latest offset. Fatal error in the replica fetcher, halting. The follower has more messages than the leader. A replica has a longer log than its leader and refuses to start. The broker shuts down again and again.
lesson-unnoticed-power-loss = A machine rebooted after a crash of the operating system and lost its latest messages; it was still listed in the ISR and was elected, so acknowledged messages are missing. Replica in ISR but data missing, not really in sync. Can a broker be in the ISR without having all committed data? The machine lost power for a moment, and the cluster still believes that it is in sync.
lesson-power-loss-of-both = After a failover the replicas have different messages at the same offset. Leader and follower contain different data, checksums or contents do not match, consumers read another message after a leader change. Data of replicas does not agree after a restart. Two consumers of the same partition read different records. The same offset has different contents on master and slave. Why does truncating to the high watermark let replicas differ?
lesson-crash-of-both = Both brokers were killed and restarted: do the logs still match? A crash of the process does not lose the page cache.
lesson-power-loss-four-records = Two replicas with the same log end offset, but one message differs after a power failure.
lesson-power-loss-of-both-with-epochs = Do leader epochs prevent data loss after a power failure? Replicas are consistent again, but messages are still missing.
lesson-three-brokers-three-epochs = Several leaders failed one after another: how do the logs become equal again? Example of truncation with leader epochs.
lesson-epoch-lookup-table = How does the leader find the end offset of an epoch? Example of an OffsetsForLeaderEpoch response.
lesson-undefined-epoch-fallback = The follower falls back to the high watermark because the leader does not know the epoch. The leader replied with undefined epoch offset.
lesson-fast-leader-failover = Leaders changed quickly one after the other, and the logs diverged. Two leaders in short succession, and the follower still has messages that the leader does not have. Several leader changes in a short time mess up the data.
lesson-kip-279-numbers = The follower keeps messages that the leader never had, despite leader epochs.
lesson-two-round-truncation = Why does truncation need more than one request? Truncates twice after a leader change.
lesson-empty-epoch = A leader was elected but wrote nothing: where does its epoch start?
lesson-isr-join-guard = A replica with an empty disk, a wiped data directory or a replaced volume comes back, joins the ISR before it has copied the data, and becomes leader. A new or empty broker is in sync too early. A broker lost its SSD: how to bring it back without losing data? A broker restarted with an empty disk and became leader. The volume of a pod was recreated, and old data vanished on every replica. Somebody deleted the data directory by mistake: are the other replicas wiped too? We replaced a dead node and lost messages.
lesson-zombie-leader = Two brokers believe that they are the leader at the same time. The old leader is cut off by a network partition or a long garbage collection pause, still accepts writes, and its messages are lost when it comes back. Is split brain possible? The link between two data centres broke, and both sides think that they are the leader. Two masters. Clients still write to a leader that does not know that it was replaced. What happens to writes on an isolated node?
lesson-zombie-leader-is-refused = The old leader logs that its cached version is not equal to the one in ZooKeeper and skips updating the ISR. Failed to update ISR, INVALID_UPDATE_VERSION, FENCED_LEADER_EPOCH. After a network problem, a broker cannot put replicas back into the ISR.
lesson-stale-queued-epoch = A request of the controller arrives late, after a newer one, and a follower follows the wrong leader.
lesson-unknown-leader-epoch = Logs show UNKNOWN_LEADER_EPOCH after a leader change. The leader epoch in the request is newer than the epoch on the broker.
lesson-unclean-election = What do we lose if we enable unclean leader election? An out-of-sync replica was made leader to get the topic back online, and messages are missing. Should it be true or false? A lagging replica that was promoted overwrites committed messages. Is Kafka AP or CP? Availability or no loss: do I have to choose? What if a replica that is behind becomes leader? Get the service back quickly and accept some loss.
lesson-unclean-setting-not-read = unclean.leader.election.enable=true has no effect with KRaft: the partition remains offline although a replica is alive. Unclean election is allowed, but no leader is elected.
lesson-unclean-election-disabled = The partition has no leader, Leader: none or -1, although one of its brokers is running. The topic is offline and cannot be written or read until a certain broker comes back. All in-sync replicas are down. Brokers came up after an outage, but some partitions stay without a leader. One machine is alive: why is it not made leader? Must I wait for the old leader?
lesson-last-replica-standing = Only one replica was left in the ISR, its machine lost power, and messages are lost after it came back. Is min.insync.replicas=1 with acks=all safe? The leader was alone in the ISR and crashed. One replica of three still accepts writes, and then it loses power. What is the risk of min.insync.replicas=1?
lesson-eligible-replica-rescues = How does KIP-966, eligible leader replicas, prevent losing messages when the last in-sync replica fails? What do eligible leader replicas change for a cluster with three replicas?
lesson-eligible-replica-elected = A replica outside the ISR becomes leader without loss in Kafka 4.
lesson-last-known-leader = All replicas crashed, the ISR and the ELR are empty: who becomes leader, and what is LastKnownElr? All brokers are down: which one should I start first?
lesson-dead-last-known-leader = The elected leader is a broker that is not running. The leader shown is down.
lesson-whole-cluster-power-loss = A power outage of the data centre stops all brokers at once; they come back, and the latest messages are missing. All three brokers went down together, acks=all, and acknowledged messages are gone. Does Kafka write to disk before it acknowledges? Does replication protect against losing power everywhere? The data centre lost power, and messages that were reported as successful cannot be found. Are the replicas in memory or on disk? Is it safe without fsync? Does a broker fsync before it acknowledges a record?
lesson-whole-cluster-power-loss-flushed = How to be sure that every message is on disk before it is acknowledged: does log.flush.interval.messages=1 or fsync help against a power outage? Is it safe to turn fsync off? Is flushing each message worth its price?
lesson-surviving-copy-destroyed = One replica still had the message, and it was deleted there after the restart. Only one broker lost power, and the message is gone on all of them. The only replica that had the data follows one that does not.
lesson-surviving-copy-destroyed-with-elr = Messages are lost in Kafka 4 although eligible leader replicas are on, after a broker was killed with kill -9.
lesson-survivor-cut-off = A broker hung for a while and then saved the message that others had lost.
lesson-consumer-truncation = The consumer read a message that no longer exists in the topic. After a leader change, the consumer skips messages or reads others at the same offsets. Consumed and processed, and later it is not in Kafka any more. The consumer's position is beyond the end of the log. A message that we have processed cannot be found later. The consumer was reset because its offset is larger than the log. After a failover the same offset has other contents.
lesson-follower-reads = Can a consumer read from a replica instead of the leader, in the same rack or zone? Messages appear later when they are read from a follower. Can followers take some of the read load? Why does Kafka not split reads and writes? Read from the replica in the own data centre.
lesson-diverging-high-watermark = A consumer that reads from a follower got a message that was never committed.
lesson-what-if-committed-isr-counts = Why does the leader wait for a replica that is not in the ISR yet?
lesson-what-if-proposed-shrink-counts = Why does the leader still wait for a dead follower until the controller has confirmed the smaller ISR? Who changes the in-sync set, the leader or the controller?
lesson-tolerating-failures = How many brokers can fail with replication factor 3 and min.insync.replicas=2? What happens if one or two of three brokers are down: can I still read and write? How many replicas do I need? All brokers of a small cluster went down one by one. Does a cluster of two brokers survive the restart of one? How many machines are enough? How do replication factor and min.insync.replicas fit together? Half of the machines or a whole availability zone is down: what still works? Two of three brokers are dead: can I still write?
lesson-missed-deposition = Messages are lost with acks=all, min.insync.replicas=2 and no unclean election, in current Kafka releases. The leader was changed and changed back at once. An unknown bug that loses acknowledged data. Newest version, everything configured correctly, and acknowledged messages are lost.
lesson-missed-deposition-noticed = The leader lost and regained leadership, and the producer got NOT_LEADER_OR_FOLLOWER.
lesson-metadata-version-gate = We upgraded the brokers, but the new behaviour is not active: metadata.version or inter.broker.protocol.version is still old. Rolling upgrade to a new release. The upgrade is finished, but a new feature is not there: what else must be changed?
lesson-late-answer-of-an-old-epoch = A follower deletes committed messages because of a delayed response of a former leader.
lesson-controller-failover = The controller dies or is replaced: what happens to running leader changes? Two controllers at the same time, messages of the old controller. The machine of the controller died: does the cluster still work? ControllerMovedException. Split brain of the controller: two active controllers.
lesson-eligible-but-no-replica = The partition has no leader after a reassignment, although all of its replicas are alive.
lesson-reassignment = How to move a partition to another broker, add or replace replicas, without losing data? What happens during kafka-reassign-partitions? How to replace a dead machine by a new one, or move partitions off a broker? Increase the number of replicas of a topic.
lesson-reassignment-cancelled-first = How to change a running reassignment safely: cancel it first.
lesson-reassignment-last-word = The reassignment is stuck, never finishes, or ends on the wrong brokers after it was changed. Moving a partition takes for ever.
lesson-transactions = The consumer with read_committed is stuck, does not advance, and cannot read newer messages because of a hanging transaction. Messages of a transaction are never delivered. The last stable offset does not move, and the consumer lag grows. One transaction was not committed, and everything after it is not delivered. What if a producer dies in the middle of a transaction?
lesson-unclean-cancel = The KRaft controller crashes again and again after a cancelled reassignment.

loss-killed-replica-not-trusted = The broker with the last copy was killed, came back, and its messages were deleted.
loss-surviving-copy-truncated = A replica with the data follows a leader without it and deletes the messages.
loss-last-in-sync-loses-power = Only the leader was in the ISR, its machine lost power, and messages are lost. acks=all still loses messages: why?
loss-last-in-sync-loses-disk = The disk of the only in-sync replica broke, its volume was deleted, and the data is lost. Leader came back with an empty disk. Only one machine had the data, and its disk died. A volume was recreated and the old data is gone. A broker came back with an empty disk and wiped the other replicas. The replicas deleted their data after a broker without data became leader.
loss-all-lose-power = Power failure of the whole data centre or rack, all brokers reboot, the latest acknowledged messages are missing. All machines lost power at the same time. Does Kafka fsync before it acknowledges?
loss-unclean-by-setting = unclean.leader.election.enable=true lost messages after a failover. A lagging replica was promoted to leader.
loss-unclean-by-hand = Messages were lost after kafka-leader-election --election-type unclean was run to bring a partition back. No leader, so somebody forced one by command.
loss-leader-crashes-before-replication = The leader died before the followers had copied the message. Success was reported, and the data is lost, with acks=1.
loss-leadership-moves = Messages are lost when leadership moves, in a rolling restart or a rebalance of leaders, with acks=1. A master and slave switch loses data. Messages in flight are lost when brokers are restarted one after another.
loss-leader-cut-off = An isolated leader accepts writes that are lost later: split brain with acks=1. Written to a node that was cut off, gone after the network came back.
loss-follower-truncates-to-its-high-watermark = A restart of a follower cuts its log, and messages are lost after the next failover in releases before 0.11.
loss-leader-back-too-soon = The leader's machine rebooted quickly, kept leadership, and messages disappeared on all replicas.
loss-follower-back-too-soon = A follower's machine rebooted quickly, stayed in the ISR without its latest messages, and became leader.
loss-joins-before-caught-up = A replica became in sync and leader although it did not have all messages.
loss-epoch-unknown-to-leader = The leader does not know the epoch, and the follower truncates too much.
loss-stale-command = An old LeaderAndIsr request arrives late and makes a replica delete messages.
loss-missed-deposition = Acknowledged messages are lost with acks=all after two leader changes in quick succession.
loss-late-response = A delayed fetch response makes a follower delete committed messages.

left_out-controller_quorum = How do KRaft controllers elect their leader, how many controllers and voters do I need, and what if a majority of them is down? How many controllers should I deploy? The KRaft controllers lost their quorum: does producing still work?
left_out-unclean_recovery = Which replica has the longest log: does Kafka ask all replicas before an unclean recovery?
left_out-old_releases = Kafka 0.7 or 0.8.0, very old releases.
left_out-zookeeper_migration = How to migrate a cluster from ZooKeeper to KRaft.
left_out-brokers_at_run_time = How to add a new broker to the cluster, scale out, or remove a broker for good.
left_out-topics_at_run_time = How to create or delete a topic, or increase the number of partitions.
left_out-placement = Replicas in several racks, availability zones or data centres. How are replicas assigned to brokers?
left_out-observers = Observers, or features of a vendor's Kafka.
left_out-mirroring = Copy topics to another cluster or another region, disaster recovery, active-passive.
left_out-diskless = Topics on object storage, S3, without local disks.
left_out-tiered_storage = Old segments are uploaded to S3, remote log, tiered storage.
left_out-reading_from_tier = A consumer reads old messages from remote storage.
left_out-retention = When are old messages deleted: after how many days or hours, or how many bytes? Messages expire after seven days. The disk fills up with old data. The disk is almost full: how to remove old data?
left_out-compaction = Keep only the latest value of each key; tombstones; the log cleaner.
left_out-segments = Segment files, index files, .log and .index, when does a new segment start?
left_out-log_directories = Several disks in a broker, JBOD, one disk is full or broken, the log directory is offline.
left_out-message_formats = Message format versions, down-conversion, magic byte.
left_out-timestamps = CreateTime and LogAppendTime, find the offset for a time.
left_out-sizes = Message too large, batch size, compression, maximum message size.
left_out-quotas = Limit the bandwidth of clients or of replication, throttle.
left_out-consumer_groups = Consumer group rebalancing, committed offsets, consumer lag, the topic __consumer_offsets. The coordinator is not available. Consumers rebalance all the time, and positions are lost. The offset was committed, but the message was not processed before a restart: it is skipped. At most once or at least once, auto commit.
left_out-share_groups = Queues, several consumers of one partition.
left_out-streams = Kafka Streams state stores, connectors, ksqlDB.
left_out-transactions = Transaction coordinator and timeout, transactional.id, ProducerFencedException, InvalidProducerEpochException, exactly once between topics. Cannot initialise a transaction, the producer is fenced.
left_out-client_settings = linger.ms, buffer.memory, max.in.flight.requests.per.connection, ordering of messages, partitioner. The buffer of the producer is full, records expire in a batch, time has passed since batch creation. Retries of the producer change the order of messages: messages out of order.
left_out-processes = SSL, SASL, ACL, listeners, advertised.listeners, connection refused, memory of the JVM, thread pools. Clients cannot connect to the broker, out of memory, too many open files.
left_out-metrics = JMX metrics and dashboards beyond those of replication.
left_out-clocks = Clock skew, NTP, bit rot, corrupt files. Byzantine faults: what if a broker lies?
left_out-performance = Why is Kafka fast: throughput, latency, benchmarks, zero copy, sendfile, batching?

term-high-watermark = What is the high watermark good for? A consumer does not see the message although the producer got its acknowledgement.
term-log-end-offset = What does LEO stand for?
term-remote-log-end-offset = How does the leader remember how far each follower has copied?
term-ISR = What are the advantages of in-sync replicas over a majority, a quorum or Raft? Which replicas are in the ISR?
term-OSR = Why is a replica not in the in-sync list?
term-acks = What do 0, 1 and all mean, and which one should I choose? How do the different acks settings affect durability?
term-truncation = Does Kafka ever rewrite or shorten a log that was written? Are records immutable, or can a written log change?
term-divergence = Why do replicas of one partition differ? A message is on one node but not on the other.
term-flush = When is a message really on disk? Is the log a write-ahead log?
term-committed = When does a message count as committed?
term-fenced = After how long without heartbeats is a broker considered down?
term-follower = What does a follower do? How does a follower know from which offset to start reading?
term-leader = What does the leader do: do all reads and writes go to it?
term-page-cache = Is there a write-ahead log that is on disk before the acknowledgement?
setting-broker-session-timeout-ms = After how long does the controller notice that a broker is dead? How does Kafka know that a leader is dead?
setting-zookeeper-session-timeout-ms = How does ZooKeeper notice that a broker is dead? How long until a new leader is elected?
setting-min-insync-replicas = At least how many replicas must have a write? How to set min.insync.replicas, to what, and for one topic? Which value is recommended, and what is the default?
setting-request-timeout-ms = How long does a produce request wait before it times out?
setting-unclean-leader-election-enable = How to set unclean.leader.election.enable for one topic?
word-UnderMinIsrPartitionCount = Which metric shows that a partition cannot be written any more?
word-AtMinIsrPartitionCount = Which metric shows that one more failure stops writes?
word-UnderReplicatedPartitions = An alert about replicas that are missing or behind although all brokers are up.
word-consumer-position-reset = A consumer group went back and reprocessed old messages after a broker crash.
word-OfflinePartitionsCount = Which metric shows partitions without a leader?
word-isr-shrinks = The ISR shrinks and expands again and again: what is the cause?
error-REQUEST_TIMED_OUT = The send blocks for some seconds and ends with a TimeoutException. No response in time.
error-OFFSET_OUT_OF_RANGE = The offset that is asked for does not exist, and the consumer starts again from the beginning.
error-NOT_LEADER_OR_FOLLOWER = The client sent its request to a broker that is not the leader.
error-LEADER_NOT_AVAILABLE = Error while fetching metadata with correlation id. The client cannot get the leader of a partition and warns or retries for ever.

doc-how-to-embed = How to put an animation into a blog post, a wiki or a web page?
doc-how-to-share = How to send a colleague this moment?
doc-how-to-export = Get a picture, a GIF or a video for slides.
doc-how-to-find-a-failure = Can it find the steps that lose a message by itself? How do I find out why messages were lost?
doc-how-to-import-a-cluster = Look at the state of my own cluster here. After an outage: how to investigate an incident, what happened to the lost messages?
doc-how-to-write-a-lesson = Make my own failure scenario for students.
doc-how-to-assess = Is my cluster safe, can my configuration lose data? How to check our cluster?
doc-how-to-assess-when-a-partition-has-no-leader = A partition is offline, its leader is none or -1: how do I bring it back, how to recover it without losing data, and which broker do I start first? All replicas of a partition died: how do I bring it back online?
doc-assess = What happens to my cluster if one more broker fails?
doc-lesson-plan = Teach a class about Kafka replication, with questions and answers for students.
doc-fidelity = Does this simulator behave like the real Kafka, how faithful is it, and can I trust it?
doc-reference-known-losses = In which ways can Kafka lose messages? A list of all scenarios of data loss. In which cases does acks=all lose messages?
doc-reference-operator-words = Which metrics should I monitor, and on what should I alert?
doc-explanation-articles = Are popular articles about Kafka replication right: has anyone checked their claims?
doc-explanation-versions = What differs between the releases, which version fixed data loss, and which one removed ZooKeeper? What behaves differently after an upgrade from an old release? What changes in replication when upgrading from 2.8 to 3.x?
doc-how-to-record-real-brokers = Reproduce this with real brokers.

error-CORRUPT_MESSAGE = Found invalid messages during fetch, a record has a wrong CRC or checksum.
error-NOT_CONTROLLER = ControllerMovedException, the request went to a broker that is not the controller.
doc-reference-command-line-compare = Compare the behaviour of two releases side by side.
