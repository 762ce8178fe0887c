### A presentation: in front of a class, and on the screens of those who follow.

present = Present
presenting = Presentation
follow = Follow along
code = Code for a camera: { $url }
here = { $count ->
        [one] { $count } is here
       *[other] { $count } are here
    }
answered = { $count ->
        [one] { $count } has answered
       *[other] { $count } have answered
    }
noLink = Others cannot follow: { $reason }
stored = a stored run cannot be followed. Make a copy of it first.
starting = The link for others is being made …
step = Step { $step } of { $steps }
stepOnly = Step { $step }
next = next: { $title }
watch = watch it
reveal = reveal the answers
hide = hide the answers
black = black
leave = leave
share = { $percent } %
of = { $count } of { $total }
ofAnd = { $count } of { $total }, and what { $kafka } does
right = right
yours = your answer
question = Question
choose = Choose an answer. Nobody learns who chose what.
changed = You can change your answer until the answers are revealed.
wait = The answers come when the presenter reveals them.
blackNow = The presenter shows nothing at the moment.
ended = The presentation has ended.
connecting = Connecting …
again = The connection was lost. Connecting again …
failed = This presentation cannot be followed: { $reason }
following = You follow a presentation. It moves by itself.
