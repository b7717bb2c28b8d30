ALTER TABLE knowledge.collection_watches
    DROP CONSTRAINT collection_watches_kind_check,
    ADD CONSTRAINT collection_watches_kind_check CHECK (kind IN ('url', 'git', 'folder'));
COMMENT ON COLUMN knowledge.collection_watches.files IS 'Patterns of the files of a folder or repository, separated by spaces';
COMMENT ON COLUMN knowledge.watched_files.fingerprint IS
    'What tells that it did not change without reading it: validators of HTTP, size and time, or the commit of a repository';
