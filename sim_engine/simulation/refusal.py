"""The refusal of a valid action that is not possible now."""

from typing import Literal, Unpack

from sim_engine.events import Event
from sim_engine.events.run import ActionRefused, RefusalCode, RefusalNumbers
from sim_engine.identifiers import Endpoint
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import reason_text


class RefusedError(Exception):
    """An action is not possible in this state, or not supported by this version.

    `code` identifies the reason; `sim_engine.narration` has its text in each language, with
    `numbers` as values. When it is raised, nothing has changed.
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
        """The reason in English."""
        return self._in(DEFAULT_LANGUAGE)

    def said(self) -> dict[str, str]:
        """The reason in every language: a clause without a full stop."""
        return {lang: self._in(lang) for lang in LANGUAGES}

    def _in(self, lang: str) -> str:
        return reason_text(self.code, dict(self.numbers), lang)

    def as_event(self) -> Event:
        """The event of the frame that a refused step creates."""
        return ActionRefused(
            variant=self.code, rule=self.rule, reason=self.reason, given=self.numbers
        )
