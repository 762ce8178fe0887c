### 模拟了什么，以及引擎以什么为准。

fidelity = 保真度
fidelityText = Highwater 哪些行为与 Kafka 一致，哪些做了简化，哪些没有模拟，以及如何验证。引擎与真实集群不一致时，以真实集群为准。
recordings = 真实集群的录制
recordingsText = 每份录制是真实集群的一次运行，包含每一步之后各磁盘上的内容和客户端收到的响应。每次测试都会让引擎执行同样的步骤，并逐个字段比较。
recordingsCount = 份录制
releasesCount = 个版本
casesCount = 个 Kafka 自身的测试用例
casesText = 其中 { $part } 个只覆盖了一部分。
steps = { $steps } 步
modelled = 与 Kafka 一致
tests = 用 Kafka 自身的测试验证
losses = 什么情况算丢失已确认的消息
simpler = 简化的部分
left_out = 尚未模拟
filter = 筛选
nothing = 没有包含这些词的内容。
original = 以下内容为英文原文，与代码一同维护。
held = 与真实 Kafka 对照
heldText = 引擎必须与录制的每个字段一致。
heldLink = 如何验证
openRecording = 在舞台上打开
