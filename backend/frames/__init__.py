"""Frame documents: how they are sent, stored and described in words."""
