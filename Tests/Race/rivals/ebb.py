"""Ebb itself: its list in SQLite, its own server."""

import sqlite3

import items
from cost import Service, free_port

from .base import Contestant, Opening


class Ebb(Contestant):
    name = "Ebb"
    programs = ("ebb",)
    note = "each change is on the disk (fsync) before the command ends; sync merges by column and by word; no TLS here"

    def __init__(self, launcher, tools, program):
        super().__init__(launcher, tools)
        self.ebb = str(program)

    def program(self, name):
        return self.ebb if name == "ebb" else super().program(name)

    def store(self, home):
        return f"{home}/ebb.sqlite"

    def make(self, home, count):
        self.fill(home, count, offline=False)

    def offline(self, home, count):
        self.fill(home, count, offline=True)

    def fill(self, home, count, offline):
        """Adds one item and copies its rows: 100,000 items take a second, and nothing is assumed of the columns."""
        self.run(home, *self.add(home, items.text(0)))
        with sqlite3.connect(self.store(home)) as database:
            columns = [row[1] for row in database.execute("PRAGMA table_info(TodoItem)")]
            changed = {"id": ":id", "text": ":text", "createdAt": "strftime('%Y-%m-%dT%H:%M:%fZ', :time, 'unixepoch')"}
            chosen = ", ".join(changed.get(column, f'"{column}"') for column in columns)
            names = ", ".join(f'"{column}"' for column in columns)
            (model,) = database.execute("SELECT id FROM TodoItem").fetchone()
            database.executemany(
                f"INSERT INTO TodoItem ({names}) SELECT {chosen} FROM TodoItem WHERE id = :model",
                ({"id": items.identity(number), "text": items.text(number), "time": 1_800_000_000 + number, "model": model}
                 for number in range(1, count)))
            if offline:
                self.journal(database, model)
            else:
                # A list that is in sync: nothing waits.
                database.execute("DELETE FROM MS_TableOperations")
            database.execute("ANALYZE")
        database.close()

    def journal(self, database, model):
        """The note of each change that waits, and the history of the last 1,000, as the program would have kept them."""
        database.execute(
            'INSERT INTO MS_TableOperations ("table", tableKind, itemId, properties)'
            " SELECT operation.\"table\", operation.tableKind, item.id, operation.properties"
            " FROM MS_TableOperations AS operation, TodoItem AS item WHERE item.id <> ? ORDER BY item.rowid", (model,))
        database.execute(
            "INSERT INTO Ebb_History (\"table\", itemId, properties) SELECT 'TodoItem', id, CAST(json_object('after',"
            " json_object('complete', json('false'), 'createdAt', createdAt, 'deleted', json('false'), 'id', id,"
            " 'text', text)) AS BLOB) FROM TodoItem ORDER BY rowid DESC LIMIT 999")

    def add(self, home, text):
        return [self.ebb, "add", text, "--store", self.store(home)]

    def listing(self, home):
        return [self.ebb, "list", "--store", self.store(home)]

    def done(self, home, number):
        return [self.ebb, "done", items.identity(number), "--store", self.store(home)]

    def opening(self, home):
        return Opening([self.ebb, "--store", self.store(home)])

    def serve(self, folder):
        port = free_port()
        command = [self.ebb, "serve", "--port", port, "--database", f"{folder}/server.sqlite"]
        return Service(self.launcher, command, self.environment(folder), folder, port)

    def device(self, home, folder, port):
        (home / "server").write_text(f"http://127.0.0.1:{port}")

    def refresh(self, home):
        return [[self.ebb, "sync", "--store", self.store(home), "--server", (home / "server").read_text()]]

    send = receive = refresh

    def change(self, home, number, text):
        self.run(home, self.ebb, "edit", items.identity(number), text, "--store", self.store(home))
        for command in self.refresh(home):
            self.run(home, *command)

    def count(self, home):
        with sqlite3.connect(self.store(home)) as database:
            (count,) = database.execute("SELECT count(*) FROM TodoItem WHERE NOT deleted AND NOT complete").fetchone()
        database.close()
        return count
