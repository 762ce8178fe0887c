"""The behaviour of followers: they look up epochs, truncate, fetch and append.

A follower has at most one request in flight for a partition. The phase of its fetch loop determines
the next request, and each response sets the next phase. The modules and the corresponding parts of
Kafka:

`becoming_follower.py`   `Partition.makeFollower`, `applyLocalFollowersDelta`
`fetch_state.py`         `AbstractFetcherThread.partitionFetchState` (start of the loop);
                         `onPartitionFenced`, `delayPartitions` (after an error)
`next_request.py`        `buildFetch`, `maybeTruncate`
`fetch_responses.py`     `processFetchRequest`, `processPartitionData`
`epoch_truncation.py`    `truncateToEpochEndOffsets`, `truncateOnFetchResponse`
`truncation_points.py`   `getOffsetTruncationState`
`out_of_range.py`        `handleOutOfRangeError`, `fetchOffsetAndTruncate`
`log_truncation.py`      `UnifiedLog.truncateTo`
`late_responses.py`      responses to requests of a fetch loop that has ended
"""
