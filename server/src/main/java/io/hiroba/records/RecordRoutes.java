package io.hiroba.records;

import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Records over HTTP; a POST may create many. */
final class RecordRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/records/{schema}";

    private final Projects projects;
    private final Records records;
    private final Idempotency idempotency;

    RecordRoutes(Projects projects, Records records, Idempotency idempotency) {
        this.projects = projects;
        this.records = records;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, FormerNames.noting(this::create));
        routes.patch(PATH, FormerNames.noting(this::changeAll));
        routes.delete(PATH, FormerNames.noting(this::deleteAll));
        routes.get(PATH + "/{row}", FormerNames.noting(this::get));
        routes.put(PATH + "/{row}", FormerNames.noting(this::replace));
        routes.patch(PATH + "/{row}", FormerNames.noting(this::patch));
        routes.delete(PATH + "/{row}", FormerNames.noting(this::delete));
    }

    private void create(Context ctx) {
        var access = RecordRequests.access(projects, ctx).requireEditor();
        var bytes = RecordRequests.bytes(ctx);
        var body = RecordRequests.json(ctx, bytes);
        boolean atomic = RecordRequests.isAtomic(ctx);
        // Many are answered one by one, with what is wrong with each.
        var language = body.isArray() ? RequestLanguage.of(ctx) : Language.ENGLISH;
        ConflictRetry.run(prechecked -> {
            idempotency.run(
                    ctx,
                    access.user().hex(),
                    bytes,
                    tx -> body.isArray()
                            ? BatchView.answer(
                                    201,
                                    records.create(
                                            tx,
                                            access,
                                            RecordRequests.schema(ctx),
                                            body.valueStream().toList(),
                                            new Records.Mode(atomic, prechecked, false)),
                                    language)
                            : created(
                                    access,
                                    ctx,
                                    records.create(tx, access, RecordRequests.schema(ctx), body, prechecked)));
            return true;
        });
    }

    private static Answer created(ProjectAccess access, Context ctx, RecordView view) {
        var location = "/api/v1/projects/%s/records/%s/%s"
                .formatted(access.project().id().hex(), SchemaNames.encoded(RecordRequests.schema(ctx)), view.id());
        return new Answer(201, Map.of("Location", location, "ETag", view.tag()), Json.text(view));
    }

    private void get(Context ctx) {
        var view =
                records.get(RecordRequests.access(projects, ctx), RecordRequests.schema(ctx), RecordRequests.row(ctx));
        if (RecordRequests.isKnown(ctx, view.tag())) {
            ctx.header("ETag", view.tag()).status(304);
        } else {
            show(ctx, view);
        }
    }

    private void replace(Context ctx) {
        var access = RecordRequests.access(projects, ctx);
        var values = values(ctx);
        show(
                ctx,
                records.replace(
                        access,
                        RecordRequests.schema(ctx),
                        RecordRequests.row(ctx),
                        values,
                        RecordRequests.expected(ctx)));
    }

    private void patch(Context ctx) {
        var access = RecordRequests.access(projects, ctx);
        var values = values(ctx);
        show(
                ctx,
                records.patch(
                        access,
                        RecordRequests.schema(ctx),
                        RecordRequests.row(ctx),
                        values,
                        RecordRequests.expected(ctx)));
    }

    private void delete(Context ctx) {
        records.delete(
                RecordRequests.access(projects, ctx),
                RecordRequests.schema(ctx),
                RecordRequests.row(ctx),
                RecordRequests.expected(ctx));
        ctx.status(204);
    }

    private static JsonNode values(Context ctx) {
        return RecordRequests.json(ctx);
    }

    private static void show(Context ctx, RecordView view) {
        ctx.header("ETag", view.tag()).json(view);
    }

    private void changeAll(Context ctx) {
        var access = RecordRequests.access(projects, ctx).requireEditor();
        var changes = new ArrayList<Records.Change>();
        var errors = new ArrayList<FieldError>();
        for (var item : items(ctx)) {
            var at = "[%d]".formatted(changes.size());
            changes.add(new Records.Change(
                    id(item.path("id"), at + ".id", errors),
                    version(item, at + ".version", errors),
                    item.path("values"),
                    true));
            if (!item.path("values").isObject()) {
                errors.add(new FieldError(at + ".values", Text.of("records.field.values-object")));
            }
        }
        requireNone(errors);
        boolean atomic = RecordRequests.isAtomic(ctx);
        answer(ctx, records.change(access, RecordRequests.schema(ctx), changes, atomic));
    }

    private void deleteAll(Context ctx) {
        var access = RecordRequests.access(projects, ctx).requireEditor();
        var deletions = new ArrayList<Records.Deletion>();
        var errors = new ArrayList<FieldError>();
        for (var item : items(ctx)) {
            var at = "[%d]".formatted(deletions.size());
            deletions.add(
                    item.isString()
                            ? new Records.Deletion(id(item, at, errors), null)
                            : new Records.Deletion(
                                    id(item.path("id"), at + ".id", errors), version(item, at + ".version", errors)));
        }
        requireNone(errors);
        boolean atomic = RecordRequests.isAtomic(ctx);
        answer(ctx, records.delete(access, RecordRequests.schema(ctx), deletions, atomic));
    }

    private static void answer(Context ctx, List<WriteResult> outcomes) {
        ctx.status(BatchView.statusOf(200, outcomes)).json(BatchView.of(200, outcomes, RequestLanguage.of(ctx)));
    }

    private static List<JsonNode> items(Context ctx) {
        var body = RecordRequests.json(ctx);
        if (!body.isArray()) {
            throw RecordsProblem.invalid("body", Text.of("records.field.array"));
        }
        RecordBatch.requireSize(body.size());
        return body.valueStream().toList();
    }

    private static RowId id(JsonNode given, String field, List<FieldError> errors) {
        var id = RowId.find(given.asString(""));
        if (id.isEmpty()) {
            errors.add(new FieldError(field, Text.of("records.field.record-id")));
        }
        return id.orElse(RowId.NONE);
    }

    private static @Nullable Integer version(JsonNode item, String field, List<FieldError> errors) {
        var version = item.get("version");
        if (version == null || version.isNull()) {
            return null;
        }
        if (!version.isIntegralNumber() || !version.canConvertToInt()) {
            errors.add(new FieldError(field, Text.of("records.field.version")));
            return null;
        }
        return version.intValue();
    }

    private static void requireNone(List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.request-invalid"), errors);
        }
    }
}
