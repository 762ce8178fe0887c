### What is modelled, and what holds the engine to Kafka.

fidelity = Fidelity
fidelityText = What Highwater models as Kafka does it, where it is simpler, what it leaves out, and what it is held to. Where the engine and a real cluster differ, the engine is wrong.
recordings = Recordings of real clusters
recordingsText = Each is one run of a real cluster, with what was on every disk and what clients were told after each step. The engine is replayed beside it and compared in every field, in every test run.
recordingsCount = { $count ->
        [one] recording
       *[other] recordings
    }
releasesCount = { $count ->
        [one] release
       *[other] releases
    }
casesCount = of Kafka’s own test cases
casesText = { $part } of them can be expressed only in part.
steps = { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
modelled = Modelled as Kafka does it
tests = Checked against Kafka’s own tests
losses = When an acknowledged record is lost
simpler = Simpler than Kafka
left_out = Left out so far
filter = Filter
nothing = Nothing here has these words.
original = What follows is kept in English, with the code.
held = Held against real Kafka
heldText = Every field that was recorded must be what the engine has.
heldLink = How this is checked
openRecording = Open on the stage
