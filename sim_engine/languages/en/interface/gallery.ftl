### The gallery of shared runs.

gallery = Gallery
about = Runs that people shared and let be listed here, newest first. They are shown as their authors made them, and are no measure of how often Kafka loses records.
none = No run has been listed yet. Open a run, choose Share, and allow its link to be listed.
lost = { $count ->
    [1] 1 acknowledged record lost
   *[other] { $count } acknowledged records lost
}
kept = no acknowledged record lost
nothing = no record acknowledged
more = Show more
failed = The gallery cannot be read.
again = Try again
