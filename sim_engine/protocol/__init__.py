"""What brokers, the controller and clients do: pure functions of (state, input).

Nothing here knows time, delivery or chance: whoever calls passes `now_ms` and decides what becomes
of the messages that a transition returns.
"""
