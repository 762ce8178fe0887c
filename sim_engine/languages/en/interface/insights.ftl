### The insights page.

from = From { $runs ->
        [one] { $runs } share
       *[other] { $runs } shares
    }, summarized { $ago } ({ $when }). All runs are simulated; nothing was measured on real clusters.
lossTitle = Runs that lost an acknowledged record
chart = Chart
table = Table
viewOf = { $title }: view as
behindTitle = In { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    }, the last fault before the loss was { $fault }, more often than any other fault
behindTied = In { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    } each, the last fault before the loss was one of: { $faults }
behindLostNothing = In none of these runs was a fault followed by a loss with acks=all
behindText = Last fault before the record was lost, not necessarily its cause; number of runs, with acks=all
behindNone = No fault that led to a loss has enough runs yet
causesTitle = Most frequent known cause of a loss: { $cause }, in { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    }
causesTied = Most frequent known causes of a loss: { $causes }, in { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    } each
causesUnknown = The cause of the loss is unknown in { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    }
causesNone = No cause of a loss has enough runs yet
causesText = User runs that lost an acknowledged record, by the cause of the first loss; red: a record acknowledged with acks=all was lost
causesNote = Unknown: the stored events of { $runs ->
        [one] { $runs } older run
       *[other] { $runs } older runs
    } do not determine the cause.
causeBar = { $runs }, of which { $lost } lost a record with acks=all
cause = Cause
lessonsTitle = “{ $lesson }” was shared most often: { $shares ->
        [one] { $shares } time
       *[other] { $shares } times
    }
lessonsTied = { $lessons ->
        [one] { $lessons } lesson was
       *[other] { $lessons } lessons were
    } shared most often: { $shares ->
        [one] { $shares } time
       *[other] { $shares } times
    } each
