### The forms of steps and of settings.

withValues = With other values…
withValuesOf = With other values: { $step }
anyAction = Any action, with your own values…
formTitle = Act with your own values
kindOfStep = Action
do = Do it
optional = optional
nothing = not set
count = how many
countHint = Several records, numbered upwards from the value.
countWrong = This must be a whole number from { $least } to { $most }.
countDiffers = With several values, this must be their number: { $count }. To number records upwards, enter a single value.
waitingKinds = Waiting now
otherKinds = Other kinds
valuesHint = Several values: separate them with spaces.
replicasHint = Broker ids, the preferred leader first, separated by commas. Leave it empty to cancel the reassignment in progress.
keptHint = Log end offset that survives; empty: the flushed records.
otherPartitions = { $count ->
        [one] { $count } action on other partitions
       *[other] { $count } actions on other partitions
    }


about-fetch = Runs the follower’s fetch loop until it has applied records or its fetch is waiting at the leader.
about-send_fetch = The follower sends only its next request. You deliver the request and its response yourself.
about-advance = The clock moves and due timers fire. Messages stay where they are.
about-run = Everything that is due within this time happens, including message deliveries.
about-power_loss = Kills the process and discards everything that was not flushed to disk, unless you specify how much survives.
about-boot = The process starts and opens its logs. It has received no metadata yet.

arg-to = to
arg-values = values
arg-acks = acks
arg-as = client
arg-broker = broker
arg-produce-broker = to this broker, leader or not
arg-consume-broker = from this broker
arg-idempotent = idempotent
arg-sequence = sequence number
arg-timeout_ms = timeout (ms)
arg-do = operation
arg-nth = which of several, the oldest first
arg-partition = partition
arg-rack = rack
arg-max = records at most
arg-isolation = isolation level
arg-records = records at most
arg-deliver-records = metadata records in one delivery
arg-only = ends after
arg-shutdown-only = only its
arg-drop = loses
arg-kind = kind
arg-from = from
arg-skip = replaced by the next one
arg-follower = waiting follower
arg-keep = log that survives
arg-session = its old session
arg-ms = time (ms)
arg-slow-ms = delay of each message (ms)
arg-leader = required leader
arg-replicas = replicas

choice-truncation = truncation
choice-response = the response
choice-kept = still exists
choice-all = all
choice-brokers = the other brokers
choice-controller = the controller
choice-clean = clean: from the ISR
choice-preferred = preferred leader
choice-unclean = unclean, if necessary
choice-begin = begin
choice-end = end
choice-commit = commit
choice-abort = abort
choice-isr_expiration = ISR check
choice-high_watermark_checkpoint = high watermark checkpoint
choice-recovery_point_checkpoint = recovery point checkpoint
choice-flush = flush to disk
choice-isr_change_propagation = ISR change check
choice-heartbeat = heartbeat
choice-session_timeout = session timeout
choice-preferred_leader_check = check for preferred leaders
choice-unclean_leader_check = check for leaderless partitions
choice-long_poll = end of a waiting fetch
choice-fetch_backoff = end of a fetch backoff
choice-produce_timeout = timeout of waiting produce requests
choice-on = on
choice-off = off

settings = { $count ->
        [one] { $count } setting
       *[other] { $count } settings
    }
uncleanElection = unclean election
settingsTitle = Settings of this run
settingsAbout = Kafka { $kafka } under { $control }. Marked settings differ from this version’s default.
settingsFilter = Filter settings
ofProducers = Producers
ofProducersAbout = A producer sets these for each record that it sends. A restart changes every produce step.
withoutEffect = No effect here
withoutEffectAbout = What they control is not modelled, so changing them changes no run. They are kept, so that a cluster’s configuration stays whole.
produceWith = Produce with it …
produceWithHint = Opens the form of the next produce step with this setting filled in.
openSetting = Change { $name }, now { $value }
defaultIs = default { $value }
ofTopic = topic { $topic }: { $value }
unlimited = no limit
changed = changed
asStep = Change it now
asStepHint = Adds a step to this run. The setting applies from here on.
anew = Restart with this setting
anewHint = The same lesson from the start, as a separate run.
besideIt = Compare with this setting
besideHint = The same lesson from the start, below this run.
foretold = With this, the run differs from step { $step } on{ $title ->
    [nothing] { "" }
   *[other] : { $title }
}.
foretoldSame = With this, the run stays the same.
foretoldBetter = No longer: { $property }.
foretoldUnpromised = With acks={ $acks } Kafka does not promise to keep a record, so its loss violates nothing.
foretoldWorse = In addition: { $property }.
noSuchSetting = No matching setting.
