### What is said of a scenario beside its author's words.

# A title that is true of another release only.
otherRelease = Kafka { $kafka }：{ $title }
# 只适用于另一种控制器的标题。
otherControl = { $control ->
    [zookeeper] ZooKeeper
   *[kraft] KRaft
} 模式：{ $title }

# 与标题所述不同的运行。
otherSettings = “{ $title }”：更改设置后
ownBranch = “{ $title }”的分支
# 它的步骤全部执行完之后，又执行了其他步骤。
continued = “{ $title }”：后续

# 版本范围。
everyVersion = 所有版本
noVersion = 没有任何版本
upTo = { $version } 及以前
fromOn = { $version } 起
fromTo = { $from } 到 { $to }
comma = 、
