-- A session allows no more than the key or password that opened it, and ends with that key.
-- Existing sessions do not say what opened them, so this ends them, and their users log in again.

DELETE FROM sessions;
ALTER TABLE sessions ADD COLUMN scopes TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN key INTEGER REFERENCES api_keys (id);

DROP TRIGGER sessions_fixed;
CREATE TRIGGER sessions_fixed
BEFORE UPDATE OF token_hash, user, created_at, scopes, key ON sessions
BEGIN
  SELECT RAISE(ABORT, 'a session stays with its token, its user and its scopes');
END;
