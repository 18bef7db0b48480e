-- A key remembers the key that made it, so that revoking one can end all that came from it. Keys from
-- before this version, and those made by a session that a password opened, have no maker.

ALTER TABLE api_keys ADD COLUMN maker INTEGER REFERENCES api_keys (id);

CREATE INDEX api_keys_maker ON api_keys (maker)
  WHERE maker IS NOT NULL;

DROP TRIGGER api_keys_fixed;
CREATE TRIGGER api_keys_fixed
BEFORE UPDATE OF id, user, scopes, prefix, hash, created_at, expires_at, maker ON api_keys
BEGIN
  SELECT RAISE(ABORT, 'a key stays what it was made as: revoke it and make another');
END;
