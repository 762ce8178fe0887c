"""Creates a pseudo-language: English with accents on all letters, to be recognizable."""

from pathlib import Path

from sim_engine.language_template import language_template
from sim_engine.languages.fluent import Message, Pattern, Value, read_messages

ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğĥíĵķļɱñóþǫŕšţúṽŵẋýžÂƁÇĐÉƑĜĤÎĴĶĻṀŃÓÞǪŔŠŢÛṼŴẊÝŽ",
)


def write_pseudo_language(languages: Path, tag: str) -> None:
    """Write the folder of a language next to `en`, with its name, plurals and accented texts."""
    for name, text in language_template().items():
        path = languages / tag / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name != "language.ftl":
            messages = read_messages(text, name)
            text = "".join(_written(*message) for message in messages.items())
        path.write_text(text, encoding="utf-8")


def _written(name: str, message: Message) -> str:
    lines = [f"{name} ={_line(message.text) if message.text is not None else ''}"]
    lines += [f"    .{key} ={_line(pattern)}" for key, pattern in message.attributes.items()]
    return "\n".join(lines) + "\n"


def _line(pattern: Pattern) -> str:
    return f" {_pattern(pattern)}"


def _pattern(pattern: Pattern) -> str:
    if not pattern:
        return '{ "" }'
    return "".join(
        _quoted(part.translate(ACCENTED))
        if isinstance(part, str)
        else f"{{ ${part.value} }}"
        if isinstance(part, Value)
        else _selection(part.select, part.variants, part.default)
        for part in pattern
    )


def _selection(name: str, variants: dict[str, Pattern], default: str) -> str:
    lines = [
        f"    {'*' if key == default else ' '}[{key}] {_pattern(variant)}\n"
        for key, variant in variants.items()
    ]
    return f"{{ ${name} ->\n{''.join(lines)}    }}"


def _quoted(text: str) -> str:
    written = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\u000A")
    return f'{{ "{written}" }}'
