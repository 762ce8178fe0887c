### The glossary, and the legend of what is drawn.

glossary = Glossary
glossaryAbout = The terms of Kafka’s replication, each in a sentence or two, with a figure.
knownLosses = Known ways to lose records
filterTerms = Filter terms
shownIn = Lesson:
noTerm = No matching term.
legend = Symbols
allTerms = All terms
figure-leader = leader
figure-preferred = preferred leader
figure-high-watermark = high watermark
figure-LEO = log end offset
figure-committed = committed record
figure-record = record that is not committed yet
figure-divergence = record that differs from the leader’s
figure-truncation = record that has just been truncated
figure-belief = what the leader knows of a follower’s log end
figure-flush = on disk up to here
figure-page-cache = only in the page cache
figure-log-start-offset = start of the log
figure-epoch-vector = leader epoch and where it starts
figure-LSO = last stable offset
figure-open-transaction = records of an open transaction
figure-aborted-transaction = records of an aborted transaction
figure-down = broker that is down
