### What the service says by itself: pages about broken links, transcripts.

notFound = Page not found
notFoundAdvice = The link may be mistyped or incomplete.
gone = This run was deleted
goneAdvice = Its author deleted it, or it expired.
damaged = This share is damaged
damagedAdvice = What is stored is not what was shared, so it is not shown. Tell whoever runs this site.
takenDown = This share was taken down
takenDownAdvice = Whoever runs this site took it down{ $reason ->
    [privacy] , because it contains personal data
    [abuse] , because it is abusive
    [spam] , because it is spam
    [legal] , because the law requires it
   *[other] { "" }
}.
unavailable = The service is not available
unavailableAdvice = Its database does not answer at the moment. Nothing is lost: every completed step is stored. Try again in a moment.
busy = Too many requests
busyAdvice = Wait a minute, then try again.
failed = This page cannot be shown
failedAdvice = Try again in a moment.
home = Go to the lessons

tagline = See how Apache Kafka replicates, break it, and share the moment.

place = Step { $step } of { $steps }{ $messages ->
    [1] { "" }
   *[other] , message { $message } of { $messages }
}

## A share as a document of words.

forkedFrom = Forked from

step = { $step }. { $title }
properties = Properties at the end
holds = holds
violated = violated
notExercised = not exercised

## Between the sentences of one line.

separator = { "; " }
wasViolated = was violated, and is not any more
