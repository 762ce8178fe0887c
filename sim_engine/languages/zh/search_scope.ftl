### Why a search does not try something (sim_engine/exploration/scope.py), after its name. `entry` is
### a name in the budget.

budget = 它的次数上限为 0：把 { $entry } 设为正数即可尝试。
without = 它只有与 { $entry } 一起才有影响，而 { $entry } 的次数上限为 0。
part = 它是另一个步骤的一部分，搜索会整体尝试那个步骤。
composed = 它由多个步骤组成，搜索会逐一尝试这些步骤。
finer = 只有把每条报文当作单独的步骤时，搜索才会尝试它。
any_order = 搜索会尝试步骤的所有先后顺序，不论发生在什么时间，因此它不会带来新的结果。
no_effect = 搜索所查找的问题都不取决于它。
release = 这个版本或这种 controller 没有它。
transactions = 搜索写入的消息不属于任何事务。
default = 搜索始终使用默认值。
