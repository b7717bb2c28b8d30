package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.StreamedBody;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectId;
import io.hiroba.records.SchemaNames;
import io.hiroba.records.query.QueryStringParser;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;

/** Exports over HTTP. */
final class ExportRoutes implements Routes {

    private static final List<String> WORDS =
            List.of("format", "ids", "raw", "displayNames", "timeZone", "limit", "after", "count");

    private final Exports exports;

    ExportRoutes(Exports exports) {
        this.exports = exports;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/projects/{project}/exports/{schema}", FormerNames.noting(this::export));
    }

    private void export(Context ctx) {
        var schema = ctx.pathParam("schema");
        var requested = ctx.queryParam("format");
        var format = FileFormat.named(requested == null ? "csv" : requested)
                .orElseThrow(() -> TransferProblem.invalid("format", Text.of("records.transfer.format")));
        var tests = new HashMap<>(ctx.queryParamMap());
        tests.keySet().removeAll(WORDS);
        var export = exports.begin(
                Caller.of(ctx),
                ProjectId.parse(ctx.pathParam("project")),
                QueryStringParser.query(schema, tests),
                new Exports.Style(
                        format,
                        flag(ctx, "ids"),
                        flag(ctx, "raw"),
                        zone(ctx),
                        RequestLanguage.ACCEPTED.of(ctx),
                        flag(ctx, "displayNames")));
        ctx.contentType(format.mediaType());
        ctx.header("Cache-Control", "no-store");
        ctx.header("Content-Disposition", "attachment; " + fileName(schema, format));
        FormerNames.tell(ctx);
        StreamedBody.write(ctx, export::writeTo);
    }

    /** Quotes are not part of a name; a name beyond ASCII is encoded (RFC 6266). */
    private static String fileName(String schema, FileFormat format) {
        return schema.chars().allMatch(c -> c < 128)
                ? "filename=\"%s.%s\"".formatted(schema, format.label())
                : "filename*=UTF-8''%s.%s".formatted(SchemaNames.encoded(schema), format.label());
    }

    private static ZoneId zone(Context ctx) {
        var name = ctx.queryParam("timeZone");
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            throw TransferProblem.invalid("timeZone", Text.of("records.transfer.zone"));
        }
    }

    private static boolean flag(Context ctx, String name) {
        return switch (ctx.queryParam(name)) {
            case null -> false;
            case "true" -> true;
            case "false" -> false;
            default -> throw TransferProblem.invalid(name, Text.of("http.field.boolean"));
        };
    }
}
