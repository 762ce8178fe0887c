### The page of a run.

lessons = Lessons
share = Share
find = Find a failure
embed = Embed
theme = Theme
help = Keyboard shortcuts
step = Step { $step } of { $steps }
start = Start
sameUnder = Now the same under { $kafka } →
stepShort = step { $step } of { $steps }
whatChanged = What changed
allChanges = Show all ({ $count })
changedBroker = broker { $broker }
rule = Rule: { $rule }
before = Earlier in this step
also = Also in this step
behindIt = { $count ->
        [one] { $count } protocol property that explains it
       *[other] { $count } protocol properties that explain it
    }
canHappen = Possible actions
filter = Filter actions
nothingMatches = No matching action.
readOnly = This run is read-only. To change it, fork it.
notYours = This run belongs to someone else. Your actions are performed in your own copy.
forkedFrom = Forked from
fromLink = Opened from a link that contains the run.
linkDiffers = This run is not the one that was shared: the link was made by Highwater { $engine }, and this version plays its steps differently.
fromAuthor = From the author
noteFromAuthor = Note from the author:
forkedFromRun = another run
forkedFromShare = a shared run
fork = Fork to change it
forkShort = Fork
note = Author’s note
otherReleases = Other releases
writtenFor = written for Kafka { $kafka }
question = What do you think?
right = Correct.
wrong = Incorrect. See what happens.
first = Go to the start
back = Step back
play = Play
pause = Pause
next = Next step
last = Go to the end
speed = Speed
timeline = Timeline
branches = Branches
branch = { $step ->
        [0] at the start: { $what }
       *[other] after step { $step }: { $what }
    }
leavesAfter = { $step ->
        [0] different from the start
       *[other] same up to step { $step }
    }
mainBranch = original run
underKafka = under Kafka { $kafka }
stepBefore = step
stepAfter = of { $steps }
clock = t = { $time }
virtualTime = Virtual time
goToStep = Go to step
toNextMark = Next mark
more = More
broker = Broker { $name }
producer = Producer { $name }
consumer = Consumer { $name }
controller = Controller
network = Messages and links
time = Time
nothingToDo = No action is possible now.
menu = Actions
recordSent = Step { $step }: { $value } is sent
recordAcked = Step { $step }: { $value } is acknowledged
recordAtRisk = Step { $step }: { $value } is at risk
recordLost = Step { $step }: { $value } is lost
recordGone = Step { $step }: the last copy of { $value } disappears
showWhereGone = show where { $values } was lost, step { $step }
showRecords = show { $values }
where = Insert into
keyPlay = play or pause
keyStep = one step
keyEnds = start, end
keyMark = previous or next mark
keyBroker = select broker 1–9
keyKill = crash or start the selected broker
keyCut = isolate the selected broker, or restore its links
keyNatural = take the most likely next action; on what is selected: all its actions
keyGoTo = go to a step
keyBranch = next branch
keyUndo = go back and try something else; nothing is deleted
keyProduce = produce
keyProduceForm = produce with your own values
keyCompare = compare with a version or a branch
keyFind = find a failure from here
keyShare = share
keyFilter = filter actions
keySearch = search everything
keyLanguage = language
keyHelp = this list
level = Step size
levelStory = Story
levelMessage = Every message
messageOf = message { $message } of { $messages }
messageOfStep = , message { $message } of { $messages }
messagesOfStep = { $count ->
        [one] { $count } message in this step
       *[other] { $count } messages in this step
    }
veiled = What comes next is hidden until you answer
skip = Skip the question
skipWarning = Press → again to skip the question.
seeWhatHappens = See what happens →
toActions = To the actions
onward = Continue →
leftLesson = { $step ->
        [0] You left the lesson at the start
       *[other] You left the lesson after step { $step }
    }
ownLesson = Your run of this lesson
lessonAtStep = { $step ->
        [0] The lesson from its start
       *[other] The lesson at step { $step }
    }
leftRun = { $step ->
        [0] This branch begins at the start
       *[other] This branch begins after step { $step }
    }
backToRun = Back to the original run
acted = Your action: { $what } · { $count ->
        [one] { $count } message
       *[other] { $count } messages
    }
leaving = Any other action starts a branch. The timeline keeps both branches.
marks = Marks
toNextMarkOf = Go to the next mark: { $mark }
mark-loss = records lost
mark-at_risk = records at risk
mark-surprise = reads that changed
mark-divergence = logs that differ
mark-truncation = truncations
mark-election = elections
mark-isr = ISR changes
mark-fault = faults
mark-acknowledgement = acknowledgements
mark-question = questions
mark-note = notes
allBranches = { $count ->
        [one] { $count } branch
       *[other] all { $count } branches
    }
allVersions = { $count ->
        [one] { $count } other version
       *[other] { $count } other versions
    }
sameSteps = the same steps
branchName = Name of the branch
branchFrames = { $count ->
        [one] { $count } message of its own
       *[other] { $count } messages of its own
    }
rename = Rename
saveName = Save
keyLevel = switch between story and every message
keyOther = step with the other step size
keyTree = all branches
firstViolatedAt = violated, first at step { $step } of { $steps }
violatedUntil = was violated, first at step { $step }; holds since step { $until }
violatedAt = was violated at step { $step }
violatedTitles = Violated: { $titles }.
titleSeparator = .{ " " }
keyDiagram = messages over time, full size
skipTo = Skip to
skipStage = Stage
skipExplanation = Explanation
skipActions = Actions
skipTimeline = Timeline
tabs = Details
tabMessages = Messages
tabWhy = Why
tabAct = Act { $count }
tabQuestion = Question
noReturn = point of no return
lessonShows = Shows claims of
claimOf = Claim { $number } of “{ $title }”
keyPresent = present in full screen; others can follow with a link
simpleShort = Simple
howMuch = How much is shown
showEverything = Everything
showAllParts = Show everything
onlyKnown = Simple view: only what the lessons have explained so far.
everythingShown = Everything is shown.
newWord = new word
lessonOf = lesson { $number } of { $count }
firstLessons = The first lessons
goOn = Continue
goBack = Back
goOnTo = Next: { $title }
leftOutYet = Left out until you meet them: { $terms }.
wholeView = Some parts are left out in the simple view.
keyEverything = everything, or the simple view of a first lesson
simpleFigure = The logs of the brokers

## The fields of messages, by their names in Kafka’s protocol.

messageFields = Fields of the messages
messageOnce = None of these can be duplicated: brokers use TCP, which delivers a message of a connection once and in order. A record is duplicated when its producer sends it again.
messageOnceLesson = Watch a record being duplicated
fate-sent = sent
fate-arrived = arrived
fate-arrived_unseen = arrived
fate-lost = lost
fate-replaced = replaced by a newer message
fate-in_flight = in flight
fieldMs = { $value } ms
fieldError = error
fieldFetchOffset = fetch offset
fieldWhich = requested offset
fieldOffset = offset
fieldRecords = records
fieldHighWatermark = high watermark
fieldAskedEpoch = requested epoch
fieldAnswerEpoch = epoch
fieldDivergingEpoch = diverging epoch
fieldEndOffset = end offset
fieldLeader = leader
fieldLeaderEpoch = leader epoch
fieldLastFetchedEpoch = last fetched epoch
fieldIsr = ISR
fieldPartitionEpoch = partition epoch
fieldBrokerEpoch = broker epoch
fieldControllerEpoch = controller epoch
fieldMetadataOffset = offset in the metadata log
fieldMaxWait = max wait
