"""A program in a terminal of its own: how long until its list is there, and until a key is drawn.

Bytes are timed as they come and only looked at afterwards; no terminal is emulated. A number of six digits leads each
item of the race (see `items.py`), so the list is there when enough different ones have been written.
"""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
import tty

from cost import Failed, TooSlow, peak_memory

ROWS, COLUMNS = 24, 80
# Output is over when nothing more has come for so long, or for twice the time until the first of it, in seconds.
QUIET = 0.06
ESCAPES = re.compile(
    rb"\x1b\[[0-9;:?<>=]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>78cMNO]|\x0f|\x0e")
NUMBERS = re.compile(rb"(?<![0-9])1[0-9]{5}(?![0-9])")


class Terminal:
    """Opens a program; `began` is the time right before its exec."""

    def __init__(self, launcher, command, environment, folder):
        self.launcher = launcher
        self.screen, self.seen = None, b""
        own, other = pty.openpty()
        tty.setraw(own)
        fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, COLUMNS * 8, ROWS * 16))
        environment = {**environment, "TERM": "xterm-256color"}
        started = launcher.start(command, environment, folder, terminal=os.ttyname(other))
        # Kept open until the program has opened it: else the terminal would be gone before.
        os.close(other)
        self.screen, self.pid, self.began, self.name = own, started["pid"], started["began"], command[0]

    def read(self, patience):
        """The bytes that come within `patience` seconds; nothing if none come or the program has ended."""
        if not select.select([self.screen], [], [], max(0, patience))[0]:
            return b""
        try:
            return os.read(self.screen, 1 << 16)
        except OSError:
            return b""

    def until_rows(self, rows, limit):
        """Waits until so many items were written; the time of it."""
        seen = bytearray()
        until = time.monotonic() + limit
        while True:
            piece = self.read(until - time.monotonic())
            came = time.monotonic()
            if not piece:
                if came >= until:
                    raise TooSlow(f"{self.name} showed no list within {limit:.0f} s")
                raise Failed(f"{self.name} ended without a list:\n{plain(seen)[-600:]!r}")
            seen += piece
            if len(set(NUMBERS.findall(plain(seen)))) >= rows:
                return came

    def until_output(self, limit):
        """Waits until a first screen stands: something was written, and then nothing for a while. The time of the last."""
        last, until = None, time.monotonic() + limit
        while time.monotonic() < until:
            piece = self.read(limit if last is None else 0.3)
            if not piece:
                break
            # A clock or a cursor is not a screen.
            last = time.monotonic() if last is None or len(piece) > 500 else last
        if last is None:
            raise TooSlow(f"{self.name} wrote nothing within {limit:.0f} s")
        return last

    def press(self, keys):
        os.write(self.screen, keys)
        return time.monotonic()

    def drawn(self, since, limit=20.0):
        """The time from `since` to the last byte of the output that follows, and how many bytes that were."""
        length, last, first = 0, None, None
        until = since + limit
        while True:
            quiet = limit if first is None else min(max(QUIET, 2 * first), until - time.monotonic())
            piece = self.read(quiet)
            if not piece:
                if last is None:
                    raise TooSlow(f"{self.name} drew nothing within {limit:.0f} s of a key")
                return last, length
            last = time.monotonic() - since
            first = last if first is None else first
            length += len(piece)

    def settle(self, quiet=0.3, limit=20.0):
        """Waits until nothing more is drawn."""
        until = time.monotonic() + limit
        while time.monotonic() < until and self.read(quiet):
            pass

    def memory(self):
        return peak_memory(self.pid)

    def close(self, leave=b""):
        """Ends the program, with the keys that leave it if there are some."""
        if leave:
            self.press(leave)
            self.settle(quiet=0.1, limit=1)
        if not leave or not self.launcher.ask(do="wait", pid=self.pid, limit=1):
            self.launcher.end(self.pid, patience=0.5)
        os.close(self.screen)


def plain(text):
    return ESCAPES.sub(b"", bytes(text))
