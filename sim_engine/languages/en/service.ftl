### What the service says by itself: pages about broken links, transcripts.

notFound = There is nothing here
notFoundAdvice = The link may be misspelt, or cut off at its end.
gone = This was deleted
goneAdvice = Whoever shared it took it back, or it expired.
busy = Too many broken links
busyAdvice = Wait a minute, then try again.
failed = This page cannot be shown
failedAdvice = Try again in a moment.
home = To the lessons

place = Step { $step } of { $steps }{ $messages ->
    [1] { "" }
   *[other] , message { $message } of { $messages }
}

## A share as a document of words.

step = { $step }. { $title }
properties = What holds in the end
holds = holds
violated = violated
notExercised = not exercised

## Between the sentences of one line.

separator = { "; " }
