"""What the race asks of a program. A rival is one file beside this one, with the parts that it can take part in."""

import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass


@dataclass
class Opening:
    """How a program's list is opened and how one sees that it is there."""

    command: list
    # Items that stand on the first screen at the least.
    rows: int = 10
    # Keys that lead from what the program shows first to its list.
    lead: bytes = b""
    # Keys that lead into the list once it shows.
    focus: bytes = b""
    down: bytes = b"j"
    up: bytes = b"k"
    # Keys that leave the program, for one that must not be ended by a signal.
    leave: bytes = b""


class Contestant:
    """One program. A method that a program has no answer to returns None, and the race leaves that out.

    A `home` is a folder of its own for one list: HOME and the XDG folders lead there, so nothing of the user's is read
    or written.
    """

    name = ""
    # The programs that must be installed, and the Debian or PyPI packages they come in.
    programs: tuple = ()
    version_words: tuple = ("--version",)
    # The largest list that is tried at all; above it the bound was passed long ago.
    largest = 100_000
    # The most changes that are sent.
    largest_sent = 10_000
    # What a reader has to know to judge the figures: durability, what it does less or more.
    note = ""

    def __init__(self, launcher, tools):
        self.launcher = launcher
        # Where to look for programs first: the folder of the race's own Python environment.
        self.path = f"{tools}:{os.environ.get('PATH', '/usr/bin:/bin')}:/usr/sbin"

    def program(self, name):
        return shutil.which(name, path=self.path)

    def missing(self):
        return [name for name in self.programs if not self.program(name)]

    def version(self):
        command = [self.program(self.programs[0]), *self.version_words]
        said = subprocess.run(
            command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30, env=self.environment("/nonexistent"))
        words = (said.stdout + said.stderr).replace(",", " ").split()
        return next((word for word in words if word[:1].isdigit() and "." in word), "")

    def environment(self, home):
        """Nothing of the caller's but where programs are."""
        return {
            "PATH": self.path, "HOME": str(home), "XDG_CONFIG_HOME": f"{home}/config", "XDG_DATA_HOME": f"{home}/data",
            "XDG_CACHE_HOME": f"{home}/cache", "XDG_STATE_HOME": f"{home}/state", "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "USER": "race",
        }

    def run(self, home, *command, limit=120.0):
        return self.launcher.run(command, self.environment(home), home, limit)

    # One list, its commands, its screen.

    def make(self, home, count):
        """Writes a list of `count` items in the program's own format."""
        raise NotImplementedError

    def add(self, home, text):
        return None

    def listing(self, home):
        return None

    def done(self, home, number):
        """The command that completes item `number`. Each is completed only once."""
        return None

    def opening(self, home):
        return None

    # Sync: a server and two devices.

    def serve(self, folder):
        """Starts the server on a free port, without any item."""
        return None

    def device(self, home, folder, port):
        """Prepares a device that reaches the server of `folder` at this port, which is the proxy's."""

    def offline(self, home, count):
        """Makes `count` new items on the device, as if typed while the server was away."""

    def send(self, home):
        """The commands that send them to the server."""

    def receive(self, home):
        """The commands that bring all items to a device that has nothing."""

    def refresh(self, home):
        """The commands that bring what is new; nothing waits to be sent."""

    def change(self, home, number, text):
        """Gives item `number` another text on this device and sends it to the server; not timed."""

    def count(self, home):
        """How many items the device has."""

    def fill_server(self, folder, count):
        """Puts `count` items into the server itself, where sending them takes too long. False if there is no way."""
        return False


def write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
