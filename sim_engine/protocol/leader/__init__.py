"""What a partition's leader does: it appends, serves fetches, keeps the ISR."""
