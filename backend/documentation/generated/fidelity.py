"""The lists of FIDELITY.md: what is modelled exactly, simplified and left out.

The rows exist only in English, their sections' titles in every language.
"""

import re

from backend.documentation.contents import FOLDER
from backend.documentation.generated.subject import Subject
from sim_engine import DEFAULT_LANGUAGE, fidelity, say_message

FILE = FOLDER.parent / "sim_engine" / "FIDELITY.md"
_TITLE = re.compile(r"^## .+$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:|#|/)([^)]+)\)")


def fidelity_lists(_subject: Subject, lang: str) -> str:
    """The lists of the file as Markdown, without its title and introduction."""
    text = FILE.read_text(encoding="utf-8")
    lists = text[text.index("\n## ") :]
    # Links in the file are relative to its own folder. A translation is one folder deeper.
    up = "../.."
    if lang != DEFAULT_LANGUAGE:
        up = "../../.."
        names = iter(section.name for section in fidelity())
        lists = _TITLE.sub(
            lambda _title: f"## {say_message(lang, 'interface/fidelity', next(names))}", lists
        )
    return _LINK.sub(lambda link: f"]({up}/sim_engine/{link[1]})", lists)
