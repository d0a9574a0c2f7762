-- The server's database. Columns that clients add later are added to TodoItem with the types
-- TEXT, BOOLEAN or NUMERIC, which is also how their type is remembered.

CREATE TABLE TodoItem (
  id TEXT NOT NULL PRIMARY KEY,
  text TEXT,
  complete BOOLEAN,
  createdAt INTEGER NOT NULL, -- milliseconds since 1970, UTC
  updatedAt INTEGER NOT NULL, -- the same; no two rows of the server share one
  version TEXT NOT NULL,
  deleted BOOLEAN NOT NULL, -- 1 is a tombstone
  "row-digest" INTEGER -- a hash of all that is in the row; null if the server has not looked at it yet
);

-- By "row-digest" the server notices damage. It is there since version 4. No client can send a property whose name
-- has a hyphen.

-- The order of every pull.
CREATE INDEX TodoItem_updatedAt ON TodoItem (updatedAt, id);

-- The last updatedAt given out: it never goes back, whatever the clock does.
CREATE TABLE ServerClock (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  lastUpdatedAt INTEGER NOT NULL
);
INSERT INTO ServerClock (id, lastUpdatedAt) VALUES (1, 0);

-- Which database this is, made at random once and for all: by it clients notice that another one
-- answers at the same URL. Since version 2.
CREATE TABLE ServerIdentity (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uuid TEXT NOT NULL, -- in lower case
  -- Raised when the server goes on from an older copy of the database. Since version 4.
  epoch INTEGER NOT NULL DEFAULT 1,
  -- epochFrom: the newest updatedAt of that copy; null if it had no rows, and in the first epoch. epochNonce: a random
  -- text, because the same copy may be put back twice; null in the first epoch. Since version 5.
  epochFrom INTEGER,
  epochNonce TEXT
);

-- What is told of a table so that clients can compare what they have: how many rows are not deleted, and the sum of
-- a hash of id and version of each, modulo 2^64, as a signed number. Kept up with the rows, and counted again when the
-- server starts. Since version 3.
CREATE TABLE TableDigest (
  name TEXT NOT NULL PRIMARY KEY,
  live INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  newestRemoved INTEGER -- the newest updatedAt of the rows that are gone without a tombstone; since version 6
);
INSERT INTO TableDigest (name, live, checksum) VALUES ('TodoItem', 0, 0);

-- A row that somebody removes, as the last of the old tombstones, must not take the newest moment with it: clients
-- would think that an older copy of the database was put back. The server itself removes no rows. Since version 6.
CREATE TRIGGER TodoItem_removed AFTER DELETE ON TodoItem BEGIN
  UPDATE TableDigest SET newestRemoved = max(coalesce(newestRemoved, OLD.updatedAt), OLD.updatedAt)
  WHERE name = 'TodoItem';
END;
