"""What the race rests on: the proxy that stands for the way, and the ratios. Run by `make race` before it begins."""

import socket
import tempfile
import threading
import time
import unittest

import items
import report
from cost import Failed, Launcher, TooSlow
from delay import Delay
from results import Results
from terminal import NUMBERS, plain


class EchoServer:
    """Answers each byte with as many as its value says."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                while piece := client.recv(1):
                    client.sendall(b"x" * piece[0])


def exchange(client, count):
    client.sendall(bytes([count]))
    received = 0
    while received < count:
        received += len(client.recv(count))


class TheProxy(unittest.TestCase):
    def setUp(self):
        self.server, self.proxy = EchoServer(), Delay()

    def tearDown(self):
        self.proxy.close()
        self.server.listener.close()

    def dialled(self):
        return socket.create_connection(("127.0.0.1", self.proxy.port))

    def test_counts_connections_turns_and_bytes(self):
        traffic = self.proxy.aim(self.server.port, 0)
        for _ in range(2):
            with self.dialled() as client:
                exchange(client, 100)
                exchange(client, 50)
        self.assertEqual((traffic.connections, traffic.turns, traffic.up, traffic.down), (2, 4, 4, 300))

    def test_holds_bytes_for_a_round_trip_and_a_connection_for_one_more(self):
        self.proxy.aim(self.server.port, 40)
        began = time.monotonic()
        with self.dialled() as client:
            exchange(client, 1)
            first = time.monotonic() - began
            exchange(client, 1)
            second = time.monotonic() - began - first
        self.assertGreaterEqual(first, 0.079)
        self.assertGreaterEqual(second, 0.039)

    def test_passes_the_end_of_a_stream_on(self):
        self.proxy.aim(self.server.port, 0)
        with self.dialled() as client:
            exchange(client, 1)
            client.shutdown(socket.SHUT_WR)
            self.assertEqual(client.recv(1), b"")

    def test_closes_a_connection_to_a_server_that_is_not_there(self):
        self.proxy.aim(1, 0)
        with self.dialled() as client:
            self.assertEqual(client.recv(1), b"")

    def test_begins_to_count_again_when_it_is_aimed(self):
        with self.dialled_and_used():
            pass
        self.assertEqual(self.proxy.aim(self.server.port, 0).connections, 0)

    def dialled_and_used(self):
        self.proxy.aim(self.server.port, 0)
        client = self.dialled()
        exchange(client, 1)
        return client


class TheLauncher(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.launcher = Launcher(f"{self.folder.name}/output")
        self.environment = {"PATH": "/usr/bin:/bin"}

    def tearDown(self):
        self.launcher.close()
        self.folder.cleanup()

    def run_shell(self, script, limit=10):
        return self.launcher.run(["sh", "-c", script], self.environment, self.folder.name, limit)

    def test_says_what_a_command_cost(self):
        cost = self.run_shell("sleep 0.1")
        self.assertGreaterEqual(cost.wall, 0.1)
        self.assertGreater(cost.memory, 0)

    def test_ends_what_takes_too_long(self):
        with self.assertRaises(TooSlow):
            self.run_shell("sleep 60", limit=0.1)

    def test_a_command_that_fails_is_no_measurement(self):
        with self.assertRaisesRegex(Failed, "exit code 3\nno such list"):
            self.run_shell("echo no such list; exit 3")

    def test_a_program_that_is_not_there_fails(self):
        with self.assertRaisesRegex(Failed, "exit code 127"):
            self.launcher.run(["no-such-program"], self.environment, self.folder.name)


class TheReport(unittest.TestCase):
    def setUp(self):
        self.results = Results()
        for value in (0.010, 0.011, 0.100):
            self.results.add("Part", "paint", "s", "Ebb", value)
        self.results.add("Part", "paint", "s", "Slow", 0.110)
        self.results.add("Part", "paint", "s", "Quick", 0.005)
        self.results.say("Part", "paint", "s", "Stuck", "> 60 s")
        self.contestants = ("Ebb", "Slow", "Quick", "Stuck", "Absent")

    def test_shows_medians_ratios_and_why_there_is_none(self):
        head, row = report.table(self.results.sections["Part"], self.contestants)
        self.assertEqual(head, ["", "Ebb", "Slow", "Quick", "Stuck"])
        self.assertEqual(row, ["paint", "11 ms", "10 × (110 ms)*", "**0.45 ×** (5 ms)*", "> 60 s"])

    def test_says_where_ebb_is_not_ahead(self):
        behind, even = report.not_ahead(self.results.sections)
        self.assertEqual(behind, ["Part, paint: Quick 5 ms, Ebb 11 ms"])
        self.assertEqual(even, [])

    def test_a_small_difference_is_none(self):
        self.results.add("Part", "key", "s", "Ebb", 0.0010)
        self.results.add("Part", "key", "s", "Other", 0.0009)
        self.assertEqual(report.not_ahead(self.results.sections)[1], ["Part, key: Other 0.90 ms, Ebb 1 ms"])

    def test_columns_stand_below_each_other(self):
        lines = [["", "Ebb"], ["a long title", "1 ms"]]
        self.assertEqual(report.markdown(lines), "|              | Ebb  |\n| ------------ | ---- |\n| a long title | 1 ms |")
        self.assertEqual(report.text([["", "Ebb"], ["a", "**1 ms**"]]), "   Ebb\na  1 ms")

    def test_figures_are_readable(self):
        shown = [report.shown(0.0005, "s"), report.shown(1.5, "s"), report.shown(2_500_000, "bytes"), report.shown(3, "")]
        self.assertEqual(shown, ["0.50 ms", "1.5 s", "2.5 MB", "3"])

    def test_a_row_that_is_measured_again_begins_again(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = Results(f"{folder}/results.json")
            kept.add("Part", "paint", "s", "Ebb", 1)
            kept.add("Part", "key", "s", "Ebb", 2)
            kept.facts = {"date": "today"}
            kept.save()
            again = Results(f"{folder}/results.json")
            again.load()
            again.add("Part", "paint", "s", "Ebb", 3)
            rows = again.sections["Part"]
        self.assertEqual([rows[title]["figures"]["Ebb"]["samples"] for title in ("paint", "key")], [[3], [2]])


class TheItems(unittest.TestCase):
    def test_are_the_same_in_every_run_and_all_different(self):
        texts = {items.text(number) for number in range(1000)}
        self.assertEqual(len(texts), 1000)
        self.assertEqual(items.identity(7), items.identity(7))
        average = sum(map(len, texts)) / 1000
        self.assertTrue(40 <= average <= 50, average)

    def test_are_seen_among_the_colours_of_a_screen(self):
        screen = b"\x1b[1;4H\x1b[32m100001 call\x1b[K\x1b(B\x1b[m 2026-11-23 1000011"
        self.assertEqual(NUMBERS.findall(plain(screen)), [b"100001"])


if __name__ == "__main__":
    unittest.main()
