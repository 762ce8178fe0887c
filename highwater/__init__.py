"""Runs of Highwater in other people's documents.

`highwater.embed("https://…/s/ID")` shows a run in a notebook. `embedding/` has the MkDocs plug-in
and the Sphinx extension as well; it needs nothing but Python's own library and the host.

`__main__.py` is the program `highwater`, which needs the rest of the project. In the repository its
parts stand side by side; installed, they stand in `highwater/parts/`, so that nobody else's
`backend` and ours are in one place.
"""

from highwater.embedding.notebook import Embed, embed

__all__ = ["Embed", "embed"]
