-- For the sweep of entries that nobody undoes any more.
CREATE INDEX undo_entries_resolved_at_idx ON inbox.undo_entries (resolved_at);
