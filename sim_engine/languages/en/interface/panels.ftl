### What stands in place of a panel that could not be drawn.

stage = stage
properties = properties
logs = logs of the replicas
controller = controller
clients = clients
table = table of the replicas
why = explanation of this step
choices = list of actions
timeline = timeline
comparison = comparison
dialog = dialog
player = player
page = page
failed = The { $panel } could not be drawn
advice = This is a fault of Highwater, not of the cluster shown. Everything else on the page still works.
again = Try again
close = Close
detail = What went wrong
