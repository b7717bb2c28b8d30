package io.hiroba.platform.http;

import io.hiroba.platform.trace.TraceSpan;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.MDC;

/**
 * Assigns each request an id for its response, the log and problems: the client's if it is well-formed, else that of its trace if it is
 * recorded, else a random one.
 */
public final class RequestId implements Handler {

    static final String HEADER = "X-Request-Id";
    private static final String KEY = "requestId";
    private static final Pattern WELL_FORMED = Pattern.compile("[A-Za-z0-9._:-]{8,64}");

    RequestId() {}

    @Override
    public void handle(Context ctx) {
        var given = ctx.header(HEADER);
        var id = given != null && WELL_FORMED.matcher(given).matches() ? given : own();
        ctx.attribute(KEY, id);
        ctx.header(HEADER, id);
        MDC.put(KEY, id);
    }

    /** The id of the request; empty before it has one. */
    public static String of(Context ctx) {
        String id = ctx.attribute(KEY);
        return id == null ? "" : id;
    }

    private static String own() {
        var trace = TraceSpan.current().recordedTraceId();
        return trace == null ? random() : trace;
    }

    /** It need not be secret, only unlikely to repeat. */
    static String random() {
        var bytes = new byte[12];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
