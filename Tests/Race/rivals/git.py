"""git with one todo.txt, which is what people do who want no other sync."""

import items
from cost import Service, free_port

from .base import Contestant, write

# Nothing in the background, and no questions.
SETTINGS = """\
[user]
name = Race
email = race@localhost
[gc]
auto = 0
[maintenance]
auto = false
[init]
defaultBranch = main
[pull]
rebase = true
"""


class Git(Contestant):
    name = "git"
    programs = ("git",)
    note = ("one todo.txt, and no merge by item: two devices that changed neighbouring lines get a conflict in the file;"
            " no sign-in and no TLS here; todo.txt is written without waiting for the disk")

    def environment(self, home):
        return {**super().environment(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}

    def serve(self, folder):
        port = free_port()
        write(folder / ".gitconfig", SETTINGS)
        self.run(folder, "git", "init", "--quiet", "--bare", folder / "list.git")
        command = ["git", "daemon", f"--port={port}", "--listen=127.0.0.1", f"--base-path={folder}", "--export-all",
                   "--enable=receive-pack", "--reuseaddr"]
        return Service(self.launcher, command, self.environment(folder), folder, port)

    def device(self, home, folder, port):
        write(home / ".gitconfig", SETTINGS)
        write(home / "address", f"git://127.0.0.1:{port}/list.git")

    def offline(self, home, count):
        address = (home / "address").read_text()
        self.run(home, "git", "init", "--quiet", "list")
        self.run(home, "git", "-C", "list", "remote", "add", "origin", address)
        write(home / "list" / "todo.txt", "".join(items.text(number) + "\n" for number in range(count)))

    def send(self, home):
        return [["git", "-C", "list", "add", "todo.txt"], ["git", "-C", "list", "commit", "--quiet", "-m", "sync"],
                ["git", "-C", "list", "push", "--quiet", "--set-upstream", "origin", "main"]]

    def receive(self, home):
        return [["git", "clone", "--quiet", (home / "address").read_text(), "list"]]

    def refresh(self, home):
        return [["git", "-C", "list", "pull", "--quiet"]]

    def change(self, home, number, text):
        file = home / "list" / "todo.txt"
        file.write_text(file.read_text().replace(items.text(number) + "\n", text + "\n"))
        for words in (["commit", "--quiet", "-a", "-m", "sync"], ["push", "--quiet"]):
            self.run(home, "git", "-C", "list", *words)

    def count(self, home):
        return sum(1 for _ in open(home / "list" / "todo.txt"))
