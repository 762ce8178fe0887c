### Texts of the service itself: error pages and transcripts.

notFound = 页面不存在
notFoundAdvice = 链接可能输入有误或不完整。
gone = 此运行已删除
goneAdvice = 作者已将其删除。
damaged = 此分享已损坏
damagedAdvice = 存储的内容与分享时不一致，因此不予显示。请告知本站管理员。
takenDown = 此分享已下架
takenDownAdvice = 本站管理员已将其下架{ $reason ->
    [privacy] ，因为其中包含个人信息
    [abuse] ，因为其内容具有攻击性
    [spam] ，因为它是垃圾信息
    [legal] ，因为法律要求
   *[other] { "" }
}。
unavailable = 服务暂时不可用
unavailableAdvice = 数据库暂时没有响应。数据没有丢失：已完成的每一步都已保存。请稍后再试。
busy = 请求过多
busyAdvice = 请稍等一分钟再试。
failed = 无法显示此页面
failedAdvice = 请稍后再试。
home = 查看课程

# Shown without JavaScript.
needsScripts = Highwater 需要 JavaScript 才能绘制运行中的集群。分享的运行带有一张图片，没有 JavaScript 也能查看。

tagline = 观察 Apache Kafka 如何复制数据，注入故障，并分享结果。

place = 第 { $step } 步，共 { $steps } 步{ $messages ->
    [1] { "" }
   *[other] ，第 { $message } / { $messages } 条
}

# A claim of an article, what is to be said of it, and what Kafka does.
claim = “{ $claim }”：{ $verdict }。{ $kafka }

## A share as Markdown.

forkedFrom = 复制自
step = { $step }. { $title }
records = 运行结束时已确认的消息
# `since` is the step since which a record is at risk or lost.
recordFate = { $partition } 位移 { $offset } 上的 { $value }（acks={ $acks }）：{ $fate ->
    [at_risk] 自第 { $since } 步起有风险
    [lost] 已于第 { $since } 步丢失
   *[safe] 安全
}
properties = 运行结束时的性质
property = { $title }：{ $status }
holds = 成立
violated = 违反，首次出现在第 { $since } 步
notExercised = 未涉及
# The broker whose value has changed: “broker 1, t-0: HW 1 → 2”.
ofBroker = broker { $broker }

## A share as a sequence diagram: a broker, and the contents of a message.

participant = Broker { $broker }
fetch_offset = 拉取位移 { $value }
values = 值 { $value }
high_watermark = 高水位 { $value }
isr = ISR { $value }
leader_epoch = leader 纪元 { $value }
end_offset = 末端位移 { $value }

wasViolated = { $until ->
    [nothing] 曾在第 { $since } 步被违反，现已恢复
   *[other] 曾被违反，首次出现在第 { $since } 步；自第 { $until } 步起恢复
}

## 按代码列出的错误。

impossible_move = 这一步现在不能走；可走的步骤见返回结果的 `possible`
invalid_grid = 参数网格有错误。
invalid_scenario = 场景有错误。
invalid_step = 步骤有错误。
unreadable_input = 有些输入无法识别。
