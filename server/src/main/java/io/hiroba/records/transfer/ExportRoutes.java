package io.hiroba.records.transfer;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.http.StreamedBody;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.SchemaNames;
import io.hiroba.records.query.Condition;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.QueryStringParser;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.views.ViewId;
import io.hiroba.records.views.Views;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Exports over HTTP. */
final class ExportRoutes implements Routes {

    private static final List<String> WORDS =
            List.of("format", "ids", "raw", "displayNames", "timeZone", "limit", "after", "count", "view", "where");

    private final Exports exports;
    private final Projects projects;
    private final Views views;

    ExportRoutes(Exports exports, Projects projects, Views views) {
        this.exports = exports;
        this.projects = projects;
        this.views = views;
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
        var caller = Caller.of(ctx);
        var project = ProjectId.parse(ctx.pathParam("project"));
        var export = exports.begin(
                caller,
                project,
                query(ctx, caller, project, schema),
                new Exports.Style(
                        format,
                        flag(ctx, "ids"),
                        flag(ctx, "raw"),
                        zone(ctx),
                        RequestLanguage.of(ctx),
                        flag(ctx, "displayNames")));
        ctx.contentType(format.mediaType());
        ctx.header("Cache-Control", "no-store");
        ctx.header("Content-Disposition", "attachment; " + fileName(schema, format));
        FormerNames.tell(ctx);
        StreamedBody.write(ctx, export::writeTo);
    }

    /** What the query string says, within the view that it names: its filter holds as well, its order and columns where none are given. */
    private RecordQuery query(Context ctx, Caller caller, ProjectId project, String schema) {
        var tests = new HashMap<>(ctx.queryParamMap());
        tests.keySet().removeAll(WORDS);
        var query = QueryStringParser.query(schema, tests);
        var where = ctx.queryParam("where");
        if (where != null) {
            query = query.where(Condition.both(query.where(), ConditionParser.condition(json(where))));
        }
        var id = ctx.queryParam("view");
        var found = id == null ? query : within(query, projects.access(caller, project), id);
        return ctx.queryParam("timeZone") == null ? found : found.in(zone(ctx));
    }

    private RecordQuery within(RecordQuery query, ProjectAccess access, String id) {
        var schema = views.schema(access, query.schema());
        var view = views.resolved(access, schema, views.get(access, schema, ViewId.parse(id)))
                .query();
        return new RecordQuery(
                query.schema(),
                Condition.both(view.where(), query.where()),
                query.sort().isEmpty() ? view.sort() : query.sort(),
                query.select() == null ? view.select() : query.select(),
                query.limit(),
                query.after(),
                query.count());
    }

    private static JsonNode json(String text) {
        try {
            return Json.exact().readTree(text);
        } catch (JacksonException e) {
            throw TransferProblem.invalid("where", Text.of("records.transfer.where"));
        }
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
