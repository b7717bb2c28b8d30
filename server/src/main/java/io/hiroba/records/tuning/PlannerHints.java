package io.hiroba.records.tuning;

/** The statistics and indexes that the query planner chooses index scans by, and the counter of what queries use. */
public record PlannerHints(Statistics statistics, HotIndexes indexes, AttributeUsage usage) {}
