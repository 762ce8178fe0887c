### 教案：可打印的学习路径，供教师使用。

title = 教案
about = 可打印的学习路径。教师版包含每一步、讲解要点、答案及理由；学生版只有问题。
sheet = 版本
teacher = 教师版
pupils = 学生版
print = 打印
toPath = 学习路径
whole = 共 { $lessons } 课，阅读约 { $minutes } 分钟。
teacherHas = 包含步骤、讲解要点和正确答案。
pupilsHave = 只有问题，不含答案。
minutes = { $minutes } 分钟
steps = { $steps } 步
questions = { $questions } 个问题
code = 二维码：{ $url }
step = 步骤
stepOf = 第 { $step } 步
happens = 发生了什么
question = 问题
right = 正确：
wrong = 错误：
why = 为什么？
remember = 要点：
