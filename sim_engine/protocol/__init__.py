"""The behaviour of brokers, the controller and clients: pure functions of state and input.

No function reads a clock, delivers a message or draws a random number: the caller passes `now_ms`
and delivers the messages that a transition returns.
"""
