### The front page: search, paths and filters of lessons.

search = Search the lessons
searchHint = “truncate”, “KIP-279”, “ISR shrinks”…
startHere = Start here
startText = { $lessons } lessons, { $minutes } minutes, from one record to a lost one
doneOf = { $done } of { $lessons } done
done = done
resume = resume
minutes = { $minutes } min
lost = an acknowledged record is lost
fails = another property is violated
holds = all hold
byVersion = Outcome by version
byArticle = By article
byArticleText = what they say, and what Kafka does
wentWrong = By what went wrong
wrong-lost = A record is lost
wrong-lost-text = KIP-101, unclean elections, power loss
wrong-diverged = Logs diverge
wrong-diverged-text = the same offset, two records
wrong-leaderless = A partition has no leader
wrong-leaderless-text = no ISR member is alive, unclean election is off
wrong-went_back = A consumer’s data changed
wrong-went_back-text = the records it read have changed
wrong-shrank = The ISR shrank
wrong-shrank-text = lag, pauses, crashes
byKip = By KIP and version
byKipText = what each release changed
allLessons = { $count ->
        [one] The only lesson
       *[other] All { $count } lessons
    }
changedIn = Different outcome from { $kafka }
kip-KIP-101 = leader epochs
kip-KIP-279 = truncation to the common epoch
kip-KIP-320 = fencing
kip-KIP-497 = AlterPartition
kip-KIP-841 = KRaft
kip-KAFKA-15021 = which replicas the HW waits for
kip-KIP-966 = eligible leader replicas
lessonCount = { $count ->
        [one] { $count } lesson
       *[other] { $count } lessons
    }
back = Back to the paths
leftOut = Not modelled: { $title }
noneFound = No lesson contains all of these words.
foundWords = “{ $words }”
foundKip = About { $kip }
foundVersion = Different outcome from { $kafka }
foundArticle = Lessons about an article
foundAll = All lessons
foundAt = Step { $step }: { $told }
