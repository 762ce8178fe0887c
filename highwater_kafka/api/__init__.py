"""Runs, comparisons, searches and assessments for notebooks and programs, without a service.

Importing this package finds the engine, which its modules import.
"""

from highwater_kafka.parts_path import find_parts

find_parts()
