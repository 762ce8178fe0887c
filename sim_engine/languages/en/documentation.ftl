### The documentation: its list of pages, and the generated tables.

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
reference-documents = HTTP documents
reference-element = Embed element
reference-settings = Settings
reference-links = Links
reference-limits = Limits
reference-scenarios = Shipped scenarios
explanation = Explanation
explanation-fidelity = Fidelity
explanation-versions = Kafka versions
explanation-campaigns = Campaigns
explanation-promises = Promises
explanation-articles = Five articles
findings-missed-deposition = A leader that missed its own deposition
findings-late-response = A response from an earlier epoch
findings-reassignment-last-word = A reassignment that ignores the last word
findings-eligible-but-no-replica = An eligible leader that is no replica
findings-unclean-cancel = A registration that stops the controller

contents = Contents
onThisPage = On this page
neighbours = Previous and next page
previous = Previous:
next = Next:
permalink = Link to this section
notTranslated = This page is available in English only.
copy = Copy
copied = Copied

## Heads of generated tables.

head-limit = limit
head-name = name
head-number = number
head-past = when exceeded
head-argument = argument
head-presence = presence
head-value = value
head-meaning = meaning
head-parameter = parameter
head-in = in
head-status = status
head-document = document
head-field = field
head-default = default
head-setting = setting
head-topic = topic
body = Body:
required = required
optional = optional

## Types of a step's arguments.

kind-partition = a partition, such as `t-0`
kind-broker = a broker’s id
kind-client = the name of a client, such as `p1`
kind-endpoint = a broker’s id, or `controller`
kind-rack = the name of a rack
kind-kept = for each partition, the log end offset that survives: a mapping such as `t-0: 2`
kind-replicas = a list of brokers’ ids, the preferred leader first
kind-values = a list of records, such as `[m1, m2]`
list-of = a list of: { $value }
text = a text
mapping = a mapping
text-in-languages = a text, or one for each language
or = {" "}or{" "}
since = { $value } from { $release }
no-setting = none
