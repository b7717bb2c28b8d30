-- What failed when a run was tried last; empty where its reason says all.
ALTER TABLE agents.runs ADD COLUMN cause VARCHAR(500) NOT NULL DEFAULT '';
