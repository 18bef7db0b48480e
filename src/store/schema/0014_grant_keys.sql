-- A grant that is repeated with the same key is paid once.

ALTER TABLE credits ADD COLUMN key TEXT
  CHECK (key IS NULL OR kind = 'grant' AND length(key) BETWEEN 1 AND 300);

CREATE UNIQUE INDEX credits_one_grant ON credits (owner, key)
  WHERE key IS NOT NULL;

-- Without this, INSERT OR REPLACE would replace the first grant.
CREATE TRIGGER credits_grant_once BEFORE INSERT ON credits
WHEN new.key IS NOT NULL
 AND EXISTS (SELECT 1 FROM credits WHERE owner = new.owner AND key = new.key)
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a key pays once');
END;
