package io.hiroba.records;

/** The result of writing one record of a request. */
public sealed interface WriteResult {

    /** A record that was written, or deleted if the request was to delete it. */
    record Written(RecordRow row) implements WriteResult {}

    record Refused(RecordsProblem problem) implements WriteResult {}
}
