/** Incidents to try the page with, in the words of real tools. */

export const EXAMPLES = [
  {
    id: "elr",
    kafka: "4.1",
    text: `Topic: payments	TopicId: h4f2ViYwTHSpxCibC4uCOw	PartitionCount: 4	ReplicationFactor: 3	Configs: min.insync.replicas=2
	Topic: payments	Partition: 0	Leader: 4	Replicas: 4,5,6	Isr: 4,5,6	Elr: 	LastKnownElr: 
	Topic: payments	Partition: 1	Leader: 5	Replicas: 5,6,1	Isr: 5	Elr: 6	LastKnownElr: 
	Topic: payments	Partition: 2	Leader: 6	Replicas: 6,1,2	Isr: 6,2	Elr: 	LastKnownElr: 
	Topic: payments	Partition: 3	Leader: none	Replicas: 1,3,2	Isr: 	Elr: 1	LastKnownElr: 3
Topic: orders	TopicId: m1sPGFXkQ2qCG3hE0sBdNw	PartitionCount: 5	ReplicationFactor: 3	Configs: min.insync.replicas=2
	Topic: orders	Partition: 0	Leader: 2	Replicas: 1,2,3	Isr: 2,3	Elr: 	LastKnownElr: 
	Topic: orders	Partition: 1	Leader: 2	Replicas: 2,3,4	Isr: 2,3,4	Elr: 	LastKnownElr: 
	Topic: orders	Partition: 2	Leader: 3	Replicas: 3,4,5	Isr: 3,4,5	Elr: 	LastKnownElr: 
	Topic: orders	Partition: 3	Leader: 4	Replicas: 4,5,6	Isr: 4,5,6	Elr: 	LastKnownElr: 
	Topic: orders	Partition: 4	Leader: 6	Replicas: 6,1,2	Isr: 6,2	Elr: 	LastKnownElr: 
Topic: audit	TopicId: 7cQxhYJfR0GrLr3X6pDzYw	PartitionCount: 3	ReplicationFactor: 2	Configs: min.insync.replicas=1
	Topic: audit	Partition: 0	Leader: 3	Replicas: 3,4	Isr: 3,4	Elr: 	LastKnownElr: 
	Topic: audit	Partition: 1	Leader: 6	Replicas: 6,1	Isr: 6	Elr: 	LastKnownElr: 
	Topic: audit	Partition: 2	Leader: 4	Replicas: 4,5	Isr: 4,5	Elr: 	LastKnownElr: 
`,
  },
  {
    id: "kraft",
    kafka: "3.7",
    text: `$ kafka-topics.sh --bootstrap-server localhost:9092 --describe
Topic: ledger	TopicId: p0iPyRZtTxC0b4yGvNQ7lA	PartitionCount: 3	ReplicationFactor: 3	Configs: min.insync.replicas=1
	Topic: ledger	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1
	Topic: ledger	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,1
	Topic: ledger	Partition: 2	Leader: 1	Replicas: 3,1,2	Isr: 1,2
`,
  },
  {
    id: "old",
    kafka: "2.3",
    text: `$ bin/kafka-topics.sh --zookeeper localhost:2181 --describe --topic billing
Topic:billing	PartitionCount:3	ReplicationFactor:3	Configs:unclean.leader.election.enable=true
	Topic: billing	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1
	Topic: billing	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 2,1
	Topic: billing	Partition: 2	Leader: 1	Replicas: 3,1,2	Isr: 1,2
`,
  },
] as const;
