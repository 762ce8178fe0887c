"""Why an action that is possible in itself cannot happen now."""

from collections.abc import Mapping

from sim_engine.narration import reason_text
from sim_engine.protocol.events import Event, Number


class RefusedError(Exception):
    """An action that cannot happen in this state, or that this version does not know.

    `code` names the reason; `sim_engine.narration` has its sentence in each language, made of
    `numbers`. Nothing has changed when it is raised.
    """

    def __init__(
        self,
        code: str,
        /,
        *,
        rule: str | None = None,
        link: tuple[int | str, int | str] | None = None,
        **numbers: Number,
    ) -> None:
        if link is not None:
            numbers = {**numbers, "from": link[0], "to": link[1]}
        super().__init__(code, numbers)
        self.code = code
        self.rule = rule
        self.numbers: Mapping[str, Number] = numbers

    @property
    def reason(self) -> str:
        """Why, in English."""
        return reason_text(self.code, dict(self.numbers), "en")

    def as_event(self) -> Event:
        """The event of the one frame that a refused step makes."""
        return Event(
            kind="ActionRefused",
            variant=self.code,
            numbers={
                **self.numbers,
                "reason": self.reason,
                "reason_code": self.code,
                "rule": self.rule,
            },
            rule=self.rule,
        )
