"""The page of a live cluster that `highwater connect --watch --open` reads."""
