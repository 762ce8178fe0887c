### Texts of every dialog.

close = Close
