### A presentation: in front of a class, and on the screens of its followers.

present = Present
presenting = Presentation
follow = Follow along
code = QR code: { $url }
here = { $count ->
        [one] { $count } follower
       *[other] { $count } followers
    }
answered = { $count ->
        [one] { $count } has answered
       *[other] { $count } have answered
    }
noLink = Others cannot follow: { $reason }
stored = a shared run cannot be presented to followers. Make a copy of it first.
starting = Creating the link for others …
step = Step { $step } of { $steps }
stepOnly = Step { $step }
messageOf = message { $message } of { $messages }
next = next: { $title }
back = back
watch = watch it
reveal = reveal the answers
hide = hide the answers
black = blank the screen
leave = leave
share = { $percent } %
of = { $count } of { $total }
ofAnd = { $count } of { $total }, and Kafka { $kafka } agrees
right = right
yours = your answer
question = Question
asked = Question: { $question } Answers: { $answers }
rightIs = Right answer: { $answer }
votesOf = { $answer }: { $count } of { $total } { $total ->
        [one] vote
       *[other] votes
    }.
yoursIs = Your answer: { $answer }
choose = Choose an answer. Votes are anonymous.
changed = You can change your answer until the answers are revealed.
wait = The presenter will reveal the answers.
blackNow = The presenter has blanked the screen.
ended = The presentation has ended.
continueYourself = Continue yourself
connecting = Connecting …
again = The connection was lost. Reconnecting …
failed = Cannot follow this presentation: { $reason }
following = You are following a presentation. It advances by itself.
