"""One value that differs between a recording and the engine."""

from msgspec import Struct, to_builtins

from sim_engine.events import EventNumber


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


def difference(step: int, where: str, expected: object, got: object) -> Difference:
    """A difference of two values that are written as JSON."""
    return Difference(step=step, where=where, expected=to_builtins(expected), got=to_builtins(got))
