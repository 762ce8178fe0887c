### Messages over time. Labels are placed next to arrows and dots, so they are short.

title = Messages over time
show = Show messages over time
hide = Hide messages over time
full = Full size
dock = Back below the logs
steps = { $last ->
        [nothing] step { $first }
       *[other] steps { $first } to { $last }
    }
step = { $number } { $title }
start = start
seconds = { $value } s
now = t = { $time }
untimed = no time passes
untimedWhy = Every step of this run happens without letting time pass.
dueNext = due next
dueIn = in { $time }
dueNow = now
letPass = Let time pass until then: { $timer } { $due }
both = both
all = all
partitions = Partitions shown
playhead = Playhead at { $time }
window = { $steps }. Press the up and down arrow keys to move along a lane, with Shift to switch lanes.
said = { $what }. { $sentence }
named = { $what }, { $from } → { $to }. { $sentence }

## Lanes.

broker = Broker { $broker }
producers = { $count ->
        [one] Producer { $names }
       *[other] Producers { $names }
    }
consumers = { $count ->
        [one] Consumer { $names }
       *[other] Consumers { $names }
    }
controller = Controller
leader = leader
staleLeader = leader, epoch { $epoch }?
follower = follower
down = down
paused = paused

## Timers that are due. Without a broker: of several.

timer-isr_expiration = { $broker ->
        [nothing] ISR check
       *[other] ISR check of broker { $broker }
    }
timer-high_watermark_checkpoint = { $broker ->
        [nothing] HW files
       *[other] HW file of broker { $broker }
    }
timer-recovery_point_checkpoint = { $broker ->
        [nothing] recovery point files
       *[other] recovery point file of broker { $broker }
    }
timer-isr_change_propagation = { $broker ->
        [nothing] ISR change checks
       *[other] ISR change check of broker { $broker }
    }
timer-session_timeout = { $broker ->
        [nothing] sessions end
       *[other] session of broker { $broker } ends
    }
timer-long_poll = { $broker ->
        [nothing] waiting fetches
       *[other] waiting fetch at broker { $broker }
    }
timer-produce_timeout = { $broker ->
        [nothing] waiting producers
       *[other] waiting producers at broker { $broker }
    }
timer-unclean_leader_check = check for leaderless partitions

## What a message carries.

several = { $what } ×{ $count }
held = { $what }, held
lost = { $what }, dropped
fetch = fetch from { $offset }
fetched = { $values ->
        [nothing] { $count } records, HW { $high_watermark }
       *[other] { $values }, HW { $high_watermark }
    }
fetchedNothing = HW { $high_watermark }
diverges = epoch { $epoch } ends at { $offset }
asksEpoch = end of epoch { $epoch }?
respondsEpoch = ends at { $offset }
asksOffset = { $which ->
        [earliest] log start?
       *[other] log end?
    }
respondsOffset = { $which ->
        [earliest] starts at { $offset }
       *[other] ends at { $offset }
    }
commands = { $leader ->
        [-1] no leader, epoch { $leader_epoch }
       *[other] leader { $leader }, epoch { $leader_epoch }
    }
metadata = metadata
deletesReplica = delete replica
asksIsr = ISR { "{" }{ $isr }{ "}" }?
respondsIsr = ISR { "{" }{ $isr }{ "}" }
notifies = ISR changed

## Events in one place, and the requests and responses of clients.

produces = { $value }
acknowledges = ack { $value }
fails = { $error ->
        [nothing] refused
       *[other] { $error }
    }
waits = { $value } waits
leavesWithoutResponse = no response
learnsLeader = { $leader ->
        [-1] no leader
       *[other] leader { $leader }
    }
opensTransaction = begins
closesTransaction = { $how ->
        [commit] commits
        [abort] aborts
       *[other] ends
    }
marks = { $how ->
        [commit] commit marker
       *[other] abort marker
    }
lostRecord = { $value } lost
recordsAtRisk = { $values ->
        [nothing] { $count } at risk
       *[other] { $values } at risk
    }
recordsSafe = { $values ->
        [nothing] { $count } safe again
       *[other] { $values } safe again
    }
consumes = { $values ->
        [nothing] { $count } records
       *[other] { $values }
    }
readsNothing = nothing new
toldToFollower = read from { $follower }
appends = { $values ->
        [nothing] appends { $count } records
       *[other] appends { $values }
    }
cuts = { $values ->
        [nothing] truncates { $count } records
       *[other] truncates { $values }
    }
losesUnflushed = { $values ->
        [nothing] { $count } unflushed records gone
       *[other] unflushed { $values } gone
    }
movesHighWatermark = HW { $before } → { $after }
fileOfHighWatermark = { $offsets ->
        [nothing] HW to file
       *[other] HW { $offsets } to file
    }
fileOfRecoveryPoint = recovery point to file
flushes = flushes to { $flushed }
opensLog = opens its log
replicaMade = new replica
replicaDeleted = deletes its log
starts = starts
crashes = crashes
powerLost = power lost
diskLost = disk lost
stops = stops
ends = process ends
hangs = hangs
shutsDown = shuts down
pauses = pauses
resumes = resumes
slows = { $ms ->
    [0] no longer delayed
   *[other] slower by { $ms } ms
}
cutsLink = { $to ->
        [nothing] cut off
        [controller] cut from the controller
       *[other] cut from { $to }
    }
healsLink = { $to ->
        [nothing] links restored
        [controller] link to the controller restored
       *[other] link to { $to } restored
    }
takesOver = controller epoch { $controller_epoch }
sessionEnds = session of { $broker } ends
fences = fences { $broker }
unfences = unfenced
registers = registers
heartbeat = heartbeat
electedLeader = leader { $leader }, epoch { $leader_epoch }
nobodyLeads = no leader
notElected = no replica to elect
elrChanges = ELR { "{" }{ $elr }{ "}" }
assigns = replicas { $replicas }
failsWithException = fails
setsConfig = { $name } = { $value }
changesLevel = { $level }
leads = leads, epoch { $leader_epoch }
follows = follows { $leader }
leaderless = no leader
ignores = { $what ->
        [nothing] ignored
       *[other] ignores { $what }
    }
fetcherFails = fetcher fails
isrChanges = ISR { "{" }{ $isr }{ "}" }
checksIsr = ISR check
checksIsrChanges = ISR change check
outOfSync = { $replica } out of sync
refusesIsr = ISR not changed
