"""The known ways in which acknowledged records are lost, played on a partition of the reader's.

Every statement is the result of a run. A way applies to a partition if its film loses an
acknowledged record there, under the release and settings of the partition; what closes it is what
keeps every record in the same film; its releases are those in which it loses.
"""
