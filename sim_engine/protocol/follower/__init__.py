"""What a follower does: it looks up epochs, truncates, fetches and appends.

A follower has at most one request in flight for a partition. The phase of its fetch loop decides
what the next request is, and each response sets the next phase. Where Kafka has the parts:

=====================================================  =============================================
`Partition.makeFollower`, `applyLocalFollowersDelta`   `becoming_follower.py`
`AbstractFetcherThread.partitionFetchState`            `fetch_state.py`: how the loop starts
`onPartitionFenced`, `delayPartitions`                 `fetch_state.py`: after an error
`buildFetch`, `maybeTruncate`                          `next_request.py`
`processFetchRequest`, `processPartitionData`          `fetch_responses.py`
`truncateToEpochEndOffsets`, `truncateOnFetchResponse` `epoch_truncation.py`
`getOffsetTruncationState`                             `truncation_points.py`
`handleOutOfRangeError`, `fetchOffsetAndTruncate`      `out_of_range.py`
`UnifiedLog.truncateTo`                                `log_truncation.py`
what a loop that has ended still receives              `late_responses.py`
=====================================================  =============================================
"""
