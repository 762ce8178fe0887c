"""Functions from DataFrames to a DataFrame. None of them reads or writes storage or
collects rows.
"""
