### The pages around a run.

skip = Skip to the content
site = Site
home = Highwater, home
lessons = Lessons
build = Build your own
insights = What runs show
toDark = Dark theme
toLight = Light theme
toSystem = Theme of the system
loading = Loading
loadingRun = Loading the run: { $read } of { $total ->
        [one] { $total } step
       *[other] { $total } steps
    }…
heroTitle = The producer was told m2 was safe. Watch it vanish.
heroText = Highwater runs Kafka’s replication protocol, version by version, one message at a time. Step through a failure, change one thing, send the moment to somebody.
play = Play this failure
firstLesson = Start from lesson 1
fate = { $value } ✓ acknowledged · then lost
broker = Broker { $broker }
heroStep = Step { $step } of { $steps }.
heroFigure = Two replicas at the step where an acknowledged record is lost
lessonsText = { $count } in order, from what a high watermark is to what destroys the last good copy.
basics = How replication works
basicsText = High watermarks, the ISR, acks, elections, and what is left after a stop.
truncation = What followers cut, and how it was put right
truncationText = From truncation to the high watermark, through leader epochs, to truncation on fetch: each flaw beside the release that repaired it.
failures = When too much fails, and what clients see
failuresText = Unclean elections, power losses, eligible leader replicas, consumers and transactions.
lessonLoss = a record is lost
lessonDiffer = logs disagree
lessonSteps = { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
showsText = Every shared run is counted: which versions and settings lose acknowledged records, how often, and what stood behind it.
showsLink = See what runs show
buildText = Paste a scenario of your own: brokers, topics, starting logs, steps. It runs under any version from 0.8.2 on.
buildLink = Build your own
newTitle = Start from a scenario
newText = A scenario is a YAML or JSON file: a cluster, a Kafka version, and the steps that happen to it. Mistakes are shown at their line.
newLabel = Scenario (YAML or JSON)
newFrom = Begin with
newBlank = a small cluster
newRun = Run it
newRunning = Starting
newFile = Open a file
newProblems = { $count ->
        [one] { $count } mistake
       *[other] { $count } mistakes
    } to correct
atLine = line { $line }, column { $column }
wholeDocument = the whole document
notFoundTitle = There is nothing at this address
notFoundText = The link may be cut off, or mistyped. Every lesson is still where it was.
expiredTitle = This run is no longer kept
expiredText = Runs nobody returns to are let go after a while. Shared links are kept: share a run to keep it.
goneTitle = This share was deleted
goneText = Whoever shared the run took it back. It cannot be restored.
outdatedTitle = This run belongs to an earlier version of Highwater
outdatedText = This version simulates its steps differently, so it cannot show the run. Start the lesson again. Shared links still work.
offlineTitle = The service cannot be reached
offlineText = Nothing is lost: every step that was done is stored. Try again when the connection is back.
busyTitle = Too many requests at once
busyText = Wait a minute, then try again.
failedTitle = The service could not answer
failedText = Try again in a moment. Nothing is lost: every completed step is stored.
failedCode = Error code: { $code }
again = Try again
toLessons = To the lessons
toFailure = Play a failure
