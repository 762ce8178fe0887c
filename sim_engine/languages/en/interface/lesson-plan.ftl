### The lesson plan: the learning path on paper, for a teacher.

title = Lesson plan
about = The learning path to print: for the teacher with every step, the notes, and the answers with their reasons; for pupils with the questions alone.
sheet = Sheet
teacher = Teacher’s sheet
pupils = Pupils’ sheet
print = Print
toPath = The learning path
whole = { $lessons } lessons, { $minutes } minutes of reading.
teacherHas = With the steps, the notes and the right answers.
pupilsHave = With the questions, and without their answers.
minutes = { $minutes } min
steps = { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
questions = { $questions ->
        [one] { $questions } question
       *[other] { $questions } questions
    }
code = QR code: { $url }
step = Step
stepOf = Step { $step }
happens = What happens
question = Question
right = Right:
wrong = Wrong:
why = Why?
remember = Key point:
