"""The behaviour of followers: they look up epochs, truncate, fetch and append.

A follower has at most one request in flight for a partition. The phase of its fetch loop determines
the next request, and each response sets the next phase. The modules and the corresponding parts of
Kafka:

`fetch_loop.py`   `Partition.makeFollower`, `applyLocalFollowersDelta` (becoming a follower);
                  `AbstractFetcherThread.partitionFetchState` (start of the loop);
                  `onPartitionFenced`, `delayPartitions` (after an error);
                  responses to requests of a loop that has ended
`fetching.py`     `buildFetch`, `maybeTruncate` (the next request);
                  `processFetchRequest`, `processPartitionData`, `truncateOnFetchResponse`;
                  `truncateToEpochEndOffsets`; `handleOutOfRangeError`, `fetchOffsetAndTruncate`
`truncation.py`   `getOffsetTruncationState`, `UnifiedLog.truncateTo`
"""
