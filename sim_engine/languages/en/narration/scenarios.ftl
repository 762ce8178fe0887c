### Texts about a scenario that its author did not write.

# A title that applies only to another release.
otherRelease = Kafka { $kafka }: { $title }
