package io.hiroba.platform.http;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.MDC;

/** Names each request, in its answer, in the log and in problems: the caller's name for it if that is sane, else ours. */
final class RequestId implements Handler {

    static final String HEADER = "X-Request-Id";
    private static final String KEY = "requestId";
    private static final Pattern SANE = Pattern.compile("[A-Za-z0-9._:-]{8,64}");

    RequestId() {}

    @Override
    public void handle(Context ctx) {
        var given = ctx.header(HEADER);
        var id = given != null && SANE.matcher(given).matches() ? given : make();
        ctx.attribute(KEY, id);
        ctx.header(HEADER, id);
        MDC.put(KEY, id);
    }

    public static String of(Context ctx) {
        String id = ctx.attribute(KEY);
        return id == null ? "" : id;
    }

    /** Unguessable is not needed, unlikely to meet again is. */
    static String make() {
        var bytes = new byte[12];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
