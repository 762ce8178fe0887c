### 几个与课程有关的页面的用语。

everyVersion = 所有版本
noVersion = 没有任何版本
upTo = { $version } 及以前
fromOn = { $version } 起
fromTo = { $from } 到 { $to }
comma = 、
watch = 观看
watchAgain = 再看一次
stepOf = 《{ $title }》第 { $step } 步
remember = 要点
nextLesson = 下一课：{ $title }
