package io.hiroba.saga.call;

import io.hiroba.saga.call.StepOutcome.KeptAnswer;

/** Describes a call for the log, shortened. */
final class CallDescription {

    private static final int MAX_EXCERPT_LENGTH = 300;

    private CallDescription() {}

    static String of(StepCall call) {
        return "%s of %s, for step %s of saga %s, attempt %d,"
                .formatted(call.method(), call.service(), call.stepName(), call.saga(), call.attempt());
    }

    /** Of a body whose secret fields are masked. */
    static String excerpt(KeptAnswer answer) {
        var body = answer.body();
        return body == null ? "nothing that is kept" : excerpt(body.toString());
    }

    static String excerpt(String text) {
        var line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > MAX_EXCERPT_LENGTH ? line.substring(0, MAX_EXCERPT_LENGTH) + "…" : line;
    }
}
