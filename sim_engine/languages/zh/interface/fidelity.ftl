### 模拟了什么，以及引擎以什么为准。

fidelity = 保真度
fidelityText = Highwater 哪些与 Kafka 一致、哪些更简单、哪些没有模拟，以及以什么为准。引擎与真实集群不同时，以真实集群为准。
recordings = 真实集群的记录
recordingsText = 每份记录是真实集群的一次运行，包含每一步之后各磁盘上的内容和客户端得到的结果。每次测试都会重放引擎，逐个字段比较。
recordingsCount = 份记录
releasesCount = 个版本
casesCount = 个 Kafka 自身的测试用例
casesText = 其中 { $part } 个只能表达一部分。
steps = { $steps } 步
modelled = 与 Kafka 一致
tests = 用 Kafka 自身的测试检查
losses = 何时算丢失已确认的消息
simpler = 比 Kafka 简单
left_out = 尚未模拟
filter = 筛选
nothing = 没有包含这些词的内容。
original = 以下内容为英文原文，与代码一同维护。
held = 以真实 Kafka 为准
heldText = 记录下来的每个字段，引擎都必须一致。
heldLink = 怎样检查
openRecording = 在舞台上打开
