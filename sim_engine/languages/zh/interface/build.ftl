### 搭建自己的集群的页面。

title = 搭建自己的集群
views = 搭建方式
form = 表单
cluster = 从真实集群导入
file = 文件
startFrom = 起点
preview = 预览
previewText = 第一步之前的集群
previewOld = 最后一个有效状态
previewNone = 还没有有效的集群。
worth = 值得一试
worthText = 运行这个集群，并把它作为下一步。
undo = 撤销
redo = 重做
problems = { $count } 个错误
save = 保存为文件
fileHelp = Ctrl+Space 补全；先按 Escape 再按 Tab 离开编辑器。
noForm = 文件不是有效的 YAML。请先在“文件”中改正。

## 表单

version = Kafka 版本
controller = 控制器
oneController = Kafka { $kafka } 没有其他控制器。
brokers = broker 和机架
broker = broker
rack = 机架
rackOf = broker { $broker } 的机架
removeBroker = 移除 broker { $broker }
topics = topic
topic = topic
topicName = topic 名称
removeTopic = 移除 topic
partitions = partition 数
partitionsOf = { $topic } 的 partition 数
partition = partition
replicasOf = { $partition } 的副本
preferred = 首选
moveForward = 在 { $partition } 中把 broker { $broker } 前移
removeReplica = 移除 { $partition } 在 broker { $broker } 上的副本
addReplica = + { $broker }：在这个 broker 上增加 { $partition } 的副本
settings = 配置
moreSettings = Kafka { $kafka } 的另外 { $count } 项配置
isDefault = 默认值
toDefault = 默认值：{ $value }
toDefaultOf = 默认值：{ $value }。把 { $name } 恢复为它
logs = 初始日志
logsText = + 追加一条消息；点击使其 epoch 加一；Delete 从该处截断日志。
brokerRow = broker { $broker }
leader = leader
epoch = epoch
cell = { $value } e{ $epoch }，broker { $broker }：epoch 加一
append = 在 broker { $broker } 上追加一条消息
cutLast = 删除 broker { $broker } 上的最后一条消息
moreCells = 还有 { $count } 条
leaderEpoch = leader epoch
steps = 步骤
runTitle = 标题
note = 注释
question = 问题
noteAt = 位置 { $place } 的注释
questionAt = 位置 { $place } 的问题
newNote = 这里发生了什么？为什么？
newQuestion = 接下来会发生什么？
yes = 消息保留。
no = 消息丢失。
stepUp = 上移步骤 { $place }
stepDown = 下移步骤 { $place }
stepRemove = 移除步骤 { $place }
addNote = 在步骤 { $place } 后添加注释
addQuestion = 在步骤 { $place } 后添加问题
stepKind = 步骤类型
step = 步骤
stepsText = 步骤的参数在文件中编辑。

## 从真实集群导入

clusterText = 粘贴 Kafka 工具的输出，或拖入文件：kafka-topics --describe、kafka-dump-log、kafka-metadata-quorum describe、kafka-configs --describe、leader-epoch-checkpoint、replication-offset-checkpoint、recovery-point-offset-checkpoint、meta.properties。
paste = 工具的输出
read = 读取
addFiles = 添加文件
example = 插入示例
brokerHelp = 在 checkpoint 文件上方写一行“# broker 1”，说明它属于哪个 broker；文件路径也可以。不知道版本时留空。
removeOf = 移除 { $name }
notUnderstood = { $count } 行无法识别。请删除或改正：
understood = 已识别
unknown = 未知，已作假定

## 我的运行

mine = 我的运行
mineText = 这个浏览器创建和分享的内容。密钥只保存在这个浏览器中。
mineNone = 还没有内容。你在运行中操作或分享后，它会出现在这里。
shared = 已分享
nameOf = { $name } 的名称
open = 打开
delete = 删除
deleteOf = 删除 { $name }
deleteSure = 为所有人删除
keep = 保留
forget = 从列表移除
forgetOf = 从列表移除：{ $name }。之后它变为只读
editAsFile = 编辑为文件
