"""What a command, an open program or a server costs: wall time, CPU, peak memory."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time
from dataclasses import dataclass

TICK = os.sysconf("SC_CLK_TCK")


class TooSlow(Exception):
    """The bound was reached; the program was ended."""


class Failed(Exception):
    """The program ended with an error, or did not do what was asked; the text says which."""


@dataclass
class Cost:
    """Wall and CPU in seconds, memory in MiB (peak of the largest process)."""

    wall: float
    cpu: float
    memory: float


class Launcher:
    """Runs programs through `launch.py`, which says there why it is a process of its own."""

    def __init__(self, log):
        # What the programs print goes to this file: nothing is timed that a screen slows down.
        self.log = str(log)
        script = pathlib.Path(__file__).with_name("launch.py")
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True)

    def ask(self, **order):
        self.process.stdin.write(json.dumps(order).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, command, environment, folder, limit=60.0):
        """Runs a command to its end. Raises `TooSlow` after `limit` seconds, `Failed` if it reports an error."""
        began = self.start(command, environment, folder)
        answer = self.ask(do="wait", pid=began["pid"], limit=limit)
        if not answer:
            self.ask(do="end", pid=began["pid"], patience=2)
            raise TooSlow(f"{command[0]} took longer than {limit:.0f} s")
        if answer["status"] != 0:
            raise Failed(f"{' '.join(map(str, command))[:300]}: exit code {answer['status']}\n{self.last_words()}")
        return Cost(answer["ended"] - began["began"], answer["cpu"], answer["memory"])

    def start(self, command, environment, folder, terminal=None, log=None):
        where = {"terminal": terminal} if terminal else {"output": str(log or self.log)}
        command = [str(word) for word in command]
        return self.ask(do="start", command=command, environment=environment, folder=str(folder), **where)

    def end(self, pid, patience=5):
        return self.ask(do="end", pid=pid, patience=patience)

    def last_words(self, log=None):
        file = pathlib.Path(log or self.log)
        text = file.read_text(errors="replace") if file.exists() else ""
        return "\n".join(text.splitlines()[-6:])

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.process.stdout.close()


class Service:
    """A server that runs until it is ended. It listens on a port of 127.0.0.1 that was free a moment before."""

    def __init__(self, launcher, command, environment, folder, port, limit=30.0):
        self.launcher, self.port = launcher, port
        log = pathlib.Path(folder) / "server.log"
        self.pid = launcher.start(command, environment, folder, log=log)["pid"]
        until = time.monotonic() + limit
        while not listens(port):
            if time.monotonic() > until or not os.path.exists(f"/proc/{self.pid}/stat"):
                self.end()
                raise Failed(f"{command[0]} does not listen\n{launcher.last_words(log)}")
            time.sleep(0.02)

    def cpu(self):
        """Seconds so far, of all its processes: to the nanosecond where they run, to a tick (10 ms) where they ended."""
        total = 0.0
        for entry in os.listdir("/proc"):
            try:
                fields = entry.isdigit() and pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
                # The fourth field after the name is the session, which the launcher made for this server alone.
                if fields and int(fields[3]) == self.pid:
                    total += process_clock(int(entry)) + (int(fields[13]) + int(fields[14])) / TICK
            except OSError:
                continue
        return total

    def end(self):
        """Ends the server and returns the peak of its memory and its children's, in MiB."""
        return self.launcher.end(self.pid).get("memory", 0.0)


def process_clock(pid):
    """CPU time of a process in seconds; the clock's number is made as by the C library's clock_getcpuclockid."""
    return time.clock_gettime((~pid << 3) | 2)


def peak_memory(pid):
    """Peak resident memory of a process that runs, in MiB."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0
