### The search over everything that the site shows.

search = Search
searchAll = Search everything
searchHint = A term, an error, a KIP, “split brain”…
label = Search lessons, terms, errors, settings and documentation
close = Close the search
results = Results
tryThese = For example
example-1 = network partition
example-2 = acks=1
example-3 = NotEnoughReplicasException
example-4 = disk full
also = Also searched
onlyTyped = only as typed
withAlso = with this site’s words
corrected = Found nowhere, so these were searched instead
counted = { $total ->
        [one] { $total } result
       *[other] { $total } results
    }
countedBest = { $total } in all, the best { $shown } first
countedKind = { $total ->
        [one] { $total } result
       *[other] { $total } results
    }, { $kind } only
noneFound = Nothing found for “{ $words }”
nearest = Nearest to it
leftOut = Highwater shows how Kafka replicates. What it leaves out of Kafka is listed under
leftOutPage = Fidelity: what is left out
noService = This is a copy of the site without a service, which cannot search without that download.
searching = Searching
failed = The search does not respond. Try again in a moment.
all = All { $count }
allOf = { $kind }: all { $count }
backToAll = All kinds
choose = choose
open = open
kind-error = Errors
kind-term = Terms
kind-lesson = Lessons
kind-step = Steps of lessons
kind-claim = Claims of articles
kind-setting = Settings
kind-word = Metrics and log lines
kind-loss = Known ways to lose
kind-finding = Findings
kind-challenge = Challenges
kind-release = Releases
kind-kip = KIPs and issues
kind-doc = Documentation
kind-left_out = Left out
