package io.hiroba.saga.call;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Describes a call for the log, shortened. */
final class CallDescription {

    private static final int MAX_EXCERPT_LENGTH = 300;

    private CallDescription() {}

    static String of(StepCall call) {
        return "%s of %s, for step %s of saga %s, attempt %d,"
                .formatted(call.method(), call.service(), call.stepName(), call.saga(), call.attempt());
    }

    static String excerpt(ByteBuffer answer) {
        var beginning = answer.slice(0, Math.min(answer.limit(), MAX_EXCERPT_LENGTH));
        return excerpt(StandardCharsets.UTF_8.decode(beginning).toString());
    }

    static String excerpt(String text) {
        var line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > MAX_EXCERPT_LENGTH ? line.substring(0, MAX_EXCERPT_LENGTH) + "…" : line;
    }
}
