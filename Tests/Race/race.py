"""The race: Ebb and its rivals in one run, each in a home of its own, in turn. `make race` starts this (see
Resources/run/race.sh).

Usage: race.py --ebb PROGRAM --tools FOLDER --out FOLDER [--sizes "1000 10000"] [quick] [list] [commands] [sync] [near | far]
               [keep] [NAME…]
  list, commands, sync   only these parts
  near, far              sync at 0 ms or at 50 ms round trip only
  quick                  small lists, few runs, no way of 50 ms: for a look at whether everything works
  keep                   keep what earlier runs measured, and measure again only what this one runs
  NAME                   only these rivals, beside Ebb
"""

import argparse
import datetime
import os
import pathlib
import platform
import shutil
import signal
import sys
import tempfile

import measure_commands
import measure_list
import measure_sync
import report
from cost import Failed, Launcher
from delay import Delay
from results import Results
from rivals.ebb import Ebb
from rivals.git import Git
from rivals.screens import Calcurse, Dooit, Topydo, Tudu
from rivals.taskwarrior import Taskwarrior
from rivals.todoman import Todoman

RIVALS = (Taskwarrior, Todoman, Git, Topydo, Calcurse, Tudu, Dooit)
PARTS = ("list", "commands", "sync")


class Race:
    """What every part of the race uses."""

    def __init__(self, options, folder):
        self.folder = folder
        self.quick = "quick" in options.words
        self.repeats, self.keys = (2, 20) if self.quick else (7, 60)
        self.trips = (50,) if "far" in options.words else (0,) if self.quick or "near" in options.words else (0, 50)
        self.results = Results(pathlib.Path(options.out) / "results.json")
        if "keep" in options.words:
            self.results.load()
        self.launcher = Launcher(folder / "output")
        self.proxy = Delay()
        self.made = 0
        ebb = Ebb(self.launcher, options.tools, pathlib.Path(options.ebb).resolve())
        rivals = [rival(self.launcher, options.tools) for rival in RIVALS]
        chosen = [rival for rival in rivals if rival.name in options.words or not options.named]
        left_out = [rival for rival in chosen if rival.missing()]
        self.contestants = [ebb] + [rival for rival in chosen if not rival.missing()]
        self.results.facts = {
            "date": datetime.date.today().isoformat(), "machine": machine(), "left out": ", ".join(
                f"{rival.name} ({', '.join(rival.missing())})" for rival in left_out)}
        self.described = [
            {"name": one.name, "version": one.version(), "note": one.note} for one in [ebb, *rivals] if not one.missing()]

    def home(self, one, name):
        """A fresh folder, which is not removed before the end: a file system is slow for a while after a mass removal."""
        self.made += 1
        home = self.folder / f"{self.made}-{one.name}-{name}"
        home.mkdir()
        return home

    def tell(self, what):
        """What runs, on a line that the next one writes over."""
        if sys.stderr.isatty():
            print(f"\r\x1b[K{what[:76]}", end="", file=sys.stderr, flush=True)

    def complain(self, name, error):
        self.tell("")
        print(f"{name}: {error}", file=sys.stderr, flush=True)

    def run(self, parts, sizes):
        if "list" in parts:
            measure_list.measure(self, sizes or ([1_000] if self.quick else [1_000, 10_000, 100_000]))
            self.results.save()
        if "commands" in parts:
            measure_commands.measure(self, sizes or ([1_000] if self.quick else [1_000, 10_000, 100_000]))
            self.results.save()
        if "sync" in parts:
            self.repeats = min(self.repeats, 5)
            sync_sizes = [size for size in sizes or ([100] if self.quick else [1_000, 10_000]) if size <= 10_000]
            measure_sync.measure(self, sync_sizes, self.trips)
        self.results.save()

    def close(self):
        self.launcher.close()
        self.proxy.close()


def machine():
    """Processors, memory and system: what makes two runs comparable."""
    processor = next((line.split(":", 1)[1].strip() for line in lines("/proc/cpuinfo") if line.startswith("model name")), "")
    memory = next((int(line.split()[1]) for line in lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    system = next((line.split("=", 1)[1].strip('"') for line in lines("/etc/os-release") if line.startswith("PRETTY_NAME")), "")
    return f"{os.cpu_count()} × {processor}, {memory / 1024 ** 2:.0f} GB, {system}, Linux {platform.release()}"


def lines(path):
    return pathlib.Path(path).read_text().splitlines() if os.path.exists(path) else []


def parsed(arguments):
    parser = argparse.ArgumentParser(usage=__doc__.split("Usage: ")[1])
    parser.add_argument("--ebb", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--sizes", default="")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args(arguments)
    names = {rival.name for rival in RIVALS}
    options.named = [word for word in options.words if word in names]
    unknown = [word for word in options.words if word not in names and word not in (*PARTS, "near", "far", "quick", "keep")]
    if unknown:
        parser.error(f"no such part or rival: {', '.join(unknown)} (there are {', '.join((*PARTS, *sorted(names)))})")
    options.parts = [part for part in PARTS if part in options.words] or PARTS
    options.sizes = [int(size.replace(",", "")) for size in options.sizes.split()]
    return options


def main():
    options = parsed(sys.argv[1:])
    # However the race ends, it goes by way of `finally`.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ebb-race-"))
    race = None
    try:
        race = Race(options, folder)
        race.run(options.parts, options.sizes)
        race.tell("")
        (pathlib.Path(options.out) / "race.md").write_text(report.compose(race.results, race.described))
        print(report.compose(race.results, race.described, report.text))
    except KeyboardInterrupt:
        print("\nrace: stopped", file=sys.stderr)
        sys.exit(130)
    except Failed as error:
        print(f"\nrace: {error}", file=sys.stderr)
        sys.exit(1)
    finally:
        if race:
            race.close()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
