### The gallery of shared runs.

gallery = Gallery
about = Shared runs whose authors allowed them to be listed, newest first. They do not show how often Kafka loses records.
none = No run has been listed yet. To list one:
noService = This is a copy of the site without a service, so nobody can list a run here.
openLesson = Open a lesson
buildOwn = Build your own run
choose = On its page, choose Share.
allow = Open “Title, note, branches and gallery”, allow the gallery to list the run, and create the link.
own = From the project: findings and well-known failures
ownAbout = Lessons, each with a run that you can step through. They are not shared runs.
found = Finding, recorded on real clusters
known = Well-known failure
readFinding = Read the finding
lost = { $count ->
    [1] 1 acknowledged record lost
   *[other] { $count } acknowledged records lost
}
kept = no acknowledged record lost
nothing = no record acknowledged
more = Show more
failed = The gallery cannot be loaded.
again = Try again
