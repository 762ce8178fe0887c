### The pages around a run.

skip = Skip to content
site = Site
home = Highwater, home
menu = Menu
docs = Docs
aboutLimits = All limits of this service
lessons = Lessons
build = Build your own
insights = Statistics
toDark = Dark theme
toLight = Light theme
toSystem = Use system theme
loading = Loading
loadingRun = Loading the run: { $read } of { $total ->
        [one] { $total } step
       *[other] { $total } steps
    }…
basics = How replication works
truncation = Log truncation, and how it was fixed
failures = When too much fails, and what clients see
newTitle = Start from a scenario
newLabel = Scenario (YAML or JSON)
newBlank = a small cluster
newRun = Run it
newRunning = Starting
newFile = Open a file
atLine = line { $line }, column { $column }
moreProblems = … and { $count } more
notFoundTitle = Page not found
notFoundText = The link may be incomplete or mistyped.
expiredTitle = This run has expired
expiredText = A run is deleted if it is not opened for 30 days. Shared runs are kept: share a run to keep it.
expiredLesson = A run is deleted if it is not opened for 30 days. It began in a lesson, which is still there.
toLesson = { $step ->
        [0] Open the lesson
       *[other] Open the lesson at step { $step }
    }
goneTitle = This share was deleted
goneText = The author deleted this run. It cannot be restored.
outdatedTitle = This run belongs to an earlier version of Highwater
outdatedText = This version simulates its steps differently, so it cannot show the run. Start the lesson again. Shared links still work.
damagedTitle = This share is damaged
damagedText = The stored data differs from what was shared, so it is not shown. Please inform the operator of this site.
takenDownTitle = This share was taken down
takenDownText = The operator of this site took it down{ $reason ->
        [privacy] , because it contains personal data
        [abuse] , because it is abusive
        [spam] , because it is spam
        [legal] , because the law requires it
       *[other] { "" }
    }.
unavailableTitle = The service is not available
unavailableText = The database is not responding at the moment. Nothing is lost: every completed step is stored. Try again in a moment.
offlineTitle = The service cannot be reached
offlineText = Every step that you took is stored. Try again when the connection is restored.
busyTitle = Too many requests
busyText = Wait a minute, then try again.
noServiceTitle = This needs a service
noServiceText = This is a copy of the site without a service, which has no shared runs, no runs of your own and no presentations. Lessons, articles, challenges, the glossary and the documentation can be read here.
linkDamagedTitle = This link is incomplete
linkDamagedText = The link should contain a complete run, but a part of it is missing or was changed. Copy it again, including everything after the #, or ask the sender for a stored link.
linkNewerTitle = This link is newer than this site
linkNewerText = The link was created by a newer version of Highwater than this site runs. Open it on the site where it was created, or ask the operator of this site to upgrade.
failedTitle = The service returned an error
failedText = Try again in a moment. Nothing is lost: every completed step is stored.
failedCode = Error code: { $code }
again = Try again
toLessons = Go to the lessons
toFailure = Play a failure
