"""What a follower does: it looks up epochs, truncates, fetches and appends."""
