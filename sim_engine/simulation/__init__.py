"""What happens to a cluster: actions, faults, time, macros, and the tree of frames they make."""
