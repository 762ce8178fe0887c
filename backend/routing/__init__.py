"""What routes share: bodies read once, requests that are passed on, compressed responses."""