lessonsText = Shares of each unmodified lesson
lessonsTextOf = Shares of each unmodified lesson; the chart has the first { $shown } of { $lessons }
lessonsNone = No lesson has been shared often enough yet
version = Kafka
runs = Relevant runs
lost = Lost a record
rate = Rate
interval = 95% interval
fault = Fault
faultRuns = Runs with this fault
lossyRuns = Runs that lost a record
lastBefore = Last fault before the loss
lesson = Lesson
shares = Shares
campaignTitle = What { $runs } simulated runs show
campaignLead = Random faults over { $seconds } s, the same seeds under every setting. Faults are far more frequent than in a real cluster, so use the numbers to compare settings, not to predict losses per year.
campaignTabs = Sources
tabCampaign = Simulated campaign
tabOwn = Your campaigns
ownNone = Campaigns that you run are shown here. Run one, and start the service with its folder:
ownHow = How to write grid.yaml
ownChoose = Campaign
ownLeftOut = { $count } more campaigns in the folder are not listed.
ownName = { $name }: { $title } (runs: { $runs })
ownProblem-too_large = { $name }: the summary is larger than 16 MB, so it is not shown.
ownProblem-too_many_cells = { $name }: the campaign has more than 512 cells, so it is not shown.
ownProblem-no_summary = { $name }: _summary.json is not the summary of a campaign.
ownProblem-other_version = { $name }: the summary has the format of another version. Summarize the campaign again with --resume.
tabShared = Shared runs
sharedLead = Counts of the runs that people shared on this site. Rates come from campaigns.
campaignAbout = Campaign { $campaign }, { $when }, engine { $engine }
campaignAboutUndated = Campaign { $campaign }, engine { $engine }
csv = CSV
csvOf = { $title }: data as CSV
settingOn = on
settingOff = off
settingNever = never
kafkaAxis = Kafka
controlAxis = controller
elrAxis = eligible leader replicas (KIP-966)
matrixText = Share of runs that lost an acknowledged record, with { $confidence } intervals. Each broker has its own faults, so a run with more brokers meets more of them
matrixEmpty = does not exist
matrixRows = Rows shown
matrixNear = Near your settings
matrixAll = All { $rows } combinations
cellZero = 0 ≤ { $high }
cellRange = { $low } to { $high }
mineTitle = Your settings
mineText = Results of the runs with these settings, and the effect of changing one setting
mineWith = { $value }, with { $others }
mineLost = { $lost } of { $of } runs lost an acknowledged record: { $rate } ({ $low } to { $high }).
mineNone = None of { $of } runs lost an acknowledged record; the true rate is at most { $high }.
mineNothing = No run of this cell put an acknowledged record at risk, so these runs do not show whether records can be lost.
separator = ,{ " " }
mineCauses = Causes: { $causes }.
causeCount = { $cause } ({ $runs })
mineRecords = Of the acknowledged records, { $share } were lost.
mineUnavailable = Writes were not possible for { $share } of the time.
mineOpen = Open the shortest run: { $cause }, { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
changesTitle = The same seeds with one setting changed
changesText = McNemar’s test. P-values are adjusted by Holm’s method, over all { $comparisons } comparisons of the campaign; confidence { $confidence }.
changesBetter = { $axis } { $to } instead of { $from }: fewer losses ({ $here ->
        [one] { $here } run
       *[other] { $here } runs
    } lost a record only with { $from }, { $there } only with { $to })
changesWorse = { $axis } { $to } instead of { $from }: more losses ({ $here ->
        [one] { $here } run
       *[other] { $here } runs
    } lost a record only with { $from }, { $there } only with { $to })
changesSame = { $axis } { $to } instead of { $from }: no difference above { $most } ({ $here } against { $there })
changesUndecided = { $axis } { $to } instead of { $from }: too few runs for a verdict ({ $here } against { $there }; taken alone, a difference of { $low } to { $high })
changesShow = Show
survivalText = Share of runs that still have every acknowledged record, by number of faults: { $settings }
survivalDiffers = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }, { $low } of the runs with { $worst } and { $high } with { $best } still have every record
survivalSame = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }, { $low } to { $high } of the runs still have every record: no clear difference
survivalEqual = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }, { $share } of the runs of each curve still have every record: no difference seen
survivalCommon = The same in both: { $settings }
survivalFaults = faults
survivalLeft = Runs left
survivalNone = No curve for these settings.
forestText = Odds ratios with { $confidence } intervals, all else equal. Left of 1: protects. Right of 1: harms. Terms that are significant after Holm’s adjustment are coloured.
forestProtects = protects
forestHarms = harms
forestNoEffect = no effect
forestUnknown = Not estimated: { $terms }
termNot = { $axis } { $value }, not { $reference }
reason-never_lost = { $term } (no run with it lost a record)
reason-always_lost = { $term } (every run with it lost a record)
reason-constant = { $term } (the same in every run)
reason-determined = { $term } (follows from other settings)
reason-separated = { $term } (predicts losses without exception, together with others)
reason-few_runs = { $term } (too few runs)
lagTitle = 50% of the records were committed within { $p50 }, 99% within { $p99 }
lagTitleNone = No record was committed
lagText = Time from append to commit: { $settings }
lagBelow = below { $ms }
lagUncommitted = { $count ->
        [one] { $count } record was never committed.
       *[other] { $count } records were never committed.
    }
milliseconds = { $ms } ms
seconds = { $seconds } s
column-settings = Settings
column-records = Records
column-oddsRatio = Odds ratio
column-effect = Effect
column-left = Runs left
column-survival = Still complete
effect-harms = harms
effect-protects = protects
effect-none = no clear effect
effect-unknown = not estimated
headline-never_lost = No run lost a record with { $settings }; the rate is at most { $high }
headline-neverLostAnywhere = No run lost a record; the rate is at most { $high }
headline-fell = { $axis } { $to } instead of { $from }: fewer runs lose a record, in { $number ->
        [one] { $number } comparison
       *[other] { $number } comparisons
    }
