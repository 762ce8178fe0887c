### The insights page.

from = From { $runs ->
        [one] { $runs } share
       *[other] { $runs } shares
    }, summarized { $when }. All runs are simulated; nothing was measured on real clusters.
lossTitle = Runs that lost an acknowledged record
chart = Chart
table = Table
viewOf = { $title }: view as
behindTitle = Faults that led to a loss
behindText = Last fault before the record was lost, number of runs
behindNone = No fault that led to a loss has enough runs yet.
lessonsTitle = Most shared lessons
lessonsText = Shares of each unmodified lesson
lessonsNone = No lesson has been shared often enough yet.
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
ownNone = Campaigns that you run are shown here. Run one, and tell the service which folder it is in:
ownChoose = Campaign
ownName = { $name }: { $title } (runs: { $runs })
ownProblem-too_large = { $name }: the summary is larger than 16 MB, so it is not shown.
ownProblem-too_many_cells = { $name }: the campaign has more than 512 cells, so it is not shown.
ownProblem-no_summary = { $name }: _summary.json is not the summary of a campaign.
ownProblem-other_version = { $name }: the summary has the format of another version. Summarize the campaign again with --resume.
tabShared = Shared runs
campaignAbout = Campaign { $campaign }, { $when }, engine { $engine }
campaignAboutUndated = Campaign { $campaign }, engine { $engine }
csv = CSV
csvOf = { $title }: data as CSV
settingOn = on
settingOff = off
settingNever = never
kafkaAxis = Kafka
controlAxis = controller
matrixText = Share of runs that lost an acknowledged record, with { $confidence } intervals
matrixCell = { $settings }: { $lost } of { $of } runs lost a record, { $low } to { $high }
matrixEmpty = does not exist
cellZero = 0 ≤ { $high }
cellRange = { $low } to { $high }
mineTitle = Your settings
mineText = Results of the runs with these settings, and the effect of changing one setting
mineLost = { $lost } of { $of } runs lost an acknowledged record: { $rate } ({ $low } to { $high }).
mineNone = None of { $of } runs lost an acknowledged record; the true rate is at most { $high }.
mineNothing = No run of this cell put an acknowledged record at risk, so it is not evidence about losses.
mineCauses = Causes: { $causes }.
causeCount = { $cause } ({ $runs })
mineUnavailable = Writes were not possible for { $share } of the time.
mineOpen = Open the shortest run: { $cause }, { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
changesTitle = The same seeds with one setting changed
changesBetter = { $axis } { $to } instead of { $from }: fewer losses ({ $here } runs lost a record only with { $from }, { $there } only with { $to })
changesWorse = { $axis } { $to } instead of { $from }: more losses ({ $here } runs lost a record only with { $from }, { $there } only with { $to })
changesSame = { $axis } { $to } instead of { $from }: no significant difference ({ $here } against { $there })
changesShow = Show
survivalText = Share of runs that still have every acknowledged record, by number of faults: { $settings }
survivalFaults = faults
survivalLeft = Runs left
survivalNone = No curve for these settings.
forestText = Odds ratios with { $confidence } intervals, all else equal. Left of 1: protects. Right of 1: harms.
forestProtects = protects
forestHarms = harms
forestNoEffect = no effect
forestUnknown = Not estimated: { $terms }
termNot = { $axis } { $value }, not { $reference }
reason-never_lost = { $term } (no run with it lost a record)
reason-always_lost = { $term } (every run with it lost a record)
reason-never_happened = { $term } (the same in every run)
reason-determined = { $term } (follows from other settings)
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
finding-never_lost = No run lost a record with { $settings }; the rate is at most { $high }
finding-neverLostAnywhere = No run lost a record; the rate is at most { $high }
finding-fell = { $axis } { $to } instead of { $from } lowers the rate of loss, in { $number } of the comparisons
finding-rose = { $axis } { $to } instead of { $from } raises the rate of loss, in { $number } of the comparisons
finding-no_difference = { $axis }: no significant difference in { $number ->
        [one] { $number } comparison
       *[other] { $number } comparisons
    }
finding-noEffect = No fault or setting has a clear effect
finding-survival = After { $faults ->
        [one] { $faults } fault
       *[other] { $faults } faults
    }, { $share } of the runs with { $settings } still have every record ({ $low } to { $high })
finding-odds = { $term }: the odds of a loss are multiplied by { $number } ({ $low } to { $high })
finding-too_few_runs = No cell has { $number } runs that put a record at risk: too few for a finding
cause-power_loss = power loss
cause-disk_loss = disk loss
cause-unclean_election = unclean election
cause-missed_metadata = leader that missed its deposition
cause-leader_only = acknowledged only by the leader (acks=1)
cause-protocol_rule = the protocol's own rules
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
sharedNone = There is no summary yet. The operator of this service creates one with “highwater summarize”. Shared runs appear in the next summary.
sharedAreExamples = These are examples that people chose to share. They are not evidence about how often something happens. A run that was shared several times counts once, and unmodified lessons are counted separately. Rows with few runs are not shown. Deleted runs disappear from the next summary.
versionsTitle = Shared runs by release
versionsNone = No release has enough runs yet.
versionsText = User runs; red: a record acknowledged with acks=all was lost
allRuns = Runs
lostAcksAll = Lost with acks=all
lostAcks1 = Lost with acks=1
settingsTitle = Shared runs by setting
settingsNone = No setting has enough runs yet.
settingsText = Runs that people made; red: a record acknowledged with acks=all was lost (for acks 1: with acks=1)
openLesson = { $lesson }, shared { $shares } times
