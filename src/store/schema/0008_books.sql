-- Lists of books by title and by shelf, and the jobs that were added for each book.

CREATE INDEX books_by_title ON books (title COLLATE NOCASE, id);
CREATE INDEX books_by_shelf ON books (shelf, title COLLATE NOCASE, id);

-- The library check reads this index.
CREATE INDEX assets_shelved ON assets (id)
  WHERE book IS NOT NULL AND status = 'available';

-- Which jobs are for which book. haul writes a row when it adds a job and never changes it.
CREATE TABLE book_jobs (
  book TEXT    NOT NULL REFERENCES books (id),
  job  INTEGER NOT NULL REFERENCES jobs (id),
  PRIMARY KEY (book, job)
) STRICT, WITHOUT ROWID;

INSERT INTO books (id, title)
SELECT book, coalesce(nullif(title, ''), book)
  FROM (SELECT CAST(json_extract(r.body, '$.book_id') AS TEXT) AS book,
               CAST(json_extract(r.body, '$.title') AS TEXT) AS title
          FROM jobs j JOIN requests r ON r.job = j.id
         WHERE j.lifecycle = 'book'
         ORDER BY j.id)
 WHERE book <> ''
ON CONFLICT DO NOTHING;

INSERT INTO book_jobs (book, job)
SELECT CAST(json_extract(r.body, '$.book_id') AS TEXT), j.id
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = 'book' AND json_extract(r.body, '$.book_id') <> '';
