"""Events: what happened, as values. Narration, the stage and analytics read nothing else.

One frozen struct for each event, in a module named after its subject. Events are never inferred
from states: the code that makes a change emits the event, with the numbers that it used and the
rule that it applied. Texts are looked up by an event's class and variant (`sim_engine.narration`);
code matches on the class. What is true of every event of a class, such as how telling it is, the
class says itself (`base.py`).
"""
