-- The built-in lifecycle tables. haul copies them here when it opens the file, so that triggers can
-- read them. `items` is the lifecycle of a job's items.
CREATE TABLE lifecycles (
  name  TEXT PRIMARY KEY,
  items TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE states (
  lifecycle  TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  "end"      TEXT    NOT NULL,
  is_initial INTEGER NOT NULL,
  is_leased  INTEGER NOT NULL,
  PRIMARY KEY (lifecycle, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
  lifecycle   TEXT    NOT NULL,
  from_state  TEXT    NOT NULL,
  to_state    TEXT    NOT NULL,
  to_end      TEXT    NOT NULL,
  to_leased   INTEGER NOT NULL,
  needs_proof INTEGER NOT NULL,
  PRIMARY KEY (lifecycle, from_state, to_state)
) STRICT, WITHOUT ROWID;
