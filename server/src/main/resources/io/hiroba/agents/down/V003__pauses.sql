DROP INDEX agents.idx_runs_ended_at;
DROP TABLE agents.switch;
ALTER TABLE agents.agents
    DROP COLUMN paused,
    DROP COLUMN quiet_from,
    DROP COLUMN quiet_until,
    DROP COLUMN quiet_zone;
