### The embed's player.

first = To the start
back = One step back
play = Play
pause = Pause
next = One step on
last = To the end
step = Step
open = Open
openTitle = Open this step in Highwater
removed = This run was taken back
removedAdvice = Whoever shared it deleted it. The page around it may say what it showed.
unavailable = This run cannot be shown now
unavailableAdvice = The link may be cut off, or the service is away. Load the page again in a moment.
