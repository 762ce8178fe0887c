### The front page: the story, paths and filters of lessons.

searchHint = Search: “split brain”, “KIP-279”, “NotEnoughReplicas”…
startHere = Start here
startText = { $lessons } lessons, { $minutes } minutes, from one record to a lost one
doneOf = { $done } of { $lessons } done
done = done
lessonPlan = Lesson plan to print, with the answers
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
foundKip = About { $kip }
foundVersion = Different outcome from { $kafka }
foundArticle = Lessons about an article
foundAll = All lessons

## The story that plays: one lesson under two releases.

heroTitle = m2 was acknowledged.
heroTitleThen = One release loses it, the next keeps it.
heroText = Highwater plays Kafka’s replication protocol in every release, one message at a time. Break it, and send what you saw.
storySame = The same steps in both, with clean elections only
storyPlays = plays once, { $seconds } s
storyStands = step { $step } of { $steps }
storyPlay = Play the story
storyPause = Pause the story
storyBack = Step back
storyNext = Next step
storyAgain = Play the story again
storySteps = Steps of the story
storyFigure = The logs of two brokers under Kafka { $kafka }. { $said }
storyParts = they part here
openLesson = Open this lesson
sendMoment = Send this moment
momentCopied = Link copied
momentToCopy = Copy this link:
chipAcked = ✓ { $value } acknowledged
chipCut = ✂ { $value } truncated on broker { $broker }
chipAtRisk = ◐ { $value } is at risk
chipLost = ✕ { $value } is lost
chipKept = ✓ { $value } is kept
storyWhy = Why: up to { $lost }, a follower truncates its log to its own high watermark, which lags. From { $kept }, it first asks the leader where its log ends.
newWord = new
stop-copied = m1 copied
stop-written = m2 copied
stop-acknowledged = ✓ m2 acked
stop-restarted = 1 restarts
stop-told = 1 follows
stop-elected = 2 crashes
stop-returned = 2 returns
stop-end = end
said-copied = Broker 2 is the leader. Broker 1 copies each record.
said-written = The producer writes m2. Broker 1 copies it.
said-acknowledged = Both have m2, so it is acknowledged. Broker 1’s high watermark lags: 1, not 2.
said-restarted = Broker 1 crashes, and is back.
said-told = Broker 1 truncates its log to its own high watermark, 1. m2 is gone there.
said-told-kept = Broker 1 keeps m2: first, it must ask the leader where its log ends.
said-elected = Broker 2 crashes. Broker 1 leads, without m2.
said-elected-kept = Broker 2 crashes. Broker 1 leads, with m2.
said-returned = Broker 2 comes back, with m2.
said-end = Broker 2 comes back with m2, but broker 1 leads: m2 is dropped. It was acknowledged, and no broker has it.
said-end-kept = Broker 2 comes back, and asks broker 1 where its log ends: at 2. Both have m2.
term-record = record
term-record-text = m1, m2: what a producer writes
term-record-said = record
term-leader = leader
term-leader-text = takes every write; the other broker copies its log
term-leader-said = leader
term-acknowledged = ✓ acknowledged
term-acknowledged-text = the producer was told: it is stored
term-acknowledged-said = acknowledged
term-watermark = high watermark
term-watermark-text = what lies left of it is known to be on every in-sync broker
term-watermark-said = high watermark
term-truncate = truncate
term-truncate-text = to remove records at the end of a log
term-truncate-said = truncates
