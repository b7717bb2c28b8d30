DROP FUNCTION IF EXISTS saga.append_events(TEXT[], UUID[], TEXT[], TEXT[], TEXT[], TEXT[], TEXT[]);
