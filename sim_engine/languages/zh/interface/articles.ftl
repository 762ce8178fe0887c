### 文章页面：文章的说法，以及 Kafka 的实际行为。

articles = 文章
articlesText = 逐条对照五篇关于 Kafka 副本机制的知名文章：每个说法在哪些版本中正确，以及演示它的步骤。
counts = { $claims } 个说法，{ $lessons } 个相关课程
right = 正确
nearly = 基本正确
wrong = 与 Kafka 不符
score = 正确 { $right } 个，基本正确 { $nearly } 个，与 Kafka 不符 { $wrong } 个
all = 全部
only = 筛选说法
watched = 已看 { $count } / { $claims }
holdsIn = 正确的版本
verdictIn = 按此版本评判 Kafka
inRelease = { $kafka }：{ $verdict }
originBook = 内容来自书籍
originFirstPart = 上篇
originMissing = 原文未注明：{ $missing }
originAuthor = 作者
originSite = 网站
originDate = 日期
claim = 说法 { $number }
says = 文章的说法
does = Kafka
linkTo = 说法 { $number } 的链接
andMore = 另有 { $count } 处
questions = 文章中的问题与解答
unknown = 没有这个编号的文章。
