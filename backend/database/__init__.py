"""The database: transactions, and what is different on SQLite."""
