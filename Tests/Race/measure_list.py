"""The open list: first paint, a key to the screen, memory."""

import time

from cost import Failed, TooSlow
from terminal import Terminal

SECTION = "The open list"
# Seconds until a list that does not show is given up.
BOUND = 60
# A start that takes longer than this is measured once.
SLOW = 5


def measure(race, sizes):
    for size in sizes:
        homes = {}
        for one in race.contestants:
            if not one.opening(race.folder):
                continue
            if size > one.largest:
                race.results.say(SECTION, f"first paint, {size:,} items", "s", one.name, "not tried")
                continue
            homes[one] = race.home(one, f"list-{size}")
            one.make(homes[one], size)
        slow = set()
        for repeat in range(race.repeats):
            for one, home in homes.items():
                # What ran before has taken the processor's caches: one start that is not counted brings them back.
                if one not in slow and not one.opening(home).lead:
                    slow |= {one} if open_once(race, one, home, size, counted=False) else set()
                if one not in slow and open_once(race, one, home, size, keys=race.keys if repeat < 3 else 0):
                    slow.add(one)
            race.results.save()


def open_once(race, one, home, size, keys=0, counted=True):
    """One start, with as many keys afterwards. True if it is too slow to be repeated: then it counts in any case."""
    name, opening = one.name, one.opening(home)
    paint = f"first paint, {size:,} items"
    race.tell(f"{name}: {paint}")
    terminal = Terminal(race.launcher, opening.command, one.environment(home), home)
    try:
        began = terminal.began
        waited = 0.0
        if opening.lead:
            # Counted is what the program needs before the key and after it, not how long it was left alone between.
            waited = terminal.until_output(BOUND) - began
            terminal.settle()
            began = terminal.press(opening.lead)
        took = waited + terminal.until_rows(opening.rows, BOUND) - began
        if not counted and took < SLOW:
            return False
        race.results.add(SECTION, paint, "s", name, took)
        race.results.add(SECTION, f"memory, {size:,} items", "MiB", name, terminal.memory())
        terminal.settle()
        if opening.focus:
            terminal.press(opening.focus)
            terminal.settle()
        press_keys(race, terminal, opening, name, size, keys if took < SLOW else 20)
        return took > SLOW
    except TooSlow:
        race.results.say(SECTION, paint, "s", name, f"> {BOUND} s")
        return True
    except Failed as error:
        race.complain(name, error)
        return True
    finally:
        terminal.close(opening.leave)


def press_keys(race, terminal, opening, name, size, keys):
    """Down the list and up again, one key at a time, each when the one before is drawn."""
    for number in range(keys):
        since = terminal.press(opening.down if number < keys // 2 else opening.up)
        took, length = terminal.drawn(since)
        race.results.add(SECTION, f"key to screen, {size:,} items", "s", name, took)
        race.results.add(SECTION, f"bytes a key, {size:,} items", "bytes", name, length)
        time.sleep(0.005)
