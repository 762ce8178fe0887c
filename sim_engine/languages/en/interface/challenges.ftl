### Challenges: make a property fall with few faults.

challenges = Challenges
challengesText = Make Kafka break a promise under fixed settings, with a few faults. Some of them cannot be won: for those, a search has looked at everything that can be done.
best = best known { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
unbeatable = unbeatable: { $states ->
        [one] { $states } state searched
       *[other] all { $states } states searched
    }
unbeatableTitle = Unbeatable
unbeatableText = Under these settings and with these faults nothing breaks it. A search has looked at { $states ->
        [one] { $states } state.
       *[other] all { $states } states.
    }
searchedText = A search has looked at { $states ->
        [one] { $states } state to find it.
       *[other] { $states } states to find it.
    }
faultsLeft = Faults left
token = { $fault }: { $left } of { $allowed } left
turnRed = Make this fall
fallen = You have done it
moves = Moves so far
yourMove = your move
takes = takes 1
movesOf = { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
where = Where you stand
possible = Your moves
none = Nothing is left to do. Undo, or start over.
undo = Undo
redo = Redo
over = Start over
undoText = Undo gives the fault back. Nothing is timed, and a reload goes on from here.
hint = Give me a hint
open = Open as a run
also = also try
between = What stands between { $value } and its loss
copies = copies
onDisk = on disk
mayLead = may lead cleanly
brokersNone = none
won = Won in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }.
bestOne = That is the fewest known.
notBest = The fewest known is { $best }.
kafka = Kafka
