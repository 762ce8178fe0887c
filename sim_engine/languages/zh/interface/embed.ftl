### The embed's player.

first = 跳到起点
back = 上一步
play = 播放
pause = 暂停
next = 下一步
last = 跳到末尾
step = 步骤
start = 起点
stepOf = 第 { $step }/{ $steps } 步
stepCalled = 第 { $step }/{ $steps } 步：{ $title }
messageOf = 第 { $message }/{ $messages } 个报文
nextStep = 下一步：{ $title }
backMessage = 上一个报文
nextMessage = 下一个报文
everyMessage = 每个报文
open = 打开
openTitle = 在 Highwater 中打开此步
removed = 此运行已删除
removedAdvice = 作者已将其删除。所在页面可能有相关说明。
unavailable = 暂时无法显示此运行
unavailableAdvice = 链接可能不完整，或服务暂时不可用。请稍后重新加载页面。
otherRelease = 此站点副本只能嵌入课程自身版本下的运行
otherReleaseAdvice = 请打开课程，在其中选择其他版本。
partUnavailable = 暂时无法加载这部分运行。请稍后再试此步。
