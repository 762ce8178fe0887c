### What the service says by itself: pages about broken links, transcripts.

notFound = 这里什么也没有
notFoundAdvice = 链接可能有拼写错误，或者末尾被截断了。
gone = 内容已被删除
goneAdvice = 分享者已将其撤回，或者它已过期。
busy = 失效链接过多
busyAdvice = 请稍等一分钟再试。
failed = 无法显示此页面
failedAdvice = 请稍后再试。
home = 查看课程

place = 步骤 { $step } / { $steps }{ $messages ->
    [1] { "" }
   *[other] ，第 { $message } / { $messages } 条
}

## A share as a document of words.

step = { $step }. { $title }
properties = 最终成立的性质
holds = 成立
violated = 被违反
notExercised = 未检验

## Between the sentences of one line.

separator = ；
