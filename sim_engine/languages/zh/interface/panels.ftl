### Shown in place of a panel that could not be drawn.

stage = 舞台
properties = 性质
logs = 各副本的日志
controller = controller
clients = 客户端
table = 副本表
why = 这一步的说明
choices = 操作列表
timeline = 时间线
comparison = 比较
dialog = 对话框
player = 播放器
page = 页面
failed = { $panel }无法显示
advice = 这是 Highwater 自身的缺陷，与模拟的集群无关。页面的其余部分仍可使用。
again = 重试
close = 关闭
detail = 错误详情
messages = 报文时序
