"""calcurse, tudu, topydo and dooit: programs whose list is a screen. Of these topydo has commands too."""

import sqlite3
from xml.sax.saxutils import escape

import items

from .base import Contestant, Opening, write


class Calcurse(Contestant):
    name = "calcurse"
    programs = ("calcurse",)
    note = "keeps a new item in memory until it is told to save, or leaves; no command that adds or completes an item"

    def make(self, home, count):
        write(home / "calcurse" / "todo", "".join(f"[0] {items.text(number)}\n" for number in range(count)))
        write(home / "calcurse" / "apts", "")

    def listing(self, home):
        return ["calcurse", "-D", home / "calcurse", "--todo"]

    def opening(self, home):
        # A screen of 24 lines has five for to-dos. Tab twice goes from the appointments to them.
        return Opening(["calcurse", "-D", str(home / "calcurse")], rows=5, focus=b"\t\t")


class Tudu(Contestant):
    name = "tudu"
    programs = ("tudu",)
    version_words = ("-v",)
    note = "keeps changes in memory until it is told to save, or leaves"

    def make(self, home, count):
        titles = (escape(items.text(number)) for number in range(count))
        entries = "".join(f'\t<todo done="no">\n\t\t<title>{title}</title>\n\t</todo>\n' for title in titles)
        write(home / "list.xml", f'<?xml version="1.0"?>\n<todo>\n{entries}</todo>\n')

    def opening(self, home):
        # Ended by a signal it leaves a lock behind, and the next start asks about that.
        return Opening(["tudu", "-f", str(home / "list.xml")], rows=4, leave=b"q")


class Topydo(Contestant):
    name = "topydo"
    programs = ("topydo",)
    version_words = ("-v",)
    note = "writes todo.txt without waiting for the disk"

    def words(self, home):
        return ["topydo", "-t", str(home / "todo.txt"), "-d", str(home / "done.txt")]

    def make(self, home, count):
        write(home / "todo.txt", "".join(items.text(number) + "\n" for number in range(count)))

    def add(self, home, text):
        return [*self.words(home), "add", text]

    def listing(self, home):
        return [*self.words(home), "ls"]

    def done(self, home, number):
        # By its line; what is done leaves the file, so there is always another in this line.
        return [*self.words(home), "do", "5"]

    def opening(self, home):
        return Opening([*self.words(home), "columns"], rows=5)


class Dooit(Contestant):
    name = "dooit"
    programs = ("dooit",)
    note = "starts with a dashboard; its first paint is until the list shows, one key later"

    def make(self, home, count):
        database = sqlite3.connect(self.database(home))
        database.executescript(SCHEMA)
        database.execute("INSERT INTO workspace VALUES (1, 0, '', 1, NULL), (2, 0, 'Race', 0, 1)")
        database.executemany(
            "INSERT INTO todo VALUES (?, ?, ?, NULL, 0, NULL, 1, 1, 2, NULL)",
            ((number + 1, number, items.text(number)) for number in range(count)))
        database.commit()
        database.close()

    def database(self, home):
        return str(home / "dooit.db")

    def opening(self, home):
        return Opening(["dooit", "--db", self.database(home)], lead=b"j", focus=b"\t")


# The two tables as dooit 3.3.4 makes them itself.
SCHEMA = """
CREATE TABLE workspace (id INTEGER NOT NULL PRIMARY KEY, order_index INTEGER NOT NULL, description VARCHAR NOT NULL,
  is_root BOOLEAN NOT NULL, parent_workspace_id INTEGER REFERENCES workspace (id));
CREATE TABLE todo (id INTEGER NOT NULL PRIMARY KEY, order_index INTEGER NOT NULL, description VARCHAR NOT NULL,
  due DATETIME, effort INTEGER NOT NULL, recurrence DATETIME, urgency INTEGER NOT NULL, pending BOOLEAN NOT NULL,
  parent_workspace_id INTEGER REFERENCES workspace (id), parent_todo_id INTEGER REFERENCES todo (id));
"""
