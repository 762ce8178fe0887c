"""What is modelled as Kafka does it, what is simpler and what is left out: FIDELITY.md."""

import re

from backend.documentation.contents import FOLDER
from backend.documentation.generated.subject import Subject

FILE = FOLDER.parent / "sim_engine" / "FIDELITY.md"


def fidelity_lists(_subject: Subject, _lang: str) -> str:
    """The lists of the file, without its title and what stands before them."""
    text = FILE.read_text(encoding="utf-8")
    lists = text[text.index("\n## ") :]
    # Its links are written from where it is.
    return re.sub(r"\]\((?!\w+:|#|/)([^)]+)\)", _from_here, lists)


def _from_here(link: re.Match[str]) -> str:
    return f"](../../sim_engine/{link[1]})"
