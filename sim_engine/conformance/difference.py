"""A recorded value with the engine's value, and a difference between the two."""

from typing import Literal

from msgspec import Struct, to_builtins

from sim_engine.events import EventNumber

Standing = Literal["equal", "differs", "not_held"]
"""`not_held`: the value depends on when the cluster was read, so it is not compared."""


class Compared(Struct, frozen=True, gc=False, kw_only=True):
    """One value that was read on the real cluster. `where` is its path within the step."""

    where: str
    recorded: object
    engine: object
    standing: Standing


class Difference(Struct, frozen=True, kw_only=True):
    """One difference, with both values as JSON. `where` is its path within the step."""

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
    """A recorded value with the engine's value, and whether they are equal, different or not
    compared.
    """
    standing: Standing = "not_held"
    if held:
        standing = "equal" if recorded == engine else "differs"
    return Compared(where=where, recorded=recorded, engine=engine, standing=standing)


def difference(step: int, one: Compared) -> Difference:
    """A `Difference` between the two values at a place, as JSON."""
    return Difference(
        step=step,
        where=one.where,
        expected=to_builtins(one.recorded),
        got=to_builtins(one.engine),
    )
