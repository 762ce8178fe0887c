"""Embeds runs of Highwater in other documents.

`highwater_kafka.embed("https://…/s/ID")` shows a run in a notebook. `embedding/` also has the
MkDocs plug-in and the Sphinx extension. It needs only Python's standard library and the host.

`__main__.py` is the program `highwater`, which needs the rest of the project. In the repository its
parts are top-level folders; installed, they are in `highwater_kafka/parts/`, so that they do not
conflict with other packages named `backend`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highwater_kafka.embedding.notebook import Embed, embed

__all__ = ["Embed", "embed"]


def __getattr__(name: str) -> object:
    """Import what notebooks need only for them: the program starts without it."""
    if name not in __all__:
        raise AttributeError(f"module 'highwater_kafka' has no attribute {name!r}")
    from highwater_kafka.embedding import notebook

    return getattr(notebook, name)
