-- One read-only view per table of the five documents, with the document's names, columns and order.
-- Times are UTC text, so that the documents' own SQL runs on the views.

CREATE VIEW contract_book_download_jobs AS
SELECT j.id                                                  AS id,
       j.owner                                               AS user_id,
       json_extract(r.body, '$.book_id')                     AS book_id,
       json_extract(r.body, '$.media_type')                  AS media_type,
       j.state                                               AS status,
       json_extract(r.body, '$.source')                      AS source,
       coalesce(j.handle, 'haul-' || j.id)                   AS external_job_id,
       datetime(j.created_at / 1000, 'unixepoch')            AS created_at_utc,
       datetime(max(j.moved_at, coalesce(j.seen_at, 0)) / 1000, 'unixepoch') AS updated_at_utc,
       iif(j.state = 'completed', datetime(j.ended_at / 1000, 'unixepoch'), NULL) AS completed_at_utc,
       datetime(j.missing_since / 1000, 'unixepoch')         AS first_not_found_at_utc,
       iif(j.state = 'failed', j.reason, NULL)               AS failure_reason
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = 'book';

CREATE VIEW contract_book_media_assets AS
SELECT book AS book_id, media_type, status, path AS storage_path, source_url
  FROM assets
 WHERE book IS NOT NULL;

CREATE VIEW contract_books AS
SELECT id, title, iif(shelf = 'library', 'Library', 'Archive') AS state
  FROM books;

-- "completed" is not an end here, so completed_at is when the job last entered that state.
CREATE VIEW contract_media_downloads AS
SELECT j.id                                       AS id,
       json_extract(r.body, '$.title')            AS title,
       json_extract(r.body, '$.release_name')     AS release_name,
       j.state                                    AS status,
       datetime(j.created_at / 1000, 'unixepoch') AS added_at,
       datetime(j.moved_at / 1000, 'unixepoch')   AS last_transition_at,
       iif(j.state IN ('completed', 'imported', 'cleaned'),
           datetime(coalesce((SELECT max(e.at)
                                FROM events e
                               WHERE e.job = j.id AND e.n = 0 AND e.to_state = 'completed'),
                             j.ended_at) / 1000, 'unixepoch'),
           NULL)                                  AS completed_at
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = 'media';

CREATE VIEW contract_batch_jobs AS
SELECT CAST(j.id AS TEXT)                                          AS job_id,
       coalesce(json_extract(r.body, '$.url'), json_extract(r.body, '$.urls[0]')) AS url,
       coalesce(j.engine, json_extract(r.body, '$.engine'), 'auto') AS engine,
       j.state                                                     AS status,
       datetime(j.created_at / 1000, 'unixepoch')                  AS created_at,
       datetime(j.started_at / 1000, 'unixepoch')                  AS started_at,
       datetime(j.ended_at / 1000, 'unixepoch')                    AS finished_at,
       coalesce(c.total, 0)                                        AS total_items,
       coalesce(c.downloaded + c.skipped, 0)                       AS completed_items,
       coalesce(c.failed, 0)                                       AS failed_items,
       coalesce(c.skipped, 0)                                      AS skipped_items,
       json_extract(r.body, '$.folder')                            AS output_folder,
       iif(j.state = 'FAILED', coalesce(j.detail, j.reason), NULL) AS error_message,
       r.body                                                      AS options_json
  FROM jobs j JOIN requests r ON r.job = j.id LEFT JOIN counts c ON c.job = j.id
 WHERE j.lifecycle = 'batch';

CREATE VIEW contract_batch_events AS
SELECT e.id                                AS id,
       CAST(e.job AS TEXT)                 AS job_id,
       datetime(e.at / 1000, 'unixepoch')  AS timestamp,
       e.type                              AS type,
       e.data                              AS payload_json
  FROM events e JOIN jobs j ON j.id = e.job
 WHERE j.lifecycle = 'batch'
   AND e.type IN ('JOB_ADDED', 'JOB_STARTED', 'ITEM_DONE', 'JOB_PROGRESS', 'JOB_ERROR',
                  'JOB_CANCELLED', 'JOB_DONE', 'LOG');

CREATE VIEW contract_batch_job_items AS
SELECT CAST(job AS TEXT)                          AS job_id,
       key                                        AS item_key,
       state                                      AS status,
       path                                       AS file_path,
       datetime(updated_at / 1000, 'unixepoch')   AS updated_at
  FROM items;

CREATE VIEW contract_relay_jobs AS
SELECT j.id                                       AS job_id,
       json_extract(r.body, '$.user_id')          AS user_id,
       json_extract(r.body, '$.file_id')          AS file_id,
       json_extract(r.body, '$.nonce')            AS request_nonce,
       j.state                                    AS state,
       j.attempt                                  AS attempt,
       j.reason                                   AS last_error,
       datetime(w.beat_at / 1000, 'unixepoch')    AS heartbeat_at,
       j.key                                      AS idempotency_key,
       datetime(j.created_at / 1000, 'unixepoch') AS created_at
  FROM jobs j JOIN requests r ON r.job = j.id LEFT JOIN workers w ON w.id = j.worker
 WHERE j.lifecycle = 'relay';

CREATE VIEW contract_image_jobs AS
SELECT j.id                                       AS id,
       j.owner                                    AS userId,
       json_extract(r.body, '$.prompt')           AS prompt,
       json_extract(r.body, '$.params')           AS params,
       j.state                                    AS status,
       j.key                                      AS idempotencyKey,
       j.attempt                                  AS retryCount,
       datetime(j.started_at / 1000, 'unixepoch') AS startedAt,
       j.result                                   AS resultUrl,
       datetime(j.created_at / 1000, 'unixepoch') AS createdAt
  FROM jobs j JOIN requests r ON r.job = j.id
 WHERE j.lifecycle = 'image';

CREATE VIEW contract_image_audit AS
SELECT datetime(a.at / 1000, 'unixepoch') AS at,
       a.user_hash                        AS user_hash,
       a.job                              AS job_id,
       a.action                           AS action,
       a.detail                           AS detail
  FROM audit a;