headline-rose = { $axis } { $to } instead of { $from }: more runs lose a record, in { $number ->
        [one] { $number } comparison
       *[other] { $number } comparisons
    }
headline-because = { $change }. Faults per run: { $faults } instead of { $faultsBefore }; writes possible { $writable } of the time instead of { $writableBefore }. Of the acknowledged records, { $lost } are lost instead of { $lostBefore }
headline-undecided = { $axis }: { $number ->
        [0] nothing was compared
        [one] the runs are too few for a verdict; { $number } comparison does not exclude a difference of { $high }
       *[other] the runs are too few for a verdict; { $number } comparisons do not exclude a difference of { $high }
    }
headline-no_difference = { $axis }: no difference above { $high } in { $number ->
        [one] { $number } comparison
       *[other] { $number } comparisons
    }
headline-noEffect = No fault or setting has a clear effect
headline-survival = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }, { $share } of the runs with { $settings } still have every record ({ $low } to { $high })
headline-odds = { $term }: the odds of a loss are multiplied by { $number } ({ $low } to { $high })
headline-too_few_runs = No cell has { $number } runs that put a record at risk: too few for a conclusion
cause-power_loss = power loss
cause-disk_loss = disk loss
cause-unclean_election = unclean election
cause-missed_metadata = leader that missed its deposition
cause-leader_only = acknowledged only by the leader (acks=1)
cause-protocol_rule = the protocol's own rules
cause-unknown = unknown
kind-crash = crash and restart
kind-pause = paused process
kind-shutdown = controlled shutdown
kind-isolate = isolated broker
kind-cut = cut link
kind-slow = slow broker
kind-late_metadata = delayed metadata
kind-fail_controller = controller failover
kind-power_loss = power loss of a broker
kind-rack_power_loss = power loss of a rack
kind-disk_loss = disk loss
sharedNone = No runs are counted yet. Open a run and share it with Share; the operator of this service then counts it with “highwater summarize”.
sharedAreExamples = These are examples that people chose to share. They do not show how often something happens. A run that was shared several times counts once, and unmodified lessons are counted separately. Rows with few runs are not shown. Deleted runs disappear from the next summary.
versionsTitle = { $lost } of { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    } lost a record acknowledged with acks=all, in { $some } of { $all ->
        [one] { $all } release
       *[other] { $all } releases
    }
versionsLostNothing = None of { $runs ->
        [one] { $runs } shared run
       *[other] { $runs } shared runs
    } lost a record acknowledged with acks=all, in { $all ->
        [one] { $all } release
       *[other] { $all } releases
    }
versionsNone = No release has enough runs yet
versionsText = User runs; red: a record acknowledged with acks=all was lost
allRuns = Runs
lostAcksAll = Lost with acks=all
lostAcks1 = Lost with acks=1
settingsTitle = Shared runs lost a record with { $some } of { $all ->
        [one] { $all } setting
       *[other] { $all } settings
    }
settingsAllLost = Shared runs lost a record with each of { $all ->
        [one] { $all } setting
       *[other] { $all } settings
    }: no difference
settingsLostNothing = No shared run lost a record with any of { $all ->
        [one] { $all } setting
       *[other] { $all } settings
    }: no difference
settingsNone = No setting has enough runs yet
settingsText = User runs; red: a record acknowledged with acks=all was lost (for acks 1: with acks=1)
openLesson = { $lesson }, shared { $shares } times
sharedFew = A row appears here as soon as enough different runs have it.
behindChartNone = The table lists the faults that occurred.
barLost = { $runs }, of which { $lost } lost a record
faultsTitle = { $fault } happened in { $runs } of { $all ->
        [one] { $all } run
       *[other] { $all } runs
    }, more than any other fault
faultsTitleTied = { $faults } each happened in { $runs } of { $all ->
        [one] { $all } run
       *[other] { $all } runs
    }
