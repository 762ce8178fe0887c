"""`highwater render`: a run as a file, without a service or a database."""

import re
from pathlib import Path

from backend.runs.files import RunFiles, ending_of
from sim_engine.command_line import HOLDS
from sim_engine.command_line.run import find_scenario, play
from sim_engine.error_texts import WrongInputError

_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})", re.ASCII)


def render(
    scenario: str,
    *,
    kafka: str | None,
    step: int | None,
    steps: str | None,
    lang: str,
    theme: str | None,
    width: int | None,
    output: Path,
) -> int:
    """Write a run to a file, whose name states the kind, and return the exit status. Raises
    `WrongInputError`, also if the file cannot be written.
    """
    ending = ending_of(str(output))
    between = None if steps is None else _between(steps)
    timeline = play(find_scenario(scenario), kafka, None, name=scenario)
    files = RunFiles(timeline)
    content = files.file(ending, step=step, steps=between, lang=lang, theme=theme, width=width)
    try:
        output.write_bytes(content)
    except OSError as error:  # which names no file if the disk is full
        raise WrongInputError(f"{output}: {error.strerror}") from None
    return HOLDS


def _between(text: str) -> tuple[int, int]:
    found = _RANGE.fullmatch(text)
    if found is None or int(found[1]) > int(found[2]):
        raise WrongInputError("--range must be two steps, the first not larger: 3-12")
    return int(found[1]), int(found[2])
