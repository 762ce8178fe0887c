"""Embeds runs of Highwater in other documents.

`highwater.embed("https://…/s/ID")` shows a run in a notebook. `embedding/` also has the MkDocs
plug-in and the Sphinx extension. It needs only Python's standard library and the host.

`__main__.py` is the program `highwater`, which needs the rest of the project. In the repository its
parts are top-level folders; installed, they are in `highwater/parts/`, so that they do not conflict
with other packages named `backend`.
"""

from highwater.embedding.notebook import Embed, embed

__all__ = ["Embed", "embed"]
