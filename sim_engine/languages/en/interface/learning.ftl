### Texts that several pages about the lessons share.

watch = Watch
watchAgain = Watch again
stepOf = Step { $step } of “{ $title }”
remember = Key point
backToLoss = Back to the loss, step { $step }
nextLesson = Next: { $title }
