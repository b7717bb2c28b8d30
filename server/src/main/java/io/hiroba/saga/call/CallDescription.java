package io.hiroba.saga.call;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** How the log tells of a call. What a service says stands here only, cut short, and never with the saga. */
final class CallDescription {

    private static final int LONGEST = 300;

    private CallDescription() {}

    static String of(StepCall call) {
        return "%s of %s, for step %s of saga %s, attempt %d,"
                .formatted(call.method(), call.service(), call.stepName(), call.saga(), call.attempt());
    }

    static String excerpt(ByteBuffer answer) {
        var beginning = answer.slice(0, Math.min(answer.limit(), LONGEST));
        return excerpt(StandardCharsets.UTF_8.decode(beginning).toString());
    }

    static String excerpt(String text) {
        var line = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "…" : line;
    }
}
