"""Starts the programs of the race and says what each of them cost.

This file runs as a small process of its own, for two reasons. The peak memory that the system reports for a child begins
with the memory of the process that forked it, so that process has to be small. And when the race ends in any way, even
by SIGKILL, this process sees the end of its standard input and ends every program that still runs.

One JSON object a line on standard input, one answer a line on standard output:
  {"do": "start", "command", "environment", "folder", "output": file} or "terminal": path instead of "output"
      -> {"pid", "began"}                      `began` is the monotonic time right before exec, in seconds
  {"do": "wait", "pid", "limit": seconds}
      -> {"status", "ended", "cpu", "memory"}  seconds, MiB; {} if it still runs after the limit
  {"do": "end", "pid", "patience": seconds}    SIGTERM, and SIGKILL after the patience
      -> the same as for "wait"
CPU and memory include the children that the program waited for; memory is the peak of the largest of them.
"""

import json
import os
import select
import signal
import struct
import sys
import time

running = {}
"""The handle of each program that was started and not yet waited for, by its process id."""


def start(order):
    """Forks and runs a program in a session of its own; a terminal becomes its controlling terminal."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        become(order, writing)
    os.close(writing)
    said = os.read(reading, 64)
    os.close(reading)
    running[pid] = os.pidfd_open(pid)
    return {"pid": pid, "began": struct.unpack("d", said[:8])[0] if len(said) >= 8 else time.monotonic()}


def become(order, writing):
    """The child: never returns."""
    try:
        os.setsid()
        if "terminal" in order:
            # The first terminal that a session leader opens is its controlling terminal.
            files = [os.open(order["terminal"], os.O_RDWR)] * 3
        else:
            output = os.open(order["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            files = [os.open(os.devnull, os.O_RDONLY), output, output]
        for number, file in enumerate(files):
            os.dup2(file, number)
        os.chdir(order["folder"])
        os.write(writing, struct.pack("d", time.monotonic()))
        os.execvpe(order["command"][0], order["command"], order["environment"])
    except BaseException as error:
        os.write(2, f"{order['command'][0]}: {error}\n".encode())
    os._exit(127)


def wait(pid, limit):
    """Waits for a program to end. Nothing if it runs on, or if the race itself has ended meanwhile."""
    ready, _, _ = select.select([running[pid], 0], [], [], limit)
    if running[pid] not in ready:
        return {}
    ended = time.monotonic()
    # Children that outlive the program are no part of any measurement.
    end_group(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    os.close(running.pop(pid))
    return {
        "status": os.waitstatus_to_exitcode(status),
        "ended": ended,
        "cpu": usage.ru_utime + usage.ru_stime,
        "memory": usage.ru_maxrss / 1024,
    }


def end_group(pid, number):
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        pass


def end(pid, patience):
    end_group(pid, signal.SIGTERM)
    answer = wait(pid, patience)
    if not answer:
        end_group(pid, signal.SIGKILL)
        answer = wait(pid, 10)
    return answer


def obey(order):
    if order["do"] == "start":
        return start(order)
    if order["do"] == "wait":
        return wait(order["pid"], order["limit"])
    return end(order["pid"], order["patience"])


def main():
    rest = b""
    while piece := os.read(0, 1 << 16):
        rest += piece
        while b"\n" in rest:
            line, rest = rest.split(b"\n", 1)
            os.write(1, json.dumps(obey(json.loads(line))).encode() + b"\n")
    for pid in list(running):
        end_group(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


if __name__ == "__main__":
    sys.exit(main())
