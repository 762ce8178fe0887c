"""What `make bench` measures: everything beside a peer, in the same run, as a ratio."""
