"""Makes a pseudo-language: English with accents on all letters, to be told apart."""

from pathlib import Path

from sim_engine import list_shipped
from sim_engine.actions import Ask, Note
from sim_engine.languages import Message, Pattern, Value, read_messages

ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒğĥíĵķļɱñóþǫŕšţúṽŵẋýžÂƁÇĐÉƑĜĤÎĴĶĻṀŃÓÞǪŔŠŢÛṼŴẊÝŽ",
)


def write_pseudo_language(languages: Path, tag: str) -> None:
    """Write the folder of a language beside `en`: its own name and plurals, every text accented."""
    for source in sorted((languages / "en").rglob("*.ftl")):
        path = languages / tag / source.relative_to(languages / "en")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = source.read_text(encoding="utf-8")
        if source.name != "language.ftl":
            messages = read_messages(text, source.name)
            text = "".join(_written(name, message) for name, message in messages.items())
        path.write_text(text, encoding="utf-8")


def write_pseudo_lessons(languages: Path, tag: str) -> None:
    """Write what the folder says of the shipped scenarios: their English, accented."""
    folder = languages / tag / "lessons"
    folder.mkdir()
    for scenario in list_shipped():
        said = {"title": scenario.title, "summary": scenario.summary}
        for place, step in enumerate(scenario.steps):
            if isinstance(step.step, Note | Ask):
                said[f"step-{place}"] = dict(step.step.text)
            if isinstance(step.step, Ask):
                for number, answer in enumerate(step.step.answers):
                    said[f"step-{place}-answer-{number}"] = dict(answer)
        lines = [
            f"{name} = {_quoted(text['en'].translate(ACCENTED))}" for name, text in said.items()
        ]
        (folder / f"{scenario.id}.ftl").write_text("\n".join(lines) + "\n", encoding="utf-8")


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
