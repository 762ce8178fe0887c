### The pages of the articles: what they claim, and what Kafka does.

articles = Articles
articlesText = Five well-known articles about Kafka’s replication, claim by claim. Each claim has the versions in which it is so, and a step that shows it.
counts = { $claims ->
        [one] { $claims } claim
       *[other] { $claims } claims
    }, { $lessons ->
        [one] { $lessons } lesson to watch
       *[other] { $lessons } lessons to watch
    }
right = right
nearly = nearly
wrong = Kafka does otherwise
score = { $right } right, { $nearly } nearly, { $wrong } where Kafka does otherwise
all = All
only = Claims to show
watched = { $count } of { $claims } watched
holdsIn = holds in
claim = Claim { $number }
says = The article says
does = Kafka
linkTo = Link to claim { $number }
andMore = and { $count } more
questions = The article’s questions, answered
unknown = There is no article with this number.
