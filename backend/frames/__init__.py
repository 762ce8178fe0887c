"""Frame documents as they are sent, stored and put into words."""
