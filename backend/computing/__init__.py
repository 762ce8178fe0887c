"""Long runs are computed in a process of their own, so that nobody else waits for them."""
