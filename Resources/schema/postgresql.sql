-- The server's tables in PostgreSQL: version 1. Forward only; what is written here stays as it is, for databases that it
-- has made are out there. Moments are milliseconds since 1970, UTC. Each statement ends with a semicolon at the end of a line.

-- Which database this is, made at random once and for all: by it clients notice that another one answers at the same URL.
CREATE TABLE ebb_database (
  id integer PRIMARY KEY CHECK (id = 1),
  uuid text NOT NULL, -- in lower case
  epoch bigint NOT NULL DEFAULT 1, -- raised when the server goes on from an older copy of the database
  epoch_nonce text, -- a random text: the same copy may be put back twice; after a removal those of the epochs before it follow; null in the first epoch
  address text, -- the URL under which clients reached the server when it last ran
  aliases text -- other names for columns of to-do items, as "complete=isComplete text=title"; null for none
);

-- The lists, one for each owner and table. The row of a list is its clock and its lock: whoever writes to a list has it.
CREATE TABLE ebb_list (
  list_id uuid PRIMARY KEY,
  owner text COLLATE "C" NOT NULL, -- a user's name; empty for whoever need not sign in
  name text COLLATE "C" NOT NULL, -- of the table of the wire: TodoItem, or another in lower case
  made_at bigint NOT NULL, -- 0 for the list that was made with the database
  columns text NOT NULL, -- the clients' columns in the order they came to be, as "text:text complete:bool"
  last_updated_at bigint NOT NULL DEFAULT 0, -- the last moment given out: it never goes back, whatever the clock does
  live bigint NOT NULL DEFAULT 0, -- how many rows are not deleted
  checksum bigint NOT NULL DEFAULT 0, -- the sum of a hash of id and version of each of those, modulo 2^64, as a signed number
  newest bigint, -- the newest updated_at that a row has or had; null if there never was one
  epoch_from bigint, -- the newest updated_at when this epoch began; null if there was no row, and in the first epoch
  tombstones_after bigint, -- the newest updated_at of the tombstones that were removed for their age; null if none was
  answers_kept_after bigint, -- the latest first_sent of an answer that was dropped; null if none was
  UNIQUE (owner, name)
);

CREATE TABLE ebb_item (
  list_id uuid NOT NULL,
  id text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  version text COLLATE "C" NOT NULL,
  deleted boolean NOT NULL, -- true is a tombstone
  text text COLLATE "C",
  complete boolean,
  more jsonb, -- the other columns that are not null, which clients have made up; null for none
  row_digest bigint, -- a hash of all that is in the row; null if the server has not looked at it yet
  PRIMARY KEY (list_id, id)
);

-- The order of every pull. The database itself refuses a tie.
CREATE UNIQUE INDEX ebb_item_pull ON ebb_item (list_id, updated_at);

-- The answers to writes that a client may send again, for a day.
CREATE TABLE ebb_answer (
  list_id uuid NOT NULL,
  id text COLLATE "C" NOT NULL, -- of the client and of the request
  first_sent bigint NOT NULL, -- by the clock of the client
  fingerprint bytea NOT NULL, -- the SHA-256 of what the request asked for
  status integer NOT NULL, -- this and the next four: the answer
  etag text,
  location text,
  changed_at bigint,
  body bytea NOT NULL,
  PRIMARY KEY (list_id, id)
);

CREATE INDEX ebb_answer_sent ON ebb_answer (list_id, first_sent);

-- The tokens that were given out.
CREATE TABLE ebb_token (
  digest bytea PRIMARY KEY, -- the SHA-256 of the token, which is nowhere else
  id text COLLATE "C" NOT NULL UNIQUE, -- by which people name it
  number bigint NOT NULL, -- in the order they were given out
  username text COLLATE "C" NOT NULL,
  label text NOT NULL,
  scope text NOT NULL, -- sync, read, feed or metrics; invite for an invitation, of which digest is the secret's
  created_at bigint NOT NULL,
  expires_at bigint,
  last_used_at bigint,
  revoked boolean NOT NULL DEFAULT false -- or an invitation that was used; it is kept, so that a server without a valid token does not let in everybody
);
