### Texts that several pages about the lessons share.

everyVersion = in every version
noVersion = in no version
upTo = up to { $version }
fromOn = from { $version }
fromTo = { $from } to { $to }
comma = {", "}
watch = Watch
watchAgain = Watch again
stepOf = Step { $step } of “{ $title }”
remember = Key point
nextLesson = Next: { $title }
