### The glossary, and the legend of what is drawn.

glossary = 术语表
glossaryAbout = Kafka 复制协议的术语，每条用一两句话解释，并配一幅图。
knownLosses = 已知的丢失消息的方式
filterTerms = 筛选术语
shownIn = 课程：
noTerm = 没有匹配的术语。
legend = 图例
allTerms = 全部术语
figure-leader = leader
figure-preferred = 首选 leader
figure-high-watermark = 高水位
figure-LEO = 日志末端位移
figure-committed = 已提交的消息
figure-record = 尚未提交的消息
figure-divergence = 与 leader 不同的消息
figure-truncation = 刚被截断的消息
figure-belief = leader 所知的 follower 日志末端
figure-flush = 已刷盘到此处
figure-page-cache = 只在页缓存中
figure-log-start-offset = 日志起点
figure-epoch-vector = leader 纪元及其起始位移
figure-LSO = 最后稳定位移
figure-open-transaction = 未结束事务的消息
figure-aborted-transaction = 已中止事务的消息
figure-down = 停机的 broker
