-- A close or merge whose own event was missed is seen in the state of a later one, until that event arrives after all.
ALTER TABLE inbox.auto_resolutions ADD COLUMN seen BOOLEAN NOT NULL DEFAULT FALSE;
COMMENT ON COLUMN inbox.auto_resolutions.seen IS 'Whether the end was seen in a later state, and not reported';
