-- A connection believes nobody's word unless an admin chooses that. Existing ones stay as they were chosen.
ALTER TABLE inbox.connections ALTER COLUMN linking SET DEFAULT 'confirmed';