faultAssumption = { $fault }: { $assumption }
faultsTitleNone = No fault happened in any run
faultsText = The assumptions of the campaign: the expected number of faults in a step of { $step }, their mean duration, and the runs in which they happened. Each fault opens a run.
faultRate-broker = { $rate } for each broker, { $duration }
faultRate-rack = { $rate } for each rack, { $duration }
faultRate-cluster = { $rate } for the cluster, { $duration }
column-assumption = Expected number in a step, mean duration
openRow = Open one of these runs
openFailed = This run cannot be opened. { $reason }
short-replicas = RF
short-minIsr = min ISR
short-flush = flush
short-unclean = unclean
short-elr = ELR
kipsTitle = KIPs that had an effect in this column and not in the one before
survivalAfter = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }
survivalPoint = { $share } of the runs still have every record ({ $low } to { $high }); runs left: { $left }
survivalMedian = median: { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }
survivalDrawn = Curves are drawn while at least { $runs ->
        [one] { $runs } run is
       *[other] { $runs } runs are
    } left; the table has all points.
oddsOf = Odds ratio { $ratio } ({ $low } to { $high }); { $lost } of { $runs ->
        [one] { $runs } run
       *[other] { $runs } runs
    } with it lost a record
lagCount = { $count ->
        [one] { $count } record
       *[other] { $count } records
    }
cellLost = { $lost } of { $of } runs lost a record: { $low } to { $high }
ownFile = Open a summary
ownFileText = Or open the file _summary.json of a campaign here: choose it, or drop it on this page. It stays in this browser. If you open one of its runs, only its grid is sent to the service, which plays that run.
ownFromFile = File { $name }
fileNotJson = { $name } is not JSON. Choose the file _summary.json that “highwater campaign” writes.
fileTooLarge = { $name } is larger than 16 MB. Choose the file _summary.json that “highwater campaign” writes.
fileOtherVersion = { $name } has format version { $version }; this page reads version { $expected }. Summarize the campaign again with --resume.
fileTooManyCells = { $name } has more than 512 cells.
fileWrong = { $name } is not the summary of a campaign: { $place } is missing or has the wrong type.
tabSearches = Searched grids
searchesTitle = What searches decided
searchesLead = Each cell of a grid was searched for the shortest way to lose an acknowledged record. “Exhausted” is said of the steps and the budget of that search, not of Kafka.
searchesChoose = Searched grid
searchesSizes = Cells: { $cells }, of which violated: { $violated }, exhausted: { $exhausted }, cut by a limit: { $cut }. States: { $states }. Processor time: { $hours } h. Engine { $engine }.
searchesBounds = Grain: { $grain }. Limits of each cell: states, { $states }; depth, { $depth }.
searchesNotSearched = Cells not searched: { $count }.
searchGrain-step = steps of a user
searchGrain-exchange = exchanges (a fetch request with its response is one move; what they exhaust, messages may still violate)
searchGrain-message = messages
searchRegion = Verdicts by settings and release; a violated cell opens its run
searchCell-violated = { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
searchCell-exhausted = all { $states }
searchCell-depth = to { $depth }
searchCell-cut = cut at { $states }
searchCell-not_exercised = idle
searchHint = Move to a cell for its verdict. A violated cell opens its run.
searchIs-violated = Violated in { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }. Cause: { $cause }.
searchIs-exhausted = Exhausted, at any depth, within the steps and the budget of this search. States: { $states }.
searchIs-depth = Not violated up to depth { $depth }; what is deeper was not searched. States: { $states }.
searchIs-cut = Cut at depth { $depth } by the limit of states: { $states }. Not decided.
searchIs-not_exercised = Not exercised: no state could have violated the property. States: { $states }.
searchRule = A log was truncated by { $rule }.
searchPrevented = Prevented by: { $changes }.
searchCpu = Processor time: { $time }.
searchShares = Shares: { $shares }.
searchOpen = Open the run
searchScope = What this search tries and leaves out
searchTried = Tried: { $names }
searchLeftOut = Left out: { $names }
short-budget = budget
