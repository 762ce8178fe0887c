### The lines below the titles of what the search finds.

step-of = { $lesson }, step { $step } · Kafka { $kafka }
claim-of = { $article }, claim { $number } · { $kafka }
question-of = { $article }, question · { $answer }
setting = { $about } Default: { $default }.
release = Brings { $rules }.
release-plain = Runs with its own rules and defaults.
sort-metric = metric
sort-line = log line
sort-version = version
