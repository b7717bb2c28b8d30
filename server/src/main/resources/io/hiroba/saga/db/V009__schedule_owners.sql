-- In whose name the sagas of a schedule are started: who made or last changed it (ADR 92). Null for those that nobody has changed since.
ALTER TABLE saga.schedules ADD COLUMN owner VARCHAR(255);
