-- Credits and the audit log, both append-only. A wallet is the running sum of its owner's entries.

CREATE TABLE credits (
  id     INTEGER PRIMARY KEY,
  owner  INTEGER NOT NULL REFERENCES users (id),
  job    INTEGER REFERENCES jobs (id),
  kind   TEXT    NOT NULL CHECK (kind IN ('grant', 'reserve', 'spend', 'refund')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  at     INTEGER NOT NULL,
  detail TEXT,
  -- A grant that is repeated with the same key is paid once.
  key    TEXT CHECK (key IS NULL OR kind = 'grant' AND length(key) BETWEEN 1 AND 300),
  CHECK ((kind = 'grant') = (job IS NULL))
) STRICT;

CREATE INDEX credits_owner ON credits (owner, id);
CREATE UNIQUE INDEX credits_one_reservation ON credits (job)
  WHERE kind = 'reserve';
CREATE UNIQUE INDEX credits_one_resolution ON credits (job)
  WHERE kind IN ('spend', 'refund');

CREATE UNIQUE INDEX credits_one_grant ON credits (owner, key)
  WHERE key IS NOT NULL;

CREATE TABLE wallets (
  owner     INTEGER PRIMARY KEY REFERENCES users (id),
  granted   INTEGER NOT NULL DEFAULT 0,
  available INTEGER NOT NULL DEFAULT 0,
  reserved  INTEGER NOT NULL DEFAULT 0,
  spent     INTEGER NOT NULL DEFAULT 0,
  entry     INTEGER NOT NULL DEFAULT 0,  -- The newest entry in the sum.
  CHECK (available >= 0 AND reserved >= 0 AND spent >= 0),
  CHECK (available + reserved + spent = granted)
) STRICT;

CREATE TRIGGER credits_resolve BEFORE INSERT ON credits
WHEN new.kind IN ('spend', 'refund') AND NOT EXISTS (
  SELECT 1 FROM credits
   WHERE job = new.job AND kind = 'reserve' AND amount = new.amount AND owner = new.owner)
BEGIN
  SELECT RAISE(ABORT, 'only what was reserved can be spent or refunded, whole');
END;

CREATE TRIGGER credits_afford BEFORE INSERT ON credits
WHEN new.kind = 'reserve'
 AND coalesce((SELECT available FROM wallets WHERE owner = new.owner), 0) < new.amount
BEGIN
  SELECT RAISE(ABORT, 'there is not that much to reserve');
END;

CREATE TRIGGER credits_apply AFTER INSERT ON credits
BEGIN
  INSERT INTO wallets (owner)
  SELECT new.owner
   WHERE NOT EXISTS (SELECT 1 FROM wallets WHERE owner = new.owner);
  UPDATE wallets
     SET entry     = new.id,
         granted   = granted   + iif(new.kind = 'grant', new.amount, 0),
         available = available + CASE new.kind WHEN 'grant' THEN new.amount
                                               WHEN 'refund' THEN new.amount
                                               WHEN 'reserve' THEN -new.amount
                                               ELSE 0 END,
         reserved  = reserved  + CASE new.kind WHEN 'reserve' THEN new.amount
                                               WHEN 'grant' THEN 0
                                               ELSE -new.amount END,
         spent     = spent     + iif(new.kind = 'spend', new.amount, 0)
   WHERE owner = new.owner;
END;

-- A wallet changes only with a new entry, and only by its amount.
CREATE TRIGGER wallets_birth BEFORE INSERT ON wallets
WHEN new.granted <> 0 OR EXISTS (SELECT 1 FROM wallets WHERE owner = new.owner)
BEGIN
  SELECT RAISE(ABORT, 'a wallet starts empty, once');
END;

CREATE TRIGGER wallets_follow BEFORE UPDATE ON wallets
WHEN new.owner <> old.owner OR new.entry <= old.entry OR NOT EXISTS (
  SELECT 1 FROM credits
   WHERE id = new.entry AND owner = new.owner
     AND new.granted - old.granted = iif(kind = 'grant', amount, 0)
     AND new.spent - old.spent = iif(kind = 'spend', amount, 0)
     AND new.available - old.available = CASE kind WHEN 'reserve' THEN -amount
                                                   WHEN 'spend' THEN 0
                                                   ELSE amount END)
BEGIN
  SELECT RAISE(ABORT, 'a wallet is the sum of its entries');
END;

CREATE TRIGGER wallets_kept BEFORE DELETE ON wallets
BEGIN
  SELECT RAISE(ABORT, 'a wallet is never deleted');
END;

-- In a form that can use the indexes credits_one_reservation and credits_one_resolution.
CREATE TRIGGER credits_replace BEFORE INSERT ON credits
WHEN new.id <> -1 AND EXISTS (SELECT 1 FROM credits WHERE id = new.id)
  OR new.kind = 'reserve' AND EXISTS (
    SELECT 1 FROM credits WHERE job = new.job AND kind = 'reserve')
  OR new.kind IN ('spend', 'refund') AND EXISTS (
    SELECT 1 FROM credits WHERE job = new.job AND kind IN ('spend', 'refund'))
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: one reservation a job, one resolution a reservation');
END;

CREATE TRIGGER credits_fixed BEFORE UPDATE ON credits
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER credits_kept BEFORE DELETE ON credits
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TABLE audit (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  user_hash TEXT    NOT NULL,
  job       INTEGER REFERENCES jobs (id),
  action    TEXT    NOT NULL,
  detail    TEXT
) STRICT;

CREATE TRIGGER audit_replace BEFORE INSERT ON audit
WHEN new.id <> -1 AND EXISTS (SELECT 1 FROM audit WHERE id = new.id)
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_fixed BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

CREATE TRIGGER audit_kept BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'the audit log is append-only');
END;

-- Without this, INSERT OR REPLACE would replace the first grant.
CREATE TRIGGER credits_grant_once BEFORE INSERT ON credits
WHEN new.key IS NOT NULL
 AND EXISTS (SELECT 1 FROM credits WHERE owner = new.owner AND key = new.key)
BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only: a key pays once');
END;
