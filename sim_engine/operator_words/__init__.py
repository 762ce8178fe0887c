"""What an operator sees: the metrics that a cluster of a release reports in a state, and the log
lines that its brokers, its controller and its clients print at an event.

The catalogues (`metrics.py`, `log_lines.py`) are facts about Kafka's output, each with the releases
in which it exists and the class that prints it. `metrics.py` also computes a metric from a state
by Kafka's own rule, `spoken.py` the values of a log line from an event. What an operator needs to
know about each is in `languages/*/operator_words.ftl`. `documents/operator_words.py` combines them
for a frame.
"""
