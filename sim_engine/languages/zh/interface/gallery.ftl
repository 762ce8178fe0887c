### 分享的运行的展示页。

gallery = 展示
about = 作者同意公开列出的运行，最新的在前。它们不能说明 Kafka 丢失消息的频率。
none = 还没有公开列出的运行。列出运行的步骤：
noService = 这是不带服务的站点副本，因此这里没有用户展示的运行。
openLesson = 打开一个课程
buildOwn = 自己搭建一个运行
choose = 在运行页面选择“分享”。
allow = 展开“标题、说明、分支与展示”，允许在展示页中列出，然后创建链接。
own = 来自本项目：我们的发现与知名故障
ownAbout = 这些是课程，每个都可以逐步播放。它们不是用户分享的运行。
found = 在真实集群上录制的发现
known = 知名故障
readFinding = 阅读这一发现
lost = 丢失 { $count } 条已确认的消息
kept = 没有丢失已确认的消息
nothing = 没有消息被确认
more = 显示更多
failed = 无法加载展示页。
again = 重试
