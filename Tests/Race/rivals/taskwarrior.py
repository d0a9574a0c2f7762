"""Taskwarrior with its server taskd: two files of lines, sync by replaying a log of changes, over TLS with certificates
on both sides."""

import json
import pathlib
import re
import subprocess

import items
from cost import Service, free_port

from .base import Contestant, write

# An extension of a certificate is read from a file only.
NAMES = "subjectAltName=DNS:localhost,IP:127.0.0.1\n"


class Taskwarrior(Contestant):
    name = "Taskwarrior"
    programs = ("task", "taskd", "openssl")
    note = ("its files are on the disk (fdatasync) before a command ends; its sync speaks TLS with certificates on both"
            " sides, which the others here do not; the newest change of an attribute wins; no screen of its own")

    def environment(self, home):
        return {**super().environment(home), "TASKRC": f"{home}/taskrc"}

    def settings(self, home, more=""):
        write(home / "taskrc", f"data.location={home}\nconfirmation=no\nverbose=nothing\nhooks=off\n"
                               f"{more}")

    def make(self, home, count):
        self.settings(home)
        self.fill(home, count)

    def fill(self, home, count):
        """Lines of its own format 4, as `task add` writes them."""
        write(home / "pending.data", "".join(
            f'[description:"{items.text(number)}" entry:"{1_790_000_000 + number}" modified:"{1_790_000_000 + number}"'
            f' status:"pending" uuid:"{items.identity(number)}"]\n' for number in range(count)))

    def add(self, home, text):
        return ["task", "add", *text.split()]

    def listing(self, home):
        return ["task", "list"]

    def done(self, home, number):
        return ["task", items.identity(number), "done"]

    # Sync.

    def serve(self, folder):
        port = free_port()
        self.certificates(folder)
        self.configure(folder, port)
        return Service(self.launcher, ["taskd", "server", "--data", folder], self.environment(folder), folder, port)

    def certificates(self, folder):
        """An authority, and a certificate of it for the server and one for the devices."""
        write(folder / "names", NAMES)
        self.openssl(folder, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Race -keyout ca.key -out ca.pem")
        for who in ("server", "client"):
            self.openssl(folder, f"req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout {who}.key -out {who}.csr")
            self.openssl(folder, f"x509 -req -in {who}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2"
                                 f" -extfile names -out {who}.pem")

    def openssl(self, folder, words):
        self.run(folder, "openssl", *words.split())

    def configure(self, folder, port):
        self.run(folder, "taskd", "init", "--data", folder)
        # By default a server refuses more than 1 MiB, which 10,000 items are: no limit.
        settings = {"server": f"localhost:{port}", "log": folder / "taskd.log", "pid.file": folder / "taskd.pid",
                    "request.limit": 0, "ca.cert": folder / "ca.pem"}
        for who in ("server", "client"):
            settings |= {f"{who}.cert": folder / f"{who}.pem", f"{who}.key": folder / f"{who}.key"}
        for name, value in settings.items():
            self.run(folder, "taskd", "config", "--force", name, value, "--data", folder)
        self.run(folder, "taskd", "add", "org", "race", "--data", folder)
        command = [self.program("taskd"), "add", "user", "race", "one", "--data", str(folder)]
        said = subprocess.run(command, capture_output=True, text=True, env=self.environment(folder), check=True)
        (folder / "key").write_text(re.search(r"key: (\S+)", said.stdout).group(1))

    def device(self, home, folder, port):
        self.settings(home, f"taskd.server=localhost:{port}\ntaskd.credentials=race/one/{(folder / 'key').read_text()}\n"
                            f"taskd.certificate={folder}/client.pem\ntaskd.key={folder}/client.key\ntaskd.ca={folder}/ca.pem\n")

    def offline(self, home, count):
        """The tasks, and the log of them that the next sync sends."""
        self.fill(home, count)
        lines = (json.dumps({"description": items.text(number), "entry": "20260101T000000Z", "modified": "20260101T000000Z",
                             "status": "pending", "uuid": items.identity(number)}, separators=(",", ":"))
                 for number in range(count))
        write(home / "backlog.data", "".join(line + "\n" for line in lines))

    def refresh(self, home):
        return [["task", "sync"]]

    send = receive = refresh

    def change(self, home, number, text):
        self.run(home, "task", items.identity(number), "modify", *text.split())
        self.run(home, "task", "sync")

    def count(self, home):
        """Tasks that synced wait in the same file as all others."""
        return sum(1 for _ in open(pathlib.Path(home) / "pending.data"))
