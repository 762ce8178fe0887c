"""Runs of Highwater in other people's documents.

`highwater.embed("https://…/s/ID")` shows a run in a notebook. `embedding/` has the MkDocs plug-in
and the Sphinx extension as well; it needs nothing but Python's own library and the host.
"""

from highwater.embedding.notebook import Embed, embed

__all__ = ["Embed", "embed"]
