"""How many actions a second the engine runs, over the shipped scenarios as they are."""

import time

from sim_engine import Timeline, list_shipped

SECONDS_AT_LEAST = 3.0


def measure() -> None:
    scenarios = list_shipped()
    if not scenarios:
        print("no scenario is shipped")
        return
    actions = rounds = 0
    started = time.perf_counter()
    while (seconds := time.perf_counter() - started) < SECONDS_AT_LEAST:
        for scenario in scenarios:
            timeline = Timeline(scenario)
            timeline.run_all()
            actions += len(timeline.frames) - 1
        rounds += 1
    print(
        f"{len(scenarios)} scenarios, {rounds} rounds: {actions / seconds:,.0f} actions a second, "
        f"{1000 * seconds / actions:.2f} ms each"
    )
