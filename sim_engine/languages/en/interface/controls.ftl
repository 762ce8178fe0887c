### What stands on every dialog.

close = Close
