"""What a broker or the controller does with a message that arrives."""
