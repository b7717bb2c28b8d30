package io.hiroba.records;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * The former names that a request used, for the headers {@code Deprecation} (RFC 9745) and {@code Sunset} (RFC 8594) of its
 * answer. Names are resolved deep inside of queries, so they are noted for the request that this thread serves.
 */
public final class FormerNames {

    private static final ScopedValue<List<Schema.Former>> USED = ScopedValue.newInstance();

    private FormerNames() {}

    /** The same handler, whose answer says that former names were used. */
    public static Handler noting(Handler handler) {
        return ctx -> {
            ScopedValue.where(USED, new ArrayList<>()).call(() -> {
                handler.handle(ctx);
                tell(ctx);
                return true;
            });
        };
    }

    /** Sets the headers before an answer is streamed. */
    public static void tell(Context ctx) {
        var used = USED.isBound() ? USED.get() : List.<Schema.Former>of();
        used.stream()
                .map(Schema.Former::since)
                .min(Instant::compareTo)
                .ifPresent(since -> ctx.header("Deprecation", "@" + since.getEpochSecond()));
        used.stream()
                .map(Schema.Former::until)
                .min(Instant::compareTo)
                .ifPresent(until -> ctx.header(
                        "Sunset", DateTimeFormatter.RFC_1123_DATE_TIME.format(until.atOffset(ZoneOffset.UTC))));
    }

    /** Whether the request of this thread has used one. */
    public static boolean wereUsed() {
        return USED.isBound() && !USED.get().isEmpty();
    }

    static void note(Schema.Former former) {
        if (USED.isBound()) {
            USED.get().add(former);
        }
    }
}
