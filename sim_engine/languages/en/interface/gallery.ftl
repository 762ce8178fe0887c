### The gallery of shared runs.

gallery = Gallery
about = Shared runs whose authors allowed them to be listed, newest first. They do not show how often Kafka loses records.
none = No run has been listed yet. Open a run, choose Share, and allow its link to be listed.
lost = { $count ->
    [1] 1 acknowledged record lost
   *[other] { $count } acknowledged records lost
}
kept = no acknowledged record lost
nothing = no record acknowledged
more = Show more
failed = The gallery cannot be loaded.
again = Try again
