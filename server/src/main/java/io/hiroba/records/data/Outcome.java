package io.hiroba.records.data;

import io.hiroba.records.RecordsProblem;

/** What became of one record of a request. */
public sealed interface Outcome {

    /** It is there now, or was until now if the request was to delete it. */
    record Written(Row row) implements Outcome {}

    record Refused(RecordsProblem problem) implements Outcome {}
}
