"""The commands of `highwater` that need the service.

`backend.cli` reads their options and imports what a command needs when it is given.
"""
