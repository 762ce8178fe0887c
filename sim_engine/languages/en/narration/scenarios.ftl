### Texts about a scenario that its author did not write.

# A title that applies only to another release.
otherRelease = Kafka { $kafka }: { $title }
# A title that applies only under the other controller.
otherControl = With { $control ->
    [zookeeper] ZooKeeper
   *[kraft] KRaft
}: { $title }

# Runs that differ from the one that the title is about.
otherSettings = “{ $title }” with other settings
ownBranch = Branch of “{ $title }”
# All of its steps were performed, and then others.
continued = “{ $title }”, continued

# Ranges of releases.
everyVersion = in every version
noVersion = in no version
upTo = up to { $version }
fromOn = from { $version }
fromTo = { $from } to { $to }
comma = {", "}
