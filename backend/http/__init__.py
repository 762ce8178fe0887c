"""What every request and answer has in common, whichever feature it is for."""
