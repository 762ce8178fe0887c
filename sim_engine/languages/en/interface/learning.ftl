### Texts that several pages about the lessons share.

watch = Watch
watchAgain = Watch again
stepOf = Step { $step } of “{ $title }”
remember = Key point
backToLoss = Back to the loss, step { $step }
nextLesson = Next: { $title }

## A step as a large figure.

broker = Broker { $broker }
roleLeader = leader
roleFollower = follower
roleAsks = will ask first
roleDown = crashed
watermarkFlag = high watermark { $offset }
acked = ✓ acked
cutHere = truncated
asksEnd = where does it end?
answersEnd = at { $offset }
asksForMore = anything for me?
asksFrom = anything from { $offset }?
answersRecords = yes: { $records }
nothingNew = nothing new

## The figure of the simple view in words.

figureInWords = { $label }.
rowInWords = Broker { $broker } ({ $said }): { $log }.
emptyLog = empty
askedInWords = Broker { $follower } asks broker { $leader }: “{ $asked }”
answeredInWords = Broker { $leader } answers: “{ $answered }”

## The end of a lesson as a card.

endLost = { $value } was acknowledged, and it is lost.
endOfStory = the end of the story
backToStage = Back to the stage
showEnd = The whole story on one card
before = Before
after = After
atStep = step { $step }
theRule = The rule
inRelease = In your release
chooseRelease = Kafka release
outcome-lost = An acknowledged record is lost in { $kafka }: { $releases }.
outcome-fails = Another property is violated in { $kafka }: { $releases }.
outcome-holds = Nothing is lost in { $kafka }: all properties hold.
outcome-none = { $kafka } does not have one of the steps.
watchUnder = Watch it under { $kafka }
sendThis = Send this moment
sendWhere = opens at this step
momentBefore = before, { $step }
momentTurn = the turn, { $step }
momentAfter = after, { $step }
copyLink = Copy link
moreForms = Picture, animation, embed
nextTitle = Next lesson
continueNext = Continue
endFigure = The logs at step { $step }. { $said }
logEndFlag = LEO { $offset }
ofEpoch = epoch { $epoch }
inIsr = ISR
inElr = ELR
controllerLeader = Controller: broker { $broker } leads
nobodyLeads = Controller: nobody leads
