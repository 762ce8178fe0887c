"""What was pasted, without the values of secrets: a text that may be kept.

The lines stay where they are. A setting whose name may be that of a secret has `…` as its value; an
import drops those values anyway (`ParsedState.set_configs`), so it reads both texts alike.
"""

import re
from collections.abc import Iterator

from sim_engine.cluster_import.parsed_state import is_secret

_HIDDEN = "…"
_NAME = re.compile(r"""(?P<name>[A-Za-z][\w.\-]*)["']?\s*[=:]\s*""")
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"?|\'[^\']*\'?""")
_JAAS = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|[^";])*;?""")
_PLAIN = re.compile(r".*?(?=,\s*[\w.\-]+\s*[=:]|\s+[\w.\-]+\s*[=:]|[}\]]|\s*\\?$)")
_NAMED = re.compile(r"""["']?\bname["']?\s*[=:]\s*["']?(?P<name>[\w.\-]+)""")
_VALUE = re.compile(r"""(?P<head>["']?\bvalue["']?\s*[=:]\s*)(?P<value>"(?:[^"\\]|\\.)*"?|.*)""")
_PAYLOAD = re.compile(r"(?P<head>\bpayload:\s*)(?P<value>.*)")
_PEM_START, _PEM_END = "-----BEGIN ", "-----END "


def without_secrets(text: str) -> str:
    """The same lines without the values of secrets."""
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    continues = in_pem = named = False
    for line in lines:
        hidden = _without(line, value_of_secret=named)
        if in_pem or continues:
            hidden = _HIDDEN if line.strip() else line
        names = _NAMED.search(line)
        named = names is not None and is_secret(names["name"])
        if _PEM_START in line:
            in_pem = True
            hidden = line[: line.index(_PEM_START)] + _HIDDEN
        if _PEM_END in line:
            in_pem = False
        continues = hidden != line and line.rstrip().endswith("\\")
        yield hidden


def _without(line: str, *, value_of_secret: bool) -> str:
    """One line; its field `value` is that of a secret if the line before names one."""
    kept: list[str] = []
    at = 0
    while (found := _NAME.search(line, at)) is not None:
        kept.append(line[at : found.end()])
        at = found.end()
        if is_secret(found["name"]):
            value = _value_at(line, at, found["name"])
            kept.append(_HIDDEN if value > at else "")
            at = value
    shown = "".join([*kept, line[at:]])
    names = _NAMED.search(shown)
    if value_of_secret or (names is not None and is_secret(names["name"])):
        shown = _VALUE.sub(rf"\g<head>{_HIDDEN}", shown)
    payload = _PAYLOAD.search(shown)
    if payload is not None and is_secret(payload["value"]):
        shown = shown[: payload.start("value")] + _HIDDEN
    return shown


def _value_at(line: str, at: int, name: str) -> int:
    """Where the value that begins here ends."""
    form = _JAAS if "jaas" in name.lower() else _PLAIN
    found = (_QUOTED if line[at : at + 1] in ('"', "'") else form).match(line, at)
    return at if found is None else found.end()
