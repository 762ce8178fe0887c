### 挑战：用少数故障违反一个性质。

challenges = 挑战
challengesText = 在固定的设置下，用有限的几次故障打破 Kafka 的一项保证。有些挑战无解。完成、无步可走或放弃之后，才显示搜索得到的结果。
solvedIn = 你用 { $moves } 步完成
best = 已知最少 { $moves } 步
unbeatable = 无解：已搜索全部 { $states } 个状态
unbeatableTitle = 无解
unbeatableText = 用这些操作，在这些设置和故障下，该性质不可能被违反。搜索已检查全部 { $states } 个状态。
faultsLeft = 剩余故障
notAllowed = 不可用
token = { $fault }：剩余 { $left } / { $allowed }
turnRed = 目标：违反此性质
fallen = 已违反
moves = 已执行的操作
yourMove = 轮到你
takes = 消耗 1 次
movesOf = { $moves } 步
where = 当前状态
possible = 可执行的操作
none = 没有可执行的操作了。请撤销，或重新开始。
undo = 撤销
redo = 重做
over = 重新开始
undoText = 撤销会恢复该故障的可用次数。没有时间限制，刷新页面不会丢失进度。
othersNotScored = 其他 { $count } 个性质不计分
earlier = { $move ->
        [0] 你正在查看第一步操作之前的情况。
       *[other] 你正在回看第 { $move } 步操作。
    }
toLast = 回到最后一步的结果
hint = 给我提示
nextHint = 给我第 { $number } 条提示（共 { $hints } 条）
giveUp = 放弃并显示结果
showSolution = 显示步数最少的解法
solution = 搜索找到的步数最少的解法
playSolution = 从头演示
playNext = 演示下一步
wonBySearch = 这是搜索找到的解法，不计入你的成绩。
sent = 我用 { $moves } 步{ $property ->
        [AckedRecordAtRisk] 让 { $value } 有了丢失风险
        [LogMatching] 让两份日志变得不同
       *[NoAckedRecordLost] 弄丢了 { $value }
    }{ $better ->
        [0] 。你也能做到吗？
       *[other] ；你能用 { $better } 步做到吗？
    }
yourResult = 可以发送的结果
copyResult = 复制结果
open = 在运行页面打开
share = 分享我的解法
also = 也试试
between = { $value } 目前还靠什么保住
copies = 副本
onDisk = 已刷盘
mayLead = 可通过 clean 选举当选
brokersNone = 无
won = 用 { $moves } 步完成。
bestOne = 这是已知的最少步数。
notBest = 已知最少 { $best } 步。
kafka = Kafka
