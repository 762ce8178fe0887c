### What is modelled, and how the engine is checked against Kafka.

fidelity = Fidelity
fidelityText = What Highwater models exactly, what it simplifies, what it leaves out, and how it is checked. If the engine and a real cluster differ, the engine is wrong.
recordings = Recordings of real clusters
recordingsText = Each is one run of a real cluster. After every step it records the contents of every disk and the responses to clients. Every test run replays the same steps in the engine and compares every field.
recordingsCount = { $count ->
        [one] recording
       *[other] recordings
    }
releasesCount = { $count ->
        [one] release
       *[other] releases
    }
casesCount = of Kafka’s own test cases
casesText = { $part } of them are only partly covered.
steps = { $steps ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
modelled = Modelled exactly
tests = Checked against Kafka’s own tests
losses = When an acknowledged record is lost
simpler = Simplified
left_out = Not modelled yet
filter = Filter
nothing = No entry contains these words.
original = The following text exists only in English, next to the code.
held = Checked against real Kafka
heldText = The engine must match every recorded field.
heldLink = How this is checked
openRecording = Open on the stage
