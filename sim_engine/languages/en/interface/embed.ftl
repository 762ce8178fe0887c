### The embed's player.

first = Go to the start
back = Previous step
play = Play
pause = Pause
next = Next step
last = Go to the end
step = Step
start = Start
stepOf = Step { $step } of { $steps }
stepCalled = Step { $step } of { $steps }: { $title }
messageOf = message { $message } of { $messages }
nextStep = next: { $title }
backMessage = Previous message
nextMessage = Next message
everyMessage = Every message
open = Open
openTitle = Open this step in Highwater
removed = This run was deleted
removedAdvice = Its author deleted it. The surrounding page may describe what it showed.
unavailable = This run cannot be shown right now
unavailableAdvice = The link may be incomplete, or the service is unavailable. Reload the page in a moment.
otherRelease = This copy of the site embeds a lesson only under its own release
otherReleaseAdvice = Open the lesson to see it under another release.
partUnavailable = This part of the run cannot be loaded right now. Try the step again in a moment.
