CREATE OR REPLACE FUNCTION saga.tell(kinds TEXT[], ids UUID[], workflows TEXT[], statuses TEXT[], correlations TEXT[])
RETURNS void LANGUAGE sql AS $$
    SELECT platform.append_events(
        array_agg((('x' || right(id::text, 2))::bit(8)::int)::smallint),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'type', kind, 'sagaId', id, 'workflowName', workflow, 'status', status, 'correlationId', correlation))))
    FROM unnest(kinds, ids, workflows, statuses, correlations) AS t (kind, id, workflow, status, correlation)
    HAVING count(*) > 0
$$;
