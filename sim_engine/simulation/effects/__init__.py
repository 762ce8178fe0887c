"""What an action changes: functions that change a `Turn`, each of them the only way to do so.

The rooms build on each other in the order of the contract in `pyproject.toml`. Nothing here refuses
an action: whoever calls has looked before.
"""
