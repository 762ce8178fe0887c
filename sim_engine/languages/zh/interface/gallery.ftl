### 分享的运行的展示页。

gallery = 展示
about = 作者同意公开列出的运行，最新的在前。它们不能说明 Kafka 丢失消息的频率。
none = 还没有公开列出的运行。列出运行的步骤：
openLesson = 打开一个课程
buildOwn = 自己搭建一个运行
choose = 在运行页面选择“分享”。
allow = 展开“标题、说明、分支与展示”，允许在展示页中列出，然后创建链接。
starts = 可以从这些课程开始，每个课程都会丢失一条消息
lost = 丢失 { $count } 条已确认的消息
kept = 没有丢失已确认的消息
nothing = 没有消息被确认
more = 显示更多
failed = 无法加载展示页。
again = 重试
