### 搭建自己的集群的页面。

title = 搭建自己的集群
views = 搭建方式
stage = 舞台
toStage = 跳到舞台
cluster = 集群
imported = 导入
file = 文件
newRunTitle = 我的运行
startFrom = 基于
previewText = 第一步之前的集群
previewAfter = 步骤 { $place } 之后的集群
previewBack = 显示上一步之后的集群
previewOn = 显示下一步之后的集群
previewOld = 最后一个有效状态
previewNone = 还没有有效的集群。
follows = 由此可知
shownBefore = 步骤 { $number } 之前的集群（该步骤无法执行）
becomes = { $inserted ->
        [true] 操作会成为步骤 { $number }，排在后面的步骤之前。
       *[other] 操作会成为步骤 { $number }。
    }
added = 已添加步骤 { $number }。
share = 分享
impossible = 无法执行：{ $reason }。
impossibleSteps = { $count } 个步骤无法执行。
undo = 撤销
redo = 重做
problems = { $count } 个错误
repair = 改为 { $repair }
save = 保存为文件
fileHelp = Ctrl+Space 补全；先按 Escape 再按 Tab 离开编辑器。
noForm = 文件不是有效的 YAML。请先在“文件”标签页中改正。

## 表单

version = Kafka 版本
controller = Controller
oneController = Kafka { $kafka } 只支持这种 controller。
brokers = broker 和机架
broker = broker
rack = 机架
rackOf = broker { $broker } 的机架
removeBroker = 移除 broker { $broker }
topics = topic
topic = topic
topicName = topic 名称
removeTopic = 移除 topic
partitions = 分区数
partitionsOf = { $topic } 的分区数
partition = 分区
replicasOf = { $partition } 的副本
preferred = 首选
moveForward = 在 { $partition } 中把 broker { $broker } 前移
removeReplica = 移除 { $partition } 在 broker { $broker } 上的副本
addReplica = + { $broker }：在这个 broker 上增加 { $partition } 的副本
settings = 配置
moreSettings = Kafka { $kafka } 的另外 { $count } 项配置
isDefault = （默认）
meansMinIsr = acks=all 需要 { $replicas } 个同步副本
meansClean = 只有同步或合格的副本能成为 leader
meansUnclean = 缺少消息的副本也可能成为 leader
meansLag = follower 最多可以落后 { $seconds } 秒
replicaCount = 副本数
replicasOfTopic = { $topic } 每个分区的副本数
toDefault = 默认值：{ $value }
toDefaultOf = 默认值：{ $value }。把 { $name } 恢复为它
logs = 初始日志
logsText = + 追加一条消息；点击消息使其纪元加一；Delete 删除该消息及其后的全部消息。
brokerRow = broker { $broker }
leader = leader
epoch = 纪元
cell = { $value } e{ $epoch }，broker { $broker }：纪元加一
append = 在 broker { $broker } 上追加一条消息
cutLast = 删除 broker { $broker } 上的最后一条消息
moreCells = 还有 { $count } 条
leaderEpoch = leader 纪元
steps = 步骤
runTitle = 标题
note = 说明
question = 问题
stepNamed = 步骤 { $number }
noteNamed = { $number ->
        [0] 开头的说明
       *[other] 步骤 { $number } 之后的说明
    }
questionNamed = { $number ->
        [0] 开头的问题
       *[other] 步骤 { $number } 之后的问题
    }
checkNamed = { $number ->
        [0] 开头的检查
       *[other] 步骤 { $number } 之后的检查
    }
noteAt = { $number ->
        [0] 开头的说明
       *[other] 步骤 { $number } 之后的说明
    }
questionAt = { $number ->
        [0] 开头的问题
       *[other] 步骤 { $number } 之后的问题
    }
newNote = 这里发生了什么？为什么？
newQuestion = 接下来会发生什么？
yes = 消息保留。
no = 消息丢失。
stepUp = 上移{ $what }
stepDown = 下移{ $what }
stepRemove = 移除{ $what }
addNote = 在“{ $what }”后添加说明
addQuestion = 在“{ $what }”后添加问题
stepKind = 步骤类型
step = 步骤
stepsText = 在舞台上的操作会成为步骤。点击步骤的编号，可查看该步骤之后的集群。
start = 开始
showStart = 开始：显示第一步之前的集群
showAfter = 显示步骤 { $number } 之后的集群
edit = 编辑
editOf = 编辑{ $what }：{ $step }
editTitle = 步骤 { $number }：{ $step }
stepLine = 该步骤的 YAML，写在一行内
lineWrong = 这不是有效的 YAML。请写一个步骤，例如 crash: { "{" }broker: 1{ "}" }
apply = 应用

## What the author expects, in the row of its check

expectedSeparator = ；
expectedOf = { $of }：{ $parts }
expectedValue = { $name } { $value }
expectedLog = { $records ->
        [nothing] 日志为空
       *[other] 日志 { $records }
    }
expectedAcked = { $values ->
        [nothing] 没有消息得到确认
       *[other] 已确认 { $values }
    }
expectedLost = { $values ->
        [nothing] 没有消息丢失
       *[other] { $values } 已丢失
    }
nothingViolated = 没有违反任何性质
expectedError = { $error ->
        [nothing] { $value } 没有出错
       *[other] { $value } 收到的错误：{ $error }
    }
expectedRead = { $values ->
        [nothing] { $consumer } 什么也没读到
       *[other] { $consumer } 读到了 { $values }
    }
expectedRefused = { $refused ->
        [false] 此步骤可以执行
       *[true] 此步骤无法执行
    }

## 从真实集群导入

clusterText = 粘贴 Kafka 工具的输出，或拖入文件：kafka-topics --describe、kafka-dump-log、kafka-metadata-quorum describe、kafka-configs --describe、kafka-features、kafka-get-offsets、kafka-log-dirs、kafka-reassign-partitions、kcat -L、broker 日志、ZooKeeper 的节点、Strimzi 资源、server.properties、检查点文件、meta.properties。粘贴的内容不会保存：只有你由此开始的运行会保存，而且除非你分享，没有其他人拥有它的链接。机密的值会丢弃。
toVerdict = 这个集群会丢什么？“我的集群”对每个分区给出结论。
paste = 工具的输出
read = 读取
addFiles = 添加文件
example = 插入示例
brokerHelp = 在检查点文件内容上方加一行“# broker 1”，指明它属于哪个 broker；也可以由文件路径判断。版本未知时请留空。
removeOf = 移除 { $name }
notUnderstood = { $count } 行无法解析。请删除或改正：
understood = 已识别
unknown = 未知，采用假定值
notUsed = 没有用到
differences = 与输入不同

## 我的运行

mine = 我的运行
mineText = 你在此浏览器中创建和分享的运行，各最多 400 个。密钥只保存在此浏览器中。
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
editAsFile = 以文件形式编辑
