### The embed's player.

first = 到起点
back = 后退一步
play = 播放
pause = 暂停
next = 前进一步
last = 到末尾
step = 步骤
open = 打开
openTitle = 在 Highwater 中打开此步
removed = 此内容已被撤回
removedAdvice = 分享者已将其删除，周围的页面也许说明了它的内容。
unavailable = 暂时无法显示
unavailableAdvice = 链接可能不完整，或服务暂时不可用。请稍后重新加载页面。
