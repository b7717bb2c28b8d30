DROP TABLE IF EXISTS saga.schedule_runs;
DROP TABLE IF EXISTS saga.schedules;
