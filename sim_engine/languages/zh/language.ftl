### The language itself.

# What it calls itself, for the switch between languages.
name = 中文
# Two letters or signs for the same switch, where there is no room for the name.
short = 中
# The tag by which browsers write its dates and numbers, and which pages name as their language.
formats = zh-CN
# What stands between the elements of a list in a sentence.
separator = 、
# With a region, as other sites ask for it.
locale = zh_CN
