### 几个与课程有关的页面的用语。

watch = 观看
watchAgain = 再看一次
stepOf = 《{ $title }》第 { $step } 步
remember = 要点
backToLoss = 回到丢失消息的第 { $step } 步
nextLesson = 下一课：{ $title }
