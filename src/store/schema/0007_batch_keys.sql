-- Idempotency keys of requests that add a list of jobs. Each row has a hash of the first request
-- with that key, so that haul can refuse another request with the same key. The jobs have keys of
-- their own.

CREATE TABLE batch_keys (
  owner       INTEGER NOT NULL REFERENCES users (id),
  key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT    NOT NULL
              CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER batch_keys_fixed BEFORE UPDATE ON batch_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays with what it came with first');
END;
