"""The code of an embed for hosts that Python builds, and what such a host downloads."""
