"""What a broker or the controller does with a message that arrives: a function for each payload.

`arrival.py` has the table from payload to function. Each takes the `Turn`, the message, which has
left the network, and its payload; the receiver runs.
"""
