-- Limits per host, shared by all workers of this file.
CREATE TABLE limits (
  host          TEXT    PRIMARY KEY,
  started_at    INTEGER NOT NULL,
  blocked_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE limit_holders (
  host   TEXT    NOT NULL REFERENCES limits (host),
  worker INTEGER NOT NULL REFERENCES workers (id),
  held   INTEGER NOT NULL CHECK (held > 0),
  PRIMARY KEY (host, worker)
) STRICT, WITHOUT ROWID;
