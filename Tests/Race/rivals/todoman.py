"""todoman on a folder of iCalendar files, with vdirsyncer as its sync and Radicale as the server."""

import items
from cost import Service, free_port

from .base import Contestant, write


def calendar_file(number):
    return ("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:race\r\nBEGIN:VTODO\r\n"
            f"UID:{items.identity(number)}\r\nDTSTAMP:20260101T000000Z\r\nCREATED:20260101T000000Z\r\n"
            f"SUMMARY:{items.text(number)}\r\nSTATUS:NEEDS-ACTION\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")


class Todoman(Contestant):
    name = "todoman"
    programs = ("todo", "vdirsyncer", "radicale")
    # 100,000 files of their own are not a list that anybody keeps.
    largest = 10_000
    # Sending more takes two round trips and 50 ms of the server's CPU an item.
    largest_sent = 1_000
    note = ("a file an item, written by todoman without waiting for the disk (it waits for its cache only);"
            " vdirsyncer sends each item in a request of its own and looks at every item on every sync, also when nothing"
            " is new; for 10,000 items, and after the bound, Radicale's folder is filled beforehand; no screen of its own")

    def folder_of(self, home):
        return home / "lists" / "race"

    def settings(self, home):
        write(home / "config" / "todoman" / "config.py",
              f'path = "{home}/lists/*"\ndefault_list = "race"\ncache_path = "{home}/cache.sqlite3"\n')

    def fill(self, home, count):
        folder = self.folder_of(home)
        folder.mkdir(parents=True)
        for number in range(count):
            (folder / f"{items.identity(number)}.ics").write_text(calendar_file(number))

    def make(self, home, count):
        self.settings(home)
        self.fill(home, count)
        # The first command of all reads every file into its cache: not what a command costs from then on.
        self.run(home, "todo", "list")

    def add(self, home, text):
        return ["todo", "new", "--list", "race", *text.split()]

    def listing(self, home):
        return ["todo", "list"]

    def done(self, home, number):
        return ["todo", "done", number]

    # Sync.

    def serve(self, folder):
        port = free_port()
        write(folder / "radicale.conf",
              f"[server]\nhosts = 127.0.0.1:{port}\n[auth]\ntype = none\n[storage]\nfilesystem_folder = {folder}/collections\n"
              "[rights]\ntype = authenticated\n[logging]\nlevel = error\n")
        command = ["radicale", "--config", folder / "radicale.conf"]
        service = Service(self.launcher, command, self.environment(folder), folder, port)
        self.collection(folder).mkdir(parents=True)
        write(self.collection(folder) / ".Radicale.props", '{"tag": "VCALENDAR", "C:supported-calendar-component-set": "VTODO"}')
        return service

    def collection(self, folder):
        return folder / "collections" / "collection-root" / "race" / "race"

    def fill_server(self, folder, count):
        for number in range(count):
            (self.collection(folder) / f"{items.identity(number)}.ics").write_text(calendar_file(number))
        return True

    def device(self, home, folder, port):
        self.settings(home)
        self.folder_of(home).mkdir(parents=True, exist_ok=True)
        write(home / "config" / "vdirsyncer" / "config",
              f'[general]\nstatus_path = "{home}/status/"\n[pair race]\na = "here"\nb = "there"\ncollections = ["race"]\n'
              f'[storage here]\ntype = "filesystem"\npath = "{home}/lists/"\nfileext = ".ics"\n'
              f'[storage there]\ntype = "caldav"\nurl = "http://127.0.0.1:{port}/race/"\nusername = "race"\npassword = "race"\n')
        self.run(home, "vdirsyncer", "discover")

    def offline(self, home, count):
        for number in range(count):
            (self.folder_of(home) / f"{items.identity(number)}.ics").write_text(calendar_file(number))

    def refresh(self, home):
        return [["vdirsyncer", "sync"]]

    send = receive = refresh

    def change(self, home, number, text):
        file = self.folder_of(home) / f"{items.identity(number)}.ics"
        file.write_text(file.read_text().replace(items.text(number), text))
        self.run(home, "vdirsyncer", "sync")

    def count(self, home):
        return sum(1 for file in self.folder_of(home).iterdir() if file.suffix == ".ics")
