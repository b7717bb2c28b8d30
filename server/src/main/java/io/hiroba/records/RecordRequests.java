package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads path parameters, headers and bodies of requests about records. */
public final class RecordRequests {

    /**
     * The maximum size of a body: a text of a megabyte with every character escaped, or a thousand records of some
     * kilobytes.
     */
    private static final ByteSize MAX_SIZE = ByteSize.parse("8MB");

    private static final Pattern TAG = Pattern.compile("\"(\\d{1,9})(?:-\\d{1,9}[a-z](?:-\\d{1,10})?)?\"");

    private RecordRequests() {}

    static ProjectAccess access(Projects projects, Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    static String schema(Context ctx) {
        return ctx.pathParam("schema");
    }

    static RowId row(Context ctx) {
        return RowId.parse(ctx.pathParam("row"));
    }

    static byte[] bytes(Context ctx) {
        return Body.bytes(ctx, MAX_SIZE);
    }

    static JsonNode json(Context ctx) {
        return json(ctx, bytes(ctx));
    }

    static JsonNode json(Context ctx, byte[] body) {
        return Body.exactJson(ctx, body, JsonNode.class);
    }

    /** Whether the batch is atomic, the default. */
    static boolean isAtomic(Context ctx) {
        return QueryParams.of(ctx).flag("atomic", true);
    }

    /** The version in {@code If-Match}, as a whole tag or a number; empty without the header. */
    public static @Nullable Integer expected(Context ctx) {
        var header = ctx.header("If-Match");
        if (header == null || header.strip().equals("*")) {
            return null;
        }
        if (header.contains(",")) {
            throw HttpProblem.invalid("If-Match", Text.of("records.field.one-tag"));
        }
        var tag = TAG.matcher(header.strip());
        // A tag of another form matches no version.
        return tag.matches() ? Integer.valueOf(tag.group(1)) : -1;
    }

    static boolean isKnown(Context ctx, String tag) {
        var header = ctx.header("If-None-Match");
        return header != null
                && Arrays.stream(header.split(",", -1))
                        .map(known -> known.strip().replaceFirst("^W/", ""))
                        .anyMatch(known -> known.equals(tag) || known.equals("*"));
    }
}
