package io.hiroba.records.tuning;

/** The statistics and indexes by which the query planner chooses index scans, and the counter of attribute usage. */
public record PlannerHints(Statistics statistics, HotIndexes indexes, AttributeUsage usage) {}
