"""The lists of FIDELITY.md: what is modelled exactly, simplified and left out.

A language without a translation has the rows in English, and the titles of their sections.
"""

import re

from backend.documentation.contents import FOLDER
from backend.documentation.generated.subject import Subject
from sim_engine import DEFAULT_LANGUAGE, fidelity, fidelity_path, say_message

ENGINE = FOLDER.parent / "sim_engine"
_TITLE = re.compile(r"^## .+$", re.MULTILINE)
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_LINK = re.compile(r"\]\((?!\w+:|#|/)([^)]+)\)")


def fidelity_lists(_subject: Subject, lang: str) -> str:
    """The lists of the file as Markdown, without its title and introduction."""
    file = ENGINE / (fidelity_path(lang) or fidelity_path(DEFAULT_LANGUAGE) or "")
    text = file.read_text(encoding="utf-8")
    lists = _COMMENT.sub("", text[text.index("\n## ") :])
    # Links in the file are relative to its own folder. A translated page is one folder deeper.
    up = "../.." if lang == DEFAULT_LANGUAGE else "../../.."
    if fidelity_path(lang) is None:
        names = iter(section.name for section in fidelity())
        lists = _TITLE.sub(
            lambda _title: f"## {say_message(lang, 'interface/fidelity', next(names))}", lists
        )
    folder = file.parent.relative_to(ENGINE.parent).as_posix()
    return _LINK.sub(lambda link: f"]({up}/{folder}/{link[1]})", lists)
