"""Pages of the frontend build, and what the service writes into them."""
