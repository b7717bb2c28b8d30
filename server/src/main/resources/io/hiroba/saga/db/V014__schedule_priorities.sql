-- The priority of the sagas that a schedule starts (ADR 96).
ALTER TABLE saga.schedules ADD COLUMN priority SMALLINT NOT NULL DEFAULT 5 CHECK (priority BETWEEN 0 AND 9);
