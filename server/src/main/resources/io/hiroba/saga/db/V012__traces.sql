-- As the function of six arguments, with the span of each saga where it is recorded: changes of many sagas are written together, so the
-- transaction cannot say it (ADR 137).
CREATE FUNCTION saga.append_events(
    kinds TEXT[], ids UUID[], workflows TEXT[], statuses TEXT[], correlations TEXT[], reasons TEXT[], traceparents TEXT[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM platform.append_events(
        array_agg(get_byte(uuid_send(id), 15)::smallint),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'type', kind, 'sagaId', id, 'workflowName', workflow, 'status', status, 'correlationId', correlation,
            'reason', reason))),
        array_agg(traceparent))
    FROM unnest(kinds, ids, workflows, statuses, correlations, reasons, traceparents)
        AS t (kind, id, workflow, status, correlation, reason, traceparent)
    HAVING count(*) > 0;
END
$$;
