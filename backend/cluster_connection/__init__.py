"""Reads a live cluster, for `highwater connect`. Nothing is written to it: every request that is
sent only describes. The service never imports this room.
"""
