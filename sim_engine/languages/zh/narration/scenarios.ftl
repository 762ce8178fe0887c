### What is said of a scenario beside its author's words.

# A title that is true of another release only.
otherRelease = Kafka { $kafka }：{ $title }
