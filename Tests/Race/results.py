"""What was measured, in the order it was measured; kept as JSON so that parts can be run one at a time."""

import json
import pathlib
import statistics

EBB = "Ebb"


class Results:
    """Rows by section and title; in each row the samples of each contestant, or why there are none."""

    def __init__(self, file=None):
        self.file = pathlib.Path(file) if file else None
        self.sections = {}
        self.facts = {}
        self.begun = set()

    def load(self):
        """Keeps what earlier runs measured; a row that is measured again begins again."""
        if self.file and self.file.exists():
            kept = json.loads(self.file.read_text())
            self.sections, self.facts = kept["sections"], kept["facts"]

    def save(self):
        if self.file:
            self.file.write_text(json.dumps({"sections": self.sections, "facts": self.facts}, indent=1))

    def figure(self, section, title, unit, contestant):
        rows = self.sections.setdefault(section, {})
        if (section, title, contestant) not in self.begun:
            self.begun.add((section, title, contestant))
            rows.setdefault(title, {"unit": unit, "figures": {}})["figures"].pop(contestant, None)
        return rows[title]["figures"].setdefault(contestant, {"samples": [], "note": ""})

    def add(self, section, title, unit, contestant, value):
        self.figure(section, title, unit, contestant)["samples"].append(value)

    def say(self, section, title, unit, contestant, note):
        """Why a contestant has no figure, as "> 60 s"."""
        self.figure(section, title, unit, contestant)["note"] = note


def middle(row, contestant):
    """The median of a contestant's samples; nothing if it has none. Of CPU the mean: a server's is read in ticks of 10 ms,
    and their mean is right while their median is 0 or 10."""
    samples = row["figures"].get(contestant, {}).get("samples")
    if not samples:
        return None
    return statistics.fmean(samples) if row["unit"] == "cpu" else statistics.median(samples)
