### The pages around a run.

skip = 跳到正文
site = 站点
home = Highwater 首页
menu = 菜单
docs = 文档
aboutLimits = 本服务的全部限制
lessons = 课程
build = 自己搭建
insights = 统计
toDark = 深色主题
toLight = 浅色主题
toSystem = 跟随系统主题
loading = 载入中
loadingRun = 正在载入：{ $read } / { $total } 步…
basics = 复制的工作原理
truncation = 日志截断，以及它是如何修复的
failures = 多重故障，以及客户端看到的结果
newTitle = 从场景开始
newLabel = 场景（YAML 或 JSON）
newBlank = 一个小集群
newRun = 运行
newRunning = 正在启动
newFile = 打开文件
atLine = 第 { $line } 行第 { $column } 列
moreProblems = ……另有 { $count } 个
notFoundTitle = 页面不存在
notFoundText = 链接可能不完整，或输入有误。
expiredTitle = 此运行已过期
expiredText = 30 天无人打开的运行会被删除。分享的运行会一直保留：要保留运行，请分享它。
expiredLesson = 30 天无人打开的运行会被删除。它由一个课程开始，课程仍然可以打开。
toLesson = { $step ->
        [0] 打开课程
       *[other] 打开课程第 { $step } 步
    }
goneTitle = 此分享已删除
goneText = 作者已删除此运行，无法恢复。
outdatedTitle = 此运行由旧版 Highwater 创建
outdatedText = 当前版本对这些步骤的模拟结果不同，无法显示此运行。请重新开始课程。分享链接不受影响。
damagedTitle = 此分享已损坏
damagedText = 存储的内容与分享时不一致，因此不予显示。请告知本站管理员。
takenDownTitle = 此分享已下架
takenDownText = 本站管理员已将其下架{ $reason ->
        [privacy] ，因为其中包含个人信息
        [abuse] ，因为其内容具有攻击性
        [spam] ，因为它是垃圾信息
        [legal] ，因为法律要求
       *[other] { "" }
    }。
unavailableTitle = 服务暂时不可用
unavailableText = 数据库暂时没有响应。数据没有丢失：已完成的每一步都已保存。请稍后再试。
offlineTitle = 无法连接服务
offlineText = 已执行的每一步都已保存。连接恢复后请重试。
busyTitle = 请求过多
busyText = 请等一分钟再试。
noServiceTitle = 此功能需要服务
noServiceText = 这是不带服务的站点副本，没有分享的运行、自己的运行和演示。课程、文章、挑战、术语表和文档都可以在这里阅读。
linkDamagedTitle = 此链接不完整
linkDamagedText = 链接应包含整个运行，但其中一部分缺失或被改动。请重新复制，包括 # 之后的全部内容，或向发送者索取保存的链接。
linkNewerTitle = 此链接比本站更新
linkNewerText = 此链接由更新版本的 Highwater 生成，本站尚未升级到该版本。请在生成它的网站上打开，或请本站管理员升级。
failedTitle = 服务返回了错误
failedText = 请稍后重试。数据没有丢失：已完成的每一步都已保存。
failedCode = 错误代码：{ $code }
again = 重试
toLessons = 查看课程
toFailure = 播放一次故障
