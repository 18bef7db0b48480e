-- Users and how they log in. The tables of secrets hold only the hash of each. Whether a user is
-- active is read from users, never copied.

CREATE TABLE users (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 200),
  status     TEXT    NOT NULL CHECK (status IN ('ACTIVE', 'BLOCKED', 'DELETED')),
  role       TEXT    NOT NULL CHECK (role IN ('viewer', 'adder', 'operator', 'admin')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id         INTEGER PRIMARY KEY,
  user       INTEGER NOT NULL REFERENCES users (id),
  name       TEXT    NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  scopes     TEXT    NOT NULL,
  prefix     TEXT    NOT NULL UNIQUE CHECK (length(prefix) = 8),
  hash       TEXT    NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at    INTEGER,
  revoked_at INTEGER,
  -- The key that made it, so that revoking one can end all that came from it. A key that was made by
  -- a session that a password opened has none.
  maker      INTEGER REFERENCES api_keys (id)
) STRICT;

CREATE INDEX api_keys_user ON api_keys (user);
CREATE INDEX api_keys_maker ON api_keys (maker)
  WHERE maker IS NOT NULL;

CREATE TRIGGER api_keys_birth BEFORE INSERT ON api_keys
WHEN new.revoked_at IS NOT NULL
  OR new.id <> -1 AND EXISTS (SELECT 1 FROM api_keys WHERE id = new.id)
  OR EXISTS (SELECT 1 FROM api_keys WHERE prefix = new.prefix)
BEGIN
  SELECT RAISE(ABORT, 'a key is made once, under its own id and prefix, and is never replaced');
END;

CREATE TRIGGER api_keys_fixed
BEFORE UPDATE OF id, user, scopes, prefix, hash, created_at, expires_at, maker ON api_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays what it was made as: revoke it and make another');
END;

CREATE TRIGGER api_keys_revoked BEFORE UPDATE OF revoked_at ON api_keys
WHEN old.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'a revoked key never comes back');
END;

CREATE TRIGGER api_keys_kept BEFORE DELETE ON api_keys
BEGIN
  SELECT RAISE(ABORT, 'a key is revoked, not deleted: its prefix must not be given again');
END;

-- A user without a row has no password and cannot log in with one.
CREATE TABLE passwords (
  user       INTEGER PRIMARY KEY REFERENCES users (id),
  hash       TEXT    NOT NULL CHECK (hash GLOB '$argon2id$*' AND length(hash) <= 127),
  changed_at INTEGER NOT NULL
) STRICT;

-- A session allows no more than the key or password that opened it, and ends with that key.
CREATE TABLE sessions (
  token_hash TEXT    PRIMARY KEY,
  user       INTEGER NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  scopes     TEXT    NOT NULL DEFAULT '',
  key        INTEGER REFERENCES api_keys (id),
  CHECK (length(token_hash) = 64 AND token_hash NOT GLOB '*[^0-9a-f]*')
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_user ON sessions (user, created_at);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TRIGGER sessions_replace BEFORE INSERT ON sessions
WHEN EXISTS (SELECT 1 FROM sessions WHERE token_hash = new.token_hash)
BEGIN
  SELECT RAISE(ABORT, 'a session is opened once');
END;

CREATE TRIGGER sessions_fixed
BEFORE UPDATE OF token_hash, user, created_at, scopes, key ON sessions
BEGIN
  SELECT RAISE(ABORT, 'a session stays with its token, its user and its scopes');
END;

-- Names tried at login, as salted hashes, because people type passwords there. Failures for names
-- that users have are counted apart from those for made-up names, so that trying many made-up names
-- never makes haul forget the count of a real one.
CREATE TABLE login_failures (
  name_hash TEXT    PRIMARY KEY,
  failures  INTEGER NOT NULL CHECK (failures > 0),
  failed_at INTEGER NOT NULL,
  user      INTEGER REFERENCES users (id)
) STRICT, WITHOUT ROWID;

CREATE INDEX login_failures_made_up ON login_failures (failed_at)
  WHERE user IS NULL;
