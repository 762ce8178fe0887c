### The documentation's frame: its list of pages, and what is generated in it.

index = Overview
tutorial = Tutorial
tutorial-first-loss = Your first loss
how-to = How-to guides
how-to-share = Share a run
how-to-embed = Embed a run
how-to-export = Export a run
how-to-find-a-failure = Find a failure
how-to-import-a-cluster = Import a real cluster
how-to-write-a-lesson = Write a lesson
how-to-run-a-campaign = Run a campaign
how-to-operate = Operate the service
reference = Reference
reference-scenario-file = Scenario files
reference-steps = Steps
reference-command-line = Command line
reference-http = HTTP API
reference-element = Embed element
reference-settings = Settings
reference-limits = Limits
reference-scenarios = Shipped scenarios
explanation = Explanation
explanation-fidelity = Fidelity
explanation-versions = Kafka versions
explanation-campaigns = Campaigns
explanation-promises = Promises
explanation-articles = Five articles
findings-missed-deposition = A finding in Kafka

contents = Contents
onThisPage = On this page
neighbours = Previous and next page
previous = Previous:
next = Next:
permalink = Link to this section
notTranslated = This page is available in English only.
copy = Copy
copied = Copied

## The heads of tables that are generated.

head-limit = limit
head-name = name
head-number = number
head-past = past it
