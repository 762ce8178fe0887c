### Texts that several dialogs and pages share.

close = Close
onlyHere = This site runs on your own computer, so nobody else can open its addresses.
