"""Sync: changes made offline up to a server, down to a fresh device, then a refresh with nothing new and with one change.

Each story has a server, two devices and a store of its own, and the way to the server leads through the proxy. CPU of
the server is taken around the commands; what it costs to start it is not counted.
"""

import items
from cost import Failed, TooSlow

SECTION = "Sync"
COSTS = "What a sync costs"
BOUND = 120
SLOW = 10
REFRESHES = 3
LEGS = ("up", "down", "nothing new", "one change")


def measure(race, sizes, trips):
    for trip in trips:
        for size in sizes:
            slow = set()
            for repeat in range(race.repeats):
                for one in race.contestants:
                    if one not in slow and is_slow(race, one, size, trip, repeat):
                        slow.add(one)


def is_slow(race, one, size, trip, repeat):
    """One story. True if it is not to be repeated, or not to be had."""
    folder = race.home(one, f"sync-{size}-{trip}-{repeat}")
    service = one.serve(folder)
    if not service:
        return True
    story = Story(race, one, folder, service, size, trip)
    peak = 0.0
    try:
        story.run()
    except (TooSlow, Failed) as error:
        race.complain(one.name, error)
        story.give_up(error)
    finally:
        peak = story.service.end()
    if trip == 0:
        race.results.add(COSTS, f"server's peak memory, {size:,} items", "MiB", one.name, peak)
    race.results.save()
    return story.longest > SLOW or story.stopped


class Story:
    def __init__(self, race, one, folder, service, size, trip):
        self.race, self.one, self.folder, self.service, self.size, self.trip = race, one, folder, service, size, trip
        self.longest, self.stopped, self.leg = 0.0, False, LEGS[0]

    def device(self, name):
        home = self.folder / name
        home.mkdir()
        self.race.proxy.aim(self.service.port, 0)
        self.one.device(home, self.folder, self.race.proxy.port)
        return home

    def run(self):
        first = None
        if self.size <= self.one.largest_sent:
            try:
                first = self.send_all()
            except TooSlow as error:
                self.give_up(error)
        else:
            self.race.results.say(SECTION, self.title("up"), "s", self.one.name, "not tried")
        if not first:
            # Where sending takes too long, the server gets its items another way and the rest can be measured.
            self.begin_again()
        self.leg = "down"
        second = self.device("second")
        self.timed("down", second, self.one.receive(second))
        self.expect(second)
        first = first or self.other()
        for number in range(REFRESHES):
            self.timed("nothing new", second, self.one.refresh(second))
        for number in range(REFRESHES):
            self.race.proxy.aim(self.service.port, 0)
            self.one.change(first, 20 + number, f"{items.text(20 + number)} now")
            self.timed("one change", second, self.one.refresh(second))
            for command in self.one.refresh(first):
                self.one.run(first, *command)

    def send_all(self):
        first = self.device("first")
        self.one.offline(first, self.size)
        self.timed("up", first, self.one.send(first))
        return first

    def begin_again(self):
        self.service.end()
        folder = self.race.home(self.one, f"{self.folder.name}-filled")
        self.folder = folder
        self.service = self.one.serve(folder)
        if not self.one.fill_server(folder, self.size):
            raise Failed(f"{self.one.name} has no other way to fill its server")

    def other(self):
        """A device that has everything, for the changes; not timed."""
        home = self.device("first")
        for command in self.one.receive(home):
            self.one.run(home, *command)
        return home

    def title(self, leg):
        return f"{leg}, {self.size:,} items, {self.trip} ms"

    def timed(self, leg, home, commands):
        """The commands of one leg, by way of the proxy."""
        self.leg = leg
        self.race.tell(f"{self.one.name}: {self.title(leg)}")
        traffic = self.race.proxy.aim(self.service.port, self.trip)
        before, costs = self.service.cpu(), []
        for command in commands:
            costs.append(self.race.launcher.run(command, self.one.environment(home), home, BOUND))
        wall, name, results = sum(cost.wall for cost in costs), self.one.name, self.race.results
        self.longest = max(self.longest, wall)
        results.add(SECTION, self.title(leg), "s", name, wall)
        if self.trip == 0:
            about = f"{leg}, {self.size:,} items"
            results.add(COSTS, f"sent and received: {about}", "bytes", name, traffic.up + traffic.down)
            results.add(COSTS, f"requests (turns): {about}", "", name, traffic.turns)
            results.add(COSTS, f"connections: {about}", "", name, traffic.connections)
            results.add(COSTS, f"client's CPU: {about}", "cpu", name, sum(cost.cpu for cost in costs))
            results.add(COSTS, f"server's CPU: {about}", "cpu", name, self.service.cpu() - before)
            if leg in ("up", "down"):
                results.add(COSTS, f"client's peak memory: {about}", "MiB", name, max(cost.memory for cost in costs))

    def expect(self, home):
        """A time beside a wrong result is none."""
        found = self.one.count(home)
        if found != self.size:
            raise Failed(f"{self.one.name}: {found} of {self.size} items came down")

    def give_up(self, error):
        self.stopped = True
        note = f"> {BOUND} s" if isinstance(error, TooSlow) else "failed"
        self.race.results.say(SECTION, self.title(self.leg), "s", self.one.name, note)
