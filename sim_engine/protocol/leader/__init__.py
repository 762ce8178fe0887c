"""The behaviour of leaders: they append, serve fetches and maintain the ISR."""
