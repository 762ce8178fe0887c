### The requests to the service that get no response.

unreachable = 无法连接服务。连接恢复后请重试。
brokenOff = 在得出结果之前中断了。请重试。
noService = 这是不带服务的站点副本。生成短链接，或让他人跟随演示，都需要服务。

### The engine that runs in the page where there is no service.

loadTitle = 在浏览器中运行引擎
loadText = 本站没有执行步骤的服务器，由浏览器直接运行引擎。需下载 { $size } MB，只需一次。
awayTitle = 服务器没有响应
awayText = 可以不依赖服务器继续：由浏览器直接运行引擎。需下载 { $size } MB，只需一次。
loadMore = 引擎完全相同。你的运行保存在本浏览器中。
load = 下载 { $size } MB
notNow = 暂不
loading = 正在下载引擎…
starting = 正在启动引擎…
failed = 无法加载引擎。请检查网络连接后重试。浏览器版本过旧或禁用了 WebAssembly 时无法运行。
declined = 执行步骤需要引擎，但尚未加载。请重试并加载。
close = 关闭
