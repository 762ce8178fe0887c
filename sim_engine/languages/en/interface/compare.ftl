### The comparison of two runs.

compare = Compare
with = Compare with
none = Compare…
stop = Stop comparing
sideInView = The side in view
controlRun = Its control run: { $title }
openControlRun = Compare with its control run: { $title }
versions = The same steps under
branches = Another branch
here = { $name } · step { $step } of { $steps }
hereMessage = { $name } · step { $step } of { $steps }, message { $message } of { $messages }
thisBranch = this branch
comparing = Comparing…
same = The two runs are the same at the end of every step.
side = { $kind ->
    [settings] with { $name }
    [branch] in the branch “{ $name }”
    [scenario] in “{ $name }”
    [thisBranch] in { $name }
   *[version] in { $name }
}
parting = Step { $step } differs: { $a } { $sideA }, { $b } { $sideB }
quoted = “{ $step }”
between = ,{ " " }
betweenSentences = .{ " " }
more = { $count } more
noStep = no step
start = Different { $what } at the start
start_brokers = brokers
start_configs = settings
start_topics = topics, logs or leaders
start_rules = rules
start_seed = latencies
start_metadata_version = protocol levels
start_inter_broker_protocol_version = protocol levels
meanwhile = Events on the other side
before = { $count } earlier events …
first = First difference, step { $step }: { $what } { $a } { $sideA }, { $b } { $sideB }
onlyIn = Only { $side }, step { $step }: { $property }
show = show
differs = different here
differsIn = : { $rows }
differsRow = broker { $broker } ({ $parts })
betweenRows = ,{ " " }
records = records
state = state
agrees = same here
nothing = nothing
log = broker { $broker }’s log is
high_watermark = broker { $broker }’s high watermark is
role = broker { $broker } is
broker_state = broker { $broker } is
epoch_cache = broker { $broker }’s epochs are
leader = the leader is
isr = the ISR is
elr = the ELR is
leader_epoch = the leader epoch is
partition_epoch = { $control ->
    [zookeeper] the znode version is
   *[kraft] the partition epoch is
}
outcome = the response to a producer is
error = the error returned to a producer is
value = what a consumer read is
other = { $where } is
