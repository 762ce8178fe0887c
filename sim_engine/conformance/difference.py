"""One value that a recording has, beside the engine's; and one in which the two differ."""

from typing import Literal

from msgspec import Struct, to_builtins

from sim_engine.events import EventNumber

Standing = Literal["equal", "differs", "not_held"]
"""What depends on when a cluster was read is not held."""


class Compared(Struct, frozen=True, gc=False, kw_only=True):
    """One value that was read on the real cluster. `where` is its place below the step."""

    where: str
    recorded: object
    engine: object
    standing: Standing


class Difference(Struct, frozen=True, kw_only=True):
    """One value that differs, as JSON. `where` is its place below the step."""

    step: int
    where: str
    expected: EventNumber
    got: EventNumber

    def __str__(self) -> str:
        return (
            f"step {self.step}, {self.where}: recorded {self.expected!r}, the engine has "
            f"{self.got!r}"
        )


def compared(where: str, recorded: object, engine: object, *, held: bool = True) -> Compared:
    """Two values beside each other."""
    standing: Standing = "not_held"
    if held:
        standing = "equal" if recorded == engine else "differs"
    return Compared(where=where, recorded=recorded, engine=engine, standing=standing)


def difference(step: int, one: Compared) -> Difference:
    """Two values that differ, as JSON."""
    return Difference(
        step=step,
        where=one.where,
        expected=to_builtins(one.recorded),
        got=to_builtins(one.engine),
    )
