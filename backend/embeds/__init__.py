"""What other sites frame: one page, one script, no cookies and no storage."""
