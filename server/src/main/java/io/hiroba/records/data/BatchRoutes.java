package io.hiroba.records.data;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changing and deleting many records over HTTP. */
public final class BatchRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/records/{schema}";

    private final Projects projects;
    private final Records records;

    public BatchRoutes(Projects projects, Records records) {
        this.projects = projects;
        this.records = records;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.patch(PATH, this::change);
        routes.delete(PATH, this::delete);
    }

    private void change(Context ctx) {
        var access = Requests.access(projects, ctx).requireEditor();
        var changes = new ArrayList<Change>();
        var errors = new ArrayList<FieldError>();
        for (var item : items(ctx)) {
            var at = "[%d]".formatted(changes.size());
            changes.add(new Change(
                    id(item.path("id"), at + ".id", errors),
                    version(item, at + ".version", errors),
                    item.path("values"),
                    true));
            if (!item.path("values").isObject()) {
                errors.add(new FieldError(at + ".values", "must be an object of values by their names"));
            }
        }
        requireNone(errors);
        boolean atomic = Requests.isAtomic(ctx);
        answer(ctx, atomic, records.change(access, Requests.schema(ctx), changes, atomic));
    }

    private void delete(Context ctx) {
        var access = Requests.access(projects, ctx).requireEditor();
        var doomed = new ArrayList<Doomed>();
        var errors = new ArrayList<FieldError>();
        for (var item : items(ctx)) {
            var at = "[%d]".formatted(doomed.size());
            doomed.add(
                    item.isString()
                            ? new Doomed(id(item, at, errors), null)
                            : new Doomed(
                                    id(item.path("id"), at + ".id", errors), version(item, at + ".version", errors)));
        }
        requireNone(errors);
        boolean atomic = Requests.isAtomic(ctx);
        answer(ctx, atomic, records.delete(access, Requests.schema(ctx), doomed, atomic));
    }

    private static void answer(Context ctx, boolean atomic, List<Outcome> outcomes) {
        ctx.status(atomic ? 200 : 207).json(BatchView.of(200, outcomes));
    }

    private static List<JsonNode> items(Context ctx) {
        var body = Requests.json(ctx);
        if (!body.isArray()) {
            throw RecordsProblem.invalid("body", "must be an array");
        }
        Batches.requireSize(body.size());
        return body.valueStream().toList();
    }

    private static RowId id(JsonNode given, String field, List<FieldError> errors) {
        var id = RowId.find(given.asString(""));
        if (id.isEmpty()) {
            errors.add(new FieldError(field, "must be the id of a record"));
        }
        return id.orElse(RowId.NONE);
    }

    private static @Nullable Integer version(JsonNode item, String field, List<FieldError> errors) {
        var version = item.get("version");
        if (version == null || version.isNull()) {
            return null;
        }
        if (!version.isIntegralNumber() || !version.canConvertToInt()) {
            errors.add(new FieldError(field, "must be a version"));
            return null;
        }
        return version.intValue();
    }

    private static void requireNone(List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid("Some of the request cannot be read.", errors);
        }
    }
}
