-- The server's database. Each list has a table of its own for its rows, which the program makes with the list.

-- The lists, one for each owner and table. Since version 7.
CREATE TABLE StoredList (
  number INTEGER PRIMARY KEY, -- the rows of number 1 are in TodoItem, those of 2 in TodoItem_2 or Table_movies_2
  owner TEXT NOT NULL, -- a user's name; empty for whoever need not sign in
  name TEXT NOT NULL, -- of the table of the wire: TodoItem, or another in lower case
  -- The last updatedAt given out: it never goes back, whatever the clock does.
  lastUpdatedAt INTEGER NOT NULL DEFAULT 0,
  -- What is told of a list so that clients can compare what they have: how many rows are not deleted, and the sum of
  -- a hash of id and version of each, modulo 2^64, as a signed number. Kept up with the rows, and counted again when
  -- the server starts.
  live INTEGER NOT NULL DEFAULT 0,
  checksum INTEGER NOT NULL DEFAULT 0,
  newestRemoved INTEGER, -- the newest updatedAt of the rows that are gone without a tombstone
  epochFrom INTEGER, -- the newest updatedAt when this epoch began; null if there was no row, and in the first epoch
  answersKeptAfter INTEGER, -- the latest firstSent of an answer that was dropped; null if none was. Since version 9
  tombstonesAfter INTEGER, -- the newest updatedAt of the tombstones that were removed for their age; null if none was. Since version 10
  UNIQUE (owner, name)
);
INSERT INTO StoredList (number, owner, name) VALUES (1, '', 'TodoItem');

-- The answers to writes that a client may send again, for a day. Since version 9.
CREATE TABLE KeptAnswer (
  list INTEGER NOT NULL, -- the number of the list
  id TEXT NOT NULL, -- of the client and of the request
  firstSent INTEGER NOT NULL, -- by the clock of the client: milliseconds since 1970, UTC
  fingerprint BLOB NOT NULL, -- the SHA-256 of what the request asked for
  status INTEGER NOT NULL, -- this and the next four: the answer
  eTag TEXT,
  location TEXT,
  changedAt INTEGER,
  body BLOB NOT NULL,
  PRIMARY KEY (list, id)
);
CREATE INDEX KeptAnswer_firstSent ON KeptAnswer (list, firstSent);

-- The tokens that were given out. Since version 7.
CREATE TABLE AccessToken (
  digest BLOB NOT NULL PRIMARY KEY, -- the SHA-256 of the token, which is nowhere else
  id TEXT NOT NULL UNIQUE, -- by which people name it
  user TEXT NOT NULL,
  label TEXT NOT NULL,
  scope TEXT NOT NULL, -- sync, read, feed or metrics; invite for an invitation, of which digest is the secret's
  createdAt INTEGER NOT NULL, -- this and the next two: milliseconds since 1970, UTC
  expiresAt INTEGER,
  lastUsedAt INTEGER,
  revoked BOOLEAN NOT NULL DEFAULT 0 -- or an invitation that was used; it is kept, so that a server without a valid token does not let in everybody
);

-- Which database this is, made at random once and for all: by it clients notice that another one
-- answers at the same URL. Since version 2.
CREATE TABLE ServerIdentity (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uuid TEXT NOT NULL, -- in lower case
  -- Raised when the server goes on from an older copy of the database. Since version 4.
  epoch INTEGER NOT NULL DEFAULT 1,
  epochNonce TEXT, -- a random text: the same copy may be put back twice; after a removal those of the epochs before it follow; null in the first epoch
  address TEXT, -- the URL under which clients reached the server when it last ran. Since version 8.
  aliases TEXT -- other names for columns of to-do items, as "complete=isComplete text=title"; null for none. Since version 11.
);
