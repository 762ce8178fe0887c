### What an operator of a real cluster would see: metrics and log lines.

operatorWords = 运维视角
operatorWordsAbout = 这一步之后，Kafka { $kafka } 集群的上报
metricsNow = 当前指标
logLines = 这一步的日志
noTrouble = 这些指标都正常。
noLines = 这个版本的集群不会为此打印日志。
atRest = { $count } 个指标正常
whereFrom = 出处
whoBroker = broker { $who }
whoController = controller
whoProducer = producer { $who }
whoConsumer = consumer { $who }
wordsFailed = 无法读取：{ $why }
wordsLoading = 正在读取……
lookFor = 可在日志中搜索
catalogueMetrics = 指标
catalogueLines = 日志
catalogueAbout = 真实集群上报的内容，每一项都附有展示它的课程步骤。
catalogueMore = 各版本的完整格式
seeIt = 看一看：
underKafka = Kafka { $kafka }
