### The pages of the articles: what they claim, and what Kafka does.

articles = Articles
articlesText = Five well-known articles about Kafka’s replication, claim by claim. Each claim lists the versions in which it is correct, and a step that shows it.
counts = { $claims ->
        [one] { $claims } claim
       *[other] { $claims } claims
    }, { $lessons ->
        [one] { $lessons } lesson to watch
       *[other] { $lessons } lessons to watch
    }
right = correct
nearly = nearly correct
wrong = not what Kafka does
score = { $right } correct, { $nearly } nearly correct, { $wrong } not what Kafka does
all = All
only = Claims to show
watched = { $count } of { $claims } watched
holdsIn = correct in
verdictIn = Verdict for Kafka
inRelease = { $kafka }: { $verdict }
originBook = from the book
originFirstPart = its first part
originMissing = its text does not name: { $missing }
originAuthor = author
originSite = site
originDate = date
claim = Claim { $number }
says = The article says
does = Kafka
linkTo = Link to claim { $number }
andMore = and { $count } more
questions = The article’s questions, answered
unknown = There is no article with this number.
