### Shown in place of a panel that could not be drawn.

stage = stage
properties = properties
logs = replica logs
controller = controller
clients = clients
table = replica table
why = explanation of this step
choices = list of actions
timeline = timeline
comparison = comparison
dialog = dialog
player = player
page = page
failed = Cannot show the { $panel }
advice = This is a bug in Highwater, not a fault in the simulated cluster. The rest of the page still works.
again = Try again
close = Close
detail = Details
messages = messages over time
