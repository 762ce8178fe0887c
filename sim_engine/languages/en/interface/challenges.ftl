### Challenges: violate a property with few faults.

challenges = Challenges
challengesText = Make Kafka violate a guarantee under fixed settings, with a few faults. Some of them have no solution. What a search has found is shown after you have solved one, run out of moves or given up.
solvedIn = solved in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
best = best known { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
unbeatable = no solution: { $states ->
        [one] { $states } state searched
       *[other] all { $states } states searched
    }
unbeatableTitle = No solution
unbeatableText = With these moves, settings and faults, the property cannot be violated. A search has examined { $states ->
        [one] { $states } state.
       *[other] all { $states } states.
    }
faultsLeft = Faults left
notAllowed = none
token = { $fault }: { $left } of { $allowed } left
turnRed = Violate this property
fallen = Violated
moves = Moves so far
yourMove = your move
takes = uses 1
movesOf = { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }
where = Progress
possible = Your moves
none = No move is possible. Undo, or start over.
undo = Undo
redo = Redo
over = Start over
undoText = Undo also returns the fault. There is no time limit, and your progress survives a reload.
othersNotScored = { $count ->
        [one] { $count } other property is not scored
       *[other] { $count } other properties are not scored
    }
earlier = { $move ->
        [0] You are looking at the time before your first move.
       *[other] You are looking back at move { $move }.
    }
toLast = Back to the result of your last move
hint = Give me a hint
nextHint = Give me hint { $number } of { $hints }
giveUp = Give up and show the result
showSolution = Show the fewest moves
solution = The fewest moves, found by a search
playSolution = Play them from the start
playNext = Play the next one
wonBySearch = These are the moves of the search. They do not count as yours.
sent = { $property ->
        [AckedRecordAtRisk] I put { $value } at risk
        [LogMatching] I made two logs differ
       *[NoAckedRecordLost] I lost { $value }
    } in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }{ $better ->
        [0] . Can you?
       *[other] ; can you in { $better }?
    }
yourResult = Your result, to send
copyResult = Copy the result
open = Open as a run
share = Share my try
also = also try
between = What still protects { $value }
copies = copies
onDisk = on disk
mayLead = can be elected cleanly
brokersNone = none
won = Solved in { $moves ->
        [one] { $moves } move
       *[other] { $moves } moves
    }.
bestOne = That is the fewest known.
notBest = The fewest known is { $best }.
kafka = Kafka
