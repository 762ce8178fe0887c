"""What a pasted cluster can lose: computed in a process of its own, stored only if it is shared."""
