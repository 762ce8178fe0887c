### What an operator of a real cluster would see: metrics and log lines.

operatorWords = In an operator’s words
operatorWordsAbout = what a Kafka { $kafka } cluster reports after this step
metricsNow = Metrics now
logLines = Log lines of this step
noTrouble = All of these metrics are at rest.
noLines = A cluster of this release prints nothing about it.
atRest = { $count ->
    [one] { $count } metric at rest
   *[other] { $count } metrics at rest
}
whereFrom = Where each is from
whoBroker = broker { $who }
whoController = controller
whoProducer = producer { $who }
whoConsumer = consumer { $who }
wordsFailed = They could not be read: { $why }
wordsLoading = Reading them …
lookFor = to search logs for
catalogueMetrics = Metrics
catalogueLines = Log lines
catalogueAbout = What a real cluster reports. Each with the step of a lesson that shows it.
catalogueMore = All forms by release
seeIt = See it:
underKafka = Kafka { $kafka }
