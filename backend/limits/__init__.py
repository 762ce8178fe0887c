"""How much one may ask for: one table of every limit, and what happens past it."""
