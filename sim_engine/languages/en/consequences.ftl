### What follows from the state in which a run starts: a card next to the form that describes it.

high-watermark = High watermark of { $partition }: min({ $ends }) = { $low }, the lowest log end offset in the ISR.
high-watermark-behind = Leader { $leader } of { $partition } starts with high watermark { $now }. It can rise to min({ $ends }) = { $low } when the followers fetch.
high-watermark-ahead = The high watermark of { $partition } is { $now }, above min({ $ends }) = { $low }. It never decreases, but a broker of the ISR lacks records below it.
high-watermark-gated = The high watermark of { $partition } is { $now } and does not rise while the ISR has fewer brokers than min.insync.replicas.
waits = { $records ->
    [one] { $records } is committed once { $brokers ->
        [one] broker { $brokers } has fetched it and fetches again, or has left the ISR
       *[other] brokers { $brokers } have fetched it and fetch again, or have left the ISR
    }
   *[other] { $records } are committed once { $brokers ->
        [one] broker { $brokers } has fetched them and fetches again, or has left the ISR
       *[other] brokers { $brokers } have fetched them and fetch again, or have left the ISR
    }
} (replica.lag.time.max.ms: { $seconds } s).
spare = acks=all needs an ISR of { $required } (min.insync.replicas): { $count ->
    [one] one of its { $isr } brokers
   *[other] { $count } of its { $isr } brokers
} may leave it.
tight = acks=all needs an ISR of { $required } (min.insync.replicas): no broker may leave it.
few = A producer with acks=all gets NOT_ENOUGH_REPLICAS: min.insync.replicas is { $required }, and the ISR has { $isr ->
    [one] one broker
   *[other] { $isr } brokers
}.
leaderless = { $partition } has no leader, so nothing can be written. { $count ->
    [one] It waits for broker { $brokers }, which can be elected cleanly.
   *[other] It waits for one of the brokers { $brokers }, which can be elected cleanly.
}
leaderless-for-good = { $partition } has no leader, and no broker can be elected cleanly.
more = { $count ->
    [one] One more partition is not described here.
   *[other] { $count } more partitions are not described here.
}
