### 搜索结果标题下面的一行。

step-of = { $lesson }，第 { $step } 步 · Kafka { $kafka }
claim-of = { $article }，第 { $number } 条 · { $kafka }
question-of = { $article }的问题 · { $answer }
setting = { $about }默认值：{ $default }。
release = 带来 { $rules }。
release-plain = 以自己的规则和默认值运行。
sort-metric = 指标
sort-line = 日志行
sort-version = 版本
