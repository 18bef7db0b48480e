-- Files that a chat's server has, by a hash of what they contain. `file` is the server's name for
-- it; `job` sent it last.
CREATE TABLE deliveries (
  fingerprint TEXT    PRIMARY KEY CHECK (length(fingerprint) = 64),
  file        TEXT    NOT NULL CHECK (length(file) BETWEEN 1 AND 1000),
  job         INTEGER NOT NULL REFERENCES jobs (id),
  sent_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_by_age ON deliveries (sent_at);
