"""Shipped lessons as they are read: documents that are made once for each lesson and release."""
