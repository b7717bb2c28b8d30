-- The status and headers of a service that refused a call; what it said is response_payload. And whether a failed call may have
-- taken effect all the same (ADR 89).
ALTER TABLE saga.saga_step_logs
    ADD COLUMN response_head JSONB,
    ADD COLUMN maybe_done    BOOLEAN NOT NULL DEFAULT false;

-- As the function of five arguments, with what the service said whose call left a saga stuck.
CREATE FUNCTION saga.append_events(
    kinds TEXT[], ids UUID[], workflows TEXT[], statuses TEXT[], correlations TEXT[], reasons TEXT[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(get_byte(uuid_send(id), 15)::smallint),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'type', kind, 'sagaId', id, 'workflowName', workflow, 'status', status, 'correlationId', correlation,
            'reason', reason))))
    FROM unnest(kinds, ids, workflows, statuses, correlations, reasons)
        AS t (kind, id, workflow, status, correlation, reason)
    HAVING count(*) > 0;
END
$$;
