"""Everything that the site's search finds, collected from the engine's catalogues and from the
documentation, and the request that searches it."""
