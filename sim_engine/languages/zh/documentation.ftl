### The documentation: its list of pages, and the generated tables.

index = 概览
tutorial = 教程
tutorial-first-loss = 第一次丢失消息
how-to = 操作指南
how-to-share = 分享一次运行
how-to-embed = 嵌入一次运行
how-to-export = 导出一次运行
how-to-find-a-failure = 查找故障
how-to-import-a-cluster = 导入真实集群
how-to-write-a-lesson = 编写课程
how-to-run-a-campaign = 运行批量模拟
how-to-operate = 部署与运维
reference = 参考
reference-scenario-file = 场景文件
reference-steps = 步骤
reference-command-line = 命令行
reference-http = HTTP API
reference-documents = HTTP 文档结构
reference-element = 嵌入元素
reference-settings = 设置
reference-links = 链接
reference-limits = 限制
reference-scenarios = 内置场景
explanation = 原理
explanation-fidelity = 保真度
explanation-versions = Kafka 版本
explanation-campaigns = 批量模拟
explanation-promises = 承诺
explanation-articles = 五篇文章
findings-missed-deposition = 没有察觉自己被取代的 leader
findings-late-response = 来自旧纪元的响应
findings-reassignment-last-word = 不听最后一句话的重新分配
findings-eligible-but-no-replica = 合格却不是副本的 leader
findings-unclean-cancel = 使 controller 停下的注册

contents = 目录
onThisPage = 本页内容
neighbours = 上一页和下一页
previous = 上一页：
next = 下一页：
permalink = 本节链接
notTranslated = 本页目前只有英文版。
copy = 复制
copied = 已复制

## Heads of generated tables.

head-limit = 限制
head-name = 名称
head-number = 数值
head-past = 超出时
head-argument = 参数
head-presence = 是否必填
head-value = 取值
head-meaning = 含义
head-parameter = 参数
head-in = 位置
head-status = 状态码
head-document = 文档结构
head-field = 字段
head-default = 默认值
head-setting = 设置
head-topic = topic
body = 请求体：
required = 必填
optional = 可选

## Types of a step's arguments.

kind-partition = 分区，例如 `t-0`
kind-broker = broker 的 id
kind-client = 客户端名称，例如 `p1`
kind-endpoint = broker 的 id，或 `controller`
kind-rack = 机架名称
kind-kept = 每个分区保留下来的日志末端位移：映射，例如 `t-0: 2`
kind-replicas = broker id 列表，首选 leader 在前
kind-values = 消息列表，例如 `[m1, m2]`
list-of = 列表，元素：{ $value }
text = 文本
mapping = 映射
text-in-languages = 文本，或每种语言一条
or = {" "}或{" "}
since = 自 { $release } 起 { $value }
no-setting = 无
