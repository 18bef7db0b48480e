-- Z-26: a key belongs to its owner. Two owners may use the same key, and neither finds the other's
-- job.

DROP INDEX jobs_key;
DROP INDEX jobs_key_open;
CREATE UNIQUE INDEX jobs_key ON jobs (lifecycle, owner, key)
  WHERE key_scope IN ('forever', 'window');
CREATE UNIQUE INDEX jobs_key_open ON jobs (lifecycle, owner, key)
  WHERE key_scope = 'while_open' AND "end" = 'open';

DROP TRIGGER jobs_birth;
CREATE TRIGGER jobs_birth BEFORE INSERT ON jobs
WHEN new.seq <> 0 OR new.due_at IS NULL OR new.ended_at IS NOT NULL OR new.worker IS NOT NULL
  OR NOT EXISTS (
    SELECT 1 FROM states
     WHERE lifecycle = new.lifecycle AND name = new.state AND "end" = new."end" AND is_initial)
  OR new.id <> -1 AND EXISTS (SELECT 1 FROM jobs WHERE id = new.id)
  OR new.slot IS NOT NULL AND EXISTS (
    SELECT 1 FROM jobs
     WHERE lifecycle = new.lifecycle AND slot = new.slot AND "end" = 'open')
  OR new.key IS NOT NULL AND EXISTS (
    SELECT 1 FROM jobs
     WHERE lifecycle = new.lifecycle AND owner = new.owner AND key = new.key
       AND (key_scope IN ('forever', 'window') AND new.key_scope IN ('forever', 'window')
            OR key_scope = 'while_open' AND new.key_scope = 'while_open' AND "end" = 'open'))
BEGIN
  SELECT 1 FROM json_each('{}', iif(
    new.seq = 0 AND new.due_at IS NOT NULL AND new.ended_at IS NULL AND new.worker IS NULL
      AND EXISTS (
        SELECT 1 FROM states
         WHERE lifecycle = new.lifecycle AND name = new.state AND "end" = new."end" AND is_initial),
    '$',
    'refused: ' || new.lifecycle || ': (new) -> ' || new.state || ' is not how a job starts'));
  SELECT RAISE(ROLLBACK, 'jobs.id, jobs.slot or jobs.key is taken, and a job is never replaced');
END;

-- The Idempotency-Keys of clients, each with a hash of the lifecycle and the request it came with.
-- They apply in addition to the lifecycle's own keys. The keys of whole lists are in batch_keys.
CREATE TABLE client_keys (
  owner       INTEGER NOT NULL REFERENCES users (id),
  key         TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  fingerprint TEXT    NOT NULL
              CHECK (length(fingerprint) = 64 AND fingerprint NOT GLOB '*[^0-9a-f]*'),
  job         INTEGER NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER client_keys_fixed BEFORE UPDATE ON client_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays with what it came with first');
END;
