### Texts of the service itself: error pages and transcripts.

notFound = Page not found
notFoundAdvice = The link may be mistyped or incomplete.
gone = This run was deleted
goneAdvice = Its author deleted it.
damaged = This share is damaged
damagedAdvice = The stored data differs from what was shared, so it is not shown. Please inform the operator of this site.
takenDown = This share was taken down
takenDownAdvice = The operator of this site took it down{ $reason ->
    [privacy] , because it contains personal data
    [abuse] , because it is abusive
    [spam] , because it is spam
    [legal] , because the law requires it
   *[other] { "" }
}.
unavailable = The service is not available
unavailableAdvice = The database is not responding at the moment. Nothing is lost: every completed step is stored. Try again in a moment.
busy = Too many requests
busyAdvice = Wait a minute, then try again.
failed = This page cannot be shown
failedAdvice = Try again in a moment.
home = Go to the lessons

# Shown without JavaScript.
needsScripts = Highwater needs JavaScript to draw running clusters. Shared runs have a picture that works without it.

tagline = See how Apache Kafka replicates data, break it, and share the result.

place = Step { $step } of { $steps }{ $messages ->
    [1] { "" }
   *[other] , message { $message } of { $messages }
}

# A claim of an article, what is to be said of it, and what Kafka does.
claim = “{ $claim }” — { $verdict }. { $kafka }

## A share as Markdown.

forkedFrom = Forked from

step = { $step }. { $title }
records = Acknowledged records at the end
# `since` is the step since which a record is at risk or lost.
recordFate = { $value }, acknowledged with acks={ $acks } at offset { $offset } of { $partition }: { $fate ->
    [at_risk] at risk since step { $since }
    [lost] lost at step { $since }
   *[safe] safe
}
properties = Properties at the end
property = { $title }: { $status }
holds = holds
violated = violated, first at step { $since }
notExercised = not exercised
# The broker whose value has changed: “broker 1, t-0: HW 1 → 2”.
ofBroker = broker { $broker }

## A share as a sequence diagram: a broker, and the contents of a message.

participant = Broker { $broker }
fetch_offset = fetch offset { $value }
values = values { $value }
high_watermark = high watermark { $value }
isr = ISR { $value }
leader_epoch = leader epoch { $value }
end_offset = end offset { $value }

wasViolated = { $until ->
    [nothing] was violated at step { $since }, holds now
   *[other] was violated, first at step { $since }; holds since step { $until }
}

## Errors by their code.

impossible_move = this move is not possible here; see `possible` in the try
invalid_grid = The grid has errors.
invalid_scenario = The scenario has errors.
invalid_step = The step has errors.
unreadable_input = Some of the input cannot be parsed.
