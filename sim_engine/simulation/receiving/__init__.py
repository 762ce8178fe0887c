"""The handling of arriving messages by brokers and the controller: one function for each payload.

`arrival.py` has the table from payload to function. Each takes the part of the `WorkingCopy` that
it may change (`working_copy.py`), the message, which has left the network, and its payload; the
receiver runs.
"""
