-- Secrets of other systems, sealed with a key that is not in this file.
CREATE TABLE sealed (
  name    TEXT    PRIMARY KEY CHECK (name <> ''),
  text    TEXT    NOT NULL CHECK (text <> ''),
  version INTEGER NOT NULL CHECK (version > 0),
  put_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER sealed_version BEFORE UPDATE ON sealed
WHEN new.version <> old.version + 1 OR new.name <> old.name
BEGIN
  SELECT RAISE(ROLLBACK, 'the version of a sealed text grows by one with every change');
END;
