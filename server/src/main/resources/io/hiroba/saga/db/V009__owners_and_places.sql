-- In whose name the sagas of a schedule are started: who made or last changed it (ADR 92). Null for those that nobody has changed since.
ALTER TABLE saga.schedules ADD COLUMN owner VARCHAR(255);

-- In the schedule's own partition, so that its failures are told in their order.
CREATE FUNCTION saga.append_schedule_events(kind TEXT, schedules BIGINT[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg((s.id & 255)::smallint),
        array_agg(jsonb_build_object(
            'type', kind, 'scheduleId', lpad(upper(to_hex(s.id)), 16, '0'), 'name', s.name,
            'owner', coalesce(s.owner, s.created_by))))
    FROM saga.schedules AS s
    WHERE s.id = ANY (schedules)
    HAVING count(*) > 0;
END
$$;

-- A run that failed; sagas that no schedule started are told apart by their correlation id, without a look.
CREATE FUNCTION saga.schedule_run_failed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM saga.append_schedule_events('schedule-failed', array_agg(r.schedule_id))
    FROM saga.schedule_runs AS r
    WHERE r.saga_id = NEW.id
    HAVING count(*) > 0;
    RETURN NULL;
END
$$;

CREATE TRIGGER schedule_run_failed
    AFTER UPDATE OF status ON saga.saga_states
    FOR EACH ROW WHEN (NEW.status = 'FAILED' AND OLD.status <> 'FAILED' AND NEW.correlation_id LIKE 'schedule:%')
    EXECUTE FUNCTION saga.schedule_run_failed();

-- The places of workflows with `maxRunning` (ADR 96): a saga waits for one before it begins, and holds it until it has ended. No foreign
-- key: one that has ended is taken off when the next is let in.
CREATE TABLE saga.workflow_places (
    saga_id  UUID         PRIMARY KEY,
    workflow VARCHAR(255) COLLATE "C" NOT NULL,
    priority SMALLINT     NOT NULL,
    since    TIMESTAMPTZ  NOT NULL DEFAULT clock_timestamp(),
    held     BOOLEAN      NOT NULL DEFAULT false
);
CREATE INDEX idx_workflow_places_waiting ON saga.workflow_places (workflow, priority, since) WHERE NOT held;
CREATE INDEX idx_workflow_places_held ON saga.workflow_places (workflow) WHERE held;

-- When it got a place; null where it needed none. Its times count from then on.
ALTER TABLE saga.saga_states ADD COLUMN admitted_at TIMESTAMPTZ;
