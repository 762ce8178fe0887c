### Why a search does not try something (sim_engine/exploration/scope.py), after its name. `entry` is
### a name in the budget.

budget = Its budget is 0: set { $entry } to try it.
without = It makes a difference only together with { $entry }, whose budget is 0.
part = It is part of another step, which the search tries as a whole.
composed = It consists of steps that the search tries one by one.
finer = The search tries it only if every message is a separate step.
any_order = The search tries every order of steps, whenever they happen, so this adds nothing.
no_effect = Nothing that the search looks for depends on it.
release = This release, or its kind of controller, does not have it.
transactions = The search sends its records without transactions.
default = The search always uses the default.
