"""Commands: add, list, done, from exec to exit with the output in a file."""

import items
from cost import Failed, TooSlow

SECTION = "Commands"
BOUND = 60
# A command that takes longer than this is measured once.
SLOW = 5


def measure(race, sizes):
    for size in sizes:
        homes = {}
        for one in race.contestants:
            if not one.listing(race.folder):
                continue
            if size > one.largest:
                for verb in ("add", "list", "done"):
                    race.results.say(SECTION, f"{verb}, {size:,} items", "s", one.name, "not tried")
                continue
            homes[one] = race.home(one, f"commands-{size}")
            race.tell(f"{one.name}: a list of {size:,} items")
            one.make(homes[one], size)
        for verb in ("add", "list", "done"):
            measure_verb(race, homes, verb, size)


def measure_verb(race, homes, verb, size):
    title = f"{verb}, {size:,} items"
    took = {one: 0.0 for one in homes}
    for repeat in range(race.repeats):
        for one, home in homes.items():
            # Of each two runs the first is not counted: what ran before has taken the processor's caches. That is
            # nothing to a command that takes longer than half a second, and three of those are enough.
            for counted in (False, True):
                wanted = took[one] < SLOW and (took[one] < 0.5 or (counted and repeat < 3))
                command = words(one, home, verb, 2 * repeat + counted)
                if command and wanted:
                    took[one] = run_once(race, one, home, command, title, counted)
    race.results.save()


def run_once(race, one, home, command, title, counted):
    """The seconds it took; one that is too slow to be repeated counts in any case."""
    race.tell(f"{one.name}: {title}")
    try:
        cost = race.launcher.run(command, one.environment(home), home, BOUND)
    except (TooSlow, Failed) as error:
        race.results.say(SECTION, title, "s", one.name, f"> {BOUND} s" if isinstance(error, TooSlow) else "failed")
        race.complain(one.name, error)
        return BOUND
    if counted or cost.wall > SLOW:
        race.results.add(SECTION, title, "s", one.name, cost.wall)
        race.results.add(SECTION, f"memory: {title}", "MiB", one.name, cost.memory)
    return cost.wall


def words(one, home, verb, repeat):
    if verb == "add":
        return one.add(home, items.text(500_000 + repeat))
    if verb == "list":
        return one.listing(home)
    return one.done(home, 10 + repeat)
