-- The Idempotency-Keys of callers, each with a hash of the lifecycle and the request it came with.
-- They apply in addition to the lifecycle's own keys. The keys of whole lists are in list_keys.
CREATE TABLE caller_keys (
  owner       INTEGER NOT NULL REFERENCES users (id),
  key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT    NOT NULL
              CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
  job         INTEGER NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER caller_keys_fixed BEFORE UPDATE ON caller_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays with what it came with first');
END;

-- Idempotency keys of requests that add a list of jobs. Each row has a hash of the first request
-- with that key, so that haul can refuse another request with the same key. The jobs have keys of
-- their own.

CREATE TABLE list_keys (
  owner       INTEGER NOT NULL REFERENCES users (id),
  key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT    NOT NULL
              CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER list_keys_fixed BEFORE UPDATE ON list_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays with what it came with first');
END;

-- haul prunes old keys, oldest first.
CREATE INDEX list_keys_age ON list_keys (created_at);
