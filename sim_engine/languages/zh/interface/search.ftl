### The search for a failure. It never says that a run is safe.

title = 从此处查找故障
question = 从这一步开始，会发生这种情况吗？
property = 要查找的故障
budget = 允许的故障
depth = 最大步数
seconds = 最长秒数
search = 查找
cancel = 取消
progress = { $states } 个状态，最多 { $depth } 步，{ $seconds } 秒
violated = 会，{ $steps } 步之内：{ $property }
violatedAlready = 在这一步已经发生。
open = 作为分支打开
none = 在这些限制内未找到。已检查 { $depth } 步以内的所有状态（共 { $states } 个）。增加故障数或步数后仍可能存在。
cut = 搜索停止前未找到：已检查 { $states } 个状态，最多 { $depth } 步。其余状态尚未检查。
cancelled = 已取消。其余状态尚未检查。
grain = 搜索会逐步尝试用户可执行的所有操作，最短的序列优先。
