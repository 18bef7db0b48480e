-- Books and their shelf, and assets: the files that have arrived.

CREATE TABLE books (
  id    TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  shelf TEXT NOT NULL DEFAULT 'archive' CHECK (shelf IN ('archive', 'library'))
) STRICT, WITHOUT ROWID;

CREATE INDEX books_by_title ON books (title COLLATE NOCASE, id);
CREATE INDEX books_by_shelf ON books (shelf, title COLLATE NOCASE, id);

-- Which jobs are for which book. haul writes a row when it adds a job and never changes it.
CREATE TABLE book_jobs (
  book TEXT    NOT NULL REFERENCES books (id),
  job  INTEGER NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (book, job)
) STRICT, WITHOUT ROWID;

CREATE TABLE assets (
  id         INTEGER PRIMARY KEY,
  job        INTEGER NOT NULL REFERENCES jobs (id),
  n          INTEGER NOT NULL DEFAULT 0,
  book       TEXT REFERENCES books (id),
  media_type TEXT    NOT NULL,
  status     TEXT    NOT NULL CHECK (status IN ('available', 'deleted', 'missing')),
  path       TEXT,
  size       INTEGER,
  checksum   TEXT,
  source_url TEXT,
  source     TEXT,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  CHECK ((status = 'available') = (path IS NOT NULL)),
  CHECK ((status = 'available') = (removed_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX assets_book ON assets (book, media_type)
  WHERE book IS NOT NULL;
CREATE UNIQUE INDEX assets_job ON assets (job, n)
  WHERE book IS NULL;
-- The page of a job asks for its assets, those of books among them.
CREATE INDEX assets_by_job ON assets (job);
-- The library check reads this index.
CREATE INDEX assets_shelved ON assets (id)
  WHERE book IS NOT NULL AND status = 'available';

-- Triggers derive the shelf: a book with an available asset is in the library, any other is in the
-- archive.
CREATE TRIGGER shelf_after_insert AFTER INSERT ON assets
WHEN new.book IS NOT NULL
BEGIN
  UPDATE books
     SET shelf = iif(EXISTS (SELECT 1 FROM assets WHERE book = new.book AND status = 'available'),
                     'library', 'archive')
   WHERE id = new.book;
END;

CREATE TRIGGER shelf_after_update AFTER UPDATE OF status ON assets
WHEN new.book IS NOT NULL
BEGIN
  UPDATE books
     SET shelf = iif(EXISTS (SELECT 1 FROM assets WHERE book = new.book AND status = 'available'),
                     'library', 'archive')
   WHERE id = new.book;
END;
