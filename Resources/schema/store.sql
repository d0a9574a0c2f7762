-- The local store, version 5. Run on an older one it makes what is missing, and removes the indexes that older programs made.
-- The first four tables have the names and columns of the Azure Mobile Apps offline tutorial; those named Ebb_ are our own.

CREATE TABLE IF NOT EXISTS TodoItem (
  id TEXT NOT NULL PRIMARY KEY,
  text TEXT NOT NULL DEFAULT '',
  complete BOOLEAN NOT NULL DEFAULT 0,
  createdAt TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
  updatedAt TEXT,
  version TEXT,
  deleted BOOLEAN NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS TodoItem_inOrder ON TodoItem (createdAt, id);
CREATE INDEX IF NOT EXISTS TodoItem_inOrderByState ON TodoItem (complete, createdAt, id);

-- Changes that the server has not accepted yet; id is the order in which they are sent.
-- properties is a JSON object: type (0 insert, 1 update, 2 delete), and if there is one
-- item (the row that is deleted), base (the server's copy that the row was made from), attempted (the change
-- may have reached the server), sent (the row as it was sent, if the row was changed since).
CREATE TABLE IF NOT EXISTS MS_TableOperations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "table" TEXT NOT NULL,
  tableKind INTEGER NOT NULL DEFAULT 0,
  itemId TEXT NOT NULL,
  properties BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS MS_TableOperations_ofItem ON MS_TableOperations (itemId, "table");

-- Why the server did not take an operation, or why a person is asked; at most one row for each. A conflict and a held
-- row are not sent meanwhile; a refused operation is sent again with each push, after all others.
-- properties is a JSON object: kind (conflict, refused, held), table, itemId, statusCode, description, item (the row
-- here; of a held row, what the server had acknowledged), serverItem (the server's newest copy), sent (what an
-- attempt without an answer may have left on the server).
CREATE TABLE IF NOT EXISTS MS_TableOperationErrors (
  id TEXT NOT NULL PRIMARY KEY,
  operationId INTEGER NOT NULL UNIQUE,
  tableKind INTEGER NOT NULL DEFAULT 0,
  properties BLOB NOT NULL
);

-- keyType 0: the delta token of the query named by key, a UTC time in milliseconds.
CREATE TABLE IF NOT EXISTS MS_TableConfig (
  id TEXT NOT NULL PRIMARY KEY,
  "table" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  keyType INTEGER NOT NULL,
  value TEXT,
  UNIQUE ("table", "key", keyType)
);

-- What is remembered about syncing: times of the last push and pulls, whose list this is, what is known of a server.
CREATE TABLE IF NOT EXISTS Ebb_Facts (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- The user's own changes, oldest first, so that they can be undone; the newest 1,000 steps are kept, and at most
-- 100,000 changes. Changes with the same step are undone together.
-- properties is a JSON object: before and after are the row, a tombstone, or absent. Of a decision about a conflict
-- also decision (true), baseBefore and baseAfter (the server's copy that the row was made from), and sent (what an
-- attempt may have left on the server).
CREATE TABLE IF NOT EXISTS Ebb_History (
  id INTEGER PRIMARY KEY,
  "table" TEXT NOT NULL,
  itemId TEXT NOT NULL,
  undone BOOLEAN NOT NULL DEFAULT 0,
  properties BLOB NOT NULL,
  step INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS Ebb_History_undone ON Ebb_History (id) WHERE undone;
CREATE INDEX IF NOT EXISTS Ebb_History_ofStep ON Ebb_History (step, id);
-- Versions 3 and 4 had this index. Every change paid for it, and hardly anything asked.
DROP INDEX IF EXISTS Ebb_History_ofItem;
-- Before version 5 an order of the list had one index for the open and the done items. Now each state has its own.
DROP INDEX IF EXISTS TodoItem_by_text_inState;
DROP INDEX IF EXISTS TodoItem_by_due_inState;
DROP INDEX IF EXISTS TodoItem_by_priority_inState;
DROP INDEX IF EXISTS TodoItem_by_project_inState;
DROP INDEX IF EXISTS TodoItem_by_updated_inState;

-- The newest 1,000 requests to servers, oldest first: the sync log. startedAt is a UTC time; status is null, and
-- failure says why, where there was no answer.
CREATE TABLE IF NOT EXISTS Ebb_Requests (
  id INTEGER PRIMARY KEY,
  startedAt TEXT NOT NULL,
  verb TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER,
  failure TEXT,
  milliseconds INTEGER NOT NULL,
  bytesSent INTEGER NOT NULL,
  bytesReceived INTEGER NOT NULL
);

-- What syncs made of rows since the person here last saw them, the newest 10,000. record is the row as it was seen, JSON;
-- null if there was none. kind is added, removed, merged (a conflict ended by itself), or the columns that changed.
CREATE TABLE IF NOT EXISTS Ebb_Arrivals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "table" TEXT NOT NULL,
  itemId TEXT NOT NULL,
  record BLOB,
  kind TEXT NOT NULL,
  arrivedAt TEXT NOT NULL,
  UNIQUE (itemId, "table")
);

-- Changes of what a row holds: at most the newest 50 of a row, and the newest 100,000. record is the row before the
-- change, JSON; null where there was none. The version that began with a change has its number; what a row is
-- now is in the row. changedAt is a UTC time, origin here, server or merge.
CREATE TABLE IF NOT EXISTS Ebb_Versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  "table" TEXT NOT NULL,
  itemId TEXT NOT NULL,
  number INTEGER NOT NULL,
  record BLOB,
  changedAt TEXT,
  origin TEXT NOT NULL,
  UNIQUE (itemId, "table", number)
);
