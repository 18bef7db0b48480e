-- Failed logins for names that users have are counted apart from those for made-up names, so that
-- trying many made-up names never makes haul forget the count of a real one.

ALTER TABLE login_failures ADD COLUMN user INTEGER REFERENCES users (id);

DROP INDEX login_failures_oldest;
CREATE INDEX login_failures_made_up ON login_failures (failed_at)
  WHERE user IS NULL;
