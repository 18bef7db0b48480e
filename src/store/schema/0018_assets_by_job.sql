-- The page of a job asks for its assets. The index that keeps them apart has those without a book only.

CREATE INDEX assets_by_job ON assets (job);
