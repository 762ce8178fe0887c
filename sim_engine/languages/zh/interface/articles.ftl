### 文章页面：它们怎么说，Kafka 怎么做。

articles = 文章
articlesText = 五篇关于 Kafka 副本机制的文章，逐条对照。每条说法都标出成立的版本，并有一个步骤可看。
counts = { $claims } 条说法，{ $lessons } 个课程可看
right = 正确
nearly = 接近
wrong = Kafka 并非如此
score = 正确 { $right } 条，接近 { $nearly } 条，Kafka 并非如此 { $wrong } 条
all = 全部
only = 显示哪些说法
watched = 已看 { $count } / { $claims }
holdsIn = 成立的版本
claim = 第 { $number } 条
says = 文章说
does = Kafka
linkTo = 第 { $number } 条的链接
andMore = 另有 { $count } 处
questions = 文章的面试题与回答
unknown = 没有这个编号的文章。
