"""Why an action that is possible in itself cannot happen now."""

from typing import Literal, Unpack

from sim_engine.events import Event
from sim_engine.events.run import ActionRefused, RefusalCode, RefusalNumbers
from sim_engine.identifiers import Endpoint
from sim_engine.narration import reason_text


class RefusedError(Exception):
    """An action that cannot happen in this state, or that this version does not know.

    `code` names the reason; `sim_engine.narration` has its sentence in each language, made of
    `numbers`. Nothing has changed when it is raised.
    """

    def __init__(
        self,
        code: RefusalCode,
        /,
        *,
        rule: str | None = None,
        link: tuple[Endpoint, Endpoint | Literal["brokers", "all"]] | None = None,
        **numbers: Unpack[RefusalNumbers],
    ) -> None:
        if link is not None:
            numbers = {**numbers, "from": link[0], "to": link[1]}
        super().__init__(code, numbers)
        self.code: RefusalCode = code
        self.rule = rule
        self.numbers = numbers

    @property
    def reason(self) -> str:
        """Why, in English."""
        return reason_text(self.code, dict(self.numbers), "en")

    def as_event(self) -> Event:
        """The event of the one frame that a refused step makes."""
        return ActionRefused(
            variant=self.code, rule=self.rule, reason=self.reason, given=self.numbers
        )
