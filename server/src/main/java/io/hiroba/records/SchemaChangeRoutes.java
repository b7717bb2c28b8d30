package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.ProblemAnswer.FieldFault;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changes of schemas and attributes that have records, over HTTP. */
final class SchemaChangeRoutes implements Routes {

    private static final String SCHEMA = "/api/v1/projects/{project}/schemas/{schema}";
    private static final String ATTRIBUTE = SCHEMA + "/attributes/{attribute}";
    private static final Set<String> OF_SCHEMA = Set.of("name", "title");
    private static final Set<String> OF_TYPE = Set.of("type", "onFailure", "dates");
    private static final Set<String> OF_ATTRIBUTE =
            Set.of("name", "title", "required", "unique", "default", "format", "currency");

    private final Projects projects;
    private final Schemas schemas;
    private final SchemaChanges changes;
    private final RemovedAttributes removed;
    private final OptionChanges options;
    private final Retypes retypes;
    private final Computations computations;

    SchemaChangeRoutes(
            Projects projects,
            Schemas schemas,
            SchemaChanges changes,
            RemovedAttributes removed,
            OptionChanges options,
            Retypes retypes,
            Computations computations) {
        this.computations = computations;
        this.options = options;
        this.projects = projects;
        this.schemas = schemas;
        this.changes = changes;
        this.removed = removed;
        this.retypes = retypes;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.patch(SCHEMA, FormerNames.noting(this::changeSchema));
        routes.patch(ATTRIBUTE, FormerNames.noting(this::changeAttribute));
        routes.delete(ATTRIBUTE, FormerNames.noting(this::remove));
        routes.post(ATTRIBUTE + "/restore", FormerNames.noting(this::restore));
        routes.put(SCHEMA + "/order", FormerNames.noting(this::reorder));
    }

    private void changeSchema(Context ctx) {
        var access = access(ctx).requireOwner();
        var change = change(ctx, OF_SCHEMA);
        var schema = ctx.pathParam("schema");
        if (isPreview(ctx)) {
            preview(ctx, () -> changes.preview(access, schema, change));
        } else {
            show(ctx, access, changes.change(access, schema, change));
        }
    }

    private void changeAttribute(Context ctx) {
        var access = access(ctx).requireOwner();
        if (body(ctx).has("type") && !isOfThatType(ctx, access)) {
            retype(ctx, access);
            return;
        }
        if (body(ctx).has("options")) {
            changeOptions(ctx, access);
            return;
        }
        if (body(ctx).has("computed")) {
            redefine(ctx, access);
            return;
        }
        var change = change(ctx, OF_ATTRIBUTE);
        var schema = ctx.pathParam("schema");
        var attribute = ctx.pathParam("attribute");
        if (isPreview(ctx)) {
            preview(ctx, () -> changes.preview(access, schema, attribute, change));
        } else {
            show(ctx, access, changes.change(access, schema, attribute, change));
        }
    }

    /** Whether a whole attribute is given with the type that it has, of which the rest is to be changed. */
    private boolean isOfThatType(Context ctx, ProjectAccess access) {
        var body = body(ctx);
        return body.size() > 1
                && body.propertyNames().stream()
                        .allMatch(field -> OF_ATTRIBUTE.contains(field) || OF_TYPE.contains(field))
                && schemas.get(access, ctx.pathParam("schema"))
                        .attribute(ctx.pathParam("attribute"))
                        .filter(each ->
                                each.type().label().equals(body.path("type").asString("")))
                        .isPresent();
    }

    /** What else is given is changed with the type: when all values are converted, which may take long. */
    private void retype(Context ctx, ProjectAccess access) {
        var more = OF_TYPE.containsAll(body(ctx).propertyNames()) ? null : change(ctx, OF_ATTRIBUTE);
        var change = typeChange(body(ctx), more);
        var schema = ctx.pathParam("schema");
        var attribute = ctx.pathParam("attribute");
        var language = RequestLanguage.of(ctx);
        if (isPreview(ctx)) {
            var preview = retypes.preview(access, schema, attribute, change);
            ctx.json(new PreviewView(
                    preview.refused().isEmpty(),
                    preview.changes().stream().map(each -> each.in(language)).toList(),
                    FieldFault.of(preview.refused(), language),
                    0,
                    preview.duplicates(),
                    preview.failures().stream()
                            .map(each -> new ExampleView(
                                    each.row(), each.value(), each.reason().in(language)))
                            .toList(),
                    preview.converted(),
                    preview.failed()));
            return;
        }
        var outcome = retypes.change(access, schema, attribute, change);
        var job = outcome.job();
        if (job != null && outcome.isRunning()) {
            ctx.status(202);
            ctx.header(
                    "Location",
                    "/api/v1/projects/%s/schemas/%s/retypes/%s"
                            .formatted(
                                    access.project().id().hex(),
                                    outcome.schema().id(),
                                    Ids.hex(job.id())));
            ctx.json(RetypeRoutes.JobView.of(job, language));
        } else {
            show(ctx, access, outcome.schema());
        }
    }

    private static Retypes.Change typeChange(JsonNode body, @Nullable AttributeChange more) {
        var errors = new ArrayList<FieldError>();
        var type = ValueType.named(body.path("type").asString(""));
        if (type.isEmpty()) {
            errors.add(new FieldError("type", Text.of("records.field.type")));
        }
        var onFailure = body.has("onFailure") ? body.path("onFailure").asString("") : "refuse";
        if (!onFailure.equals("refuse") && !onFailure.equals("clear")) {
            errors.add(new FieldError("onFailure", Text.of("http.field.one-of", "values", "refuse, clear")));
        }
        var dates = DateOrder.named(body.path("dates").asString(""));
        if (body.has("dates") && dates.isEmpty()) {
            errors.add(new FieldError(
                    "dates", Text.of("records.query.either", "one", "month-first", "other", "day-first")));
        }
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.request-invalid"), errors);
        }
        return new Retypes.Change(type.orElseThrow(), onFailure.equals("clear"), dates.orElse(null), more);
    }

    /** @param replacements by the value that is replaced; null for none */
    private record OptionsBody(
            @Nullable List<SelectOption> options, @Nullable Map<String, @Nullable String> replacements) {}

    private void changeOptions(Context ctx, ProjectAccess access) {
        var body = Body.json(ctx, OptionsBody.class);
        var request = new OptionChanges.Request(
                body.options() == null ? List.of() : body.options(),
                body.replacements() == null ? Map.of() : body.replacements());
        var schema = ctx.pathParam("schema");
        var attribute = ctx.pathParam("attribute");
        if (!isPreview(ctx)) {
            show(ctx, access, options.change(access, schema, attribute, request));
            return;
        }
        var language = RequestLanguage.of(ctx);
        var outcome = options.preview(access, schema, attribute, request);
        var words = Text.of("records.change.options", "attribute", attribute, "count", outcome.changed());
        ctx.json(new PreviewView(
                outcome.refused().isEmpty(),
                List.of(words.in(language)),
                FieldFault.of(outcome.refused(), language),
                0,
                0,
                List.of(),
                null,
                null));
    }

    private record ComputedBody(ComputedDefinition computed) {}

    /** By itself as well, so that a refusal says one thing. */
    private void redefine(Context ctx, ProjectAccess access) {
        var definition = Body.json(ctx, ComputedBody.class).computed();
        var schema = ctx.pathParam("schema");
        var attribute = ctx.pathParam("attribute");
        if (!isPreview(ctx)) {
            show(ctx, access, computations.redefine(access, schema, attribute, definition));
            return;
        }
        var language = RequestLanguage.of(ctx);
        var preview = computations.preview(access, schema, attribute, definition, null);
        var words = Text.of("records.change.computed", "attribute", attribute);
        ctx.json(new PreviewView(
                true,
                List.of(words.in(language)),
                List.of(),
                0,
                0,
                preview.samples().stream()
                        .map(each -> new ExampleView(
                                each.row().id().toString(),
                                each.value().isNull()
                                        ? null
                                        : each.value().asString(each.value().toString()),
                                each.reason() == null ? null : each.reason().in(language)))
                        .toList(),
                null,
                null));
    }

    private void remove(Context ctx) {
        var access = access(ctx).requireOwner();
        var schema = ctx.pathParam("schema");
        var attribute = ctx.pathParam("attribute");
        if (isPreview(ctx)) {
            long count = removed.preview(access, schema, attribute);
            var words = Text.of("records.change.removes", "attribute", attribute, "count", count);
            ctx.json(new PreviewView(
                    true, List.of(words.in(RequestLanguage.of(ctx))), List.of(), 0, 0, List.of(), null, null));
        } else {
            show(ctx, access, removed.remove(access, schema, attribute));
        }
    }

    private void restore(Context ctx) {
        var access = access(ctx).requireOwner();
        show(
                ctx,
                access,
                removed.restore(
                        access,
                        ctx.pathParam("schema"),
                        ctx.pathParam("attribute"),
                        QueryParams.of(ctx).flag("reuse")));
    }

    private record OrderBody(List<String> attributes) {}

    private void reorder(Context ctx) {
        var access = access(ctx).requireOwner();
        var order = Body.json(ctx, OrderBody.class).attributes();
        show(ctx, access, removed.reorder(access, ctx.pathParam("schema"), order));
    }

    private static boolean isPreview(Context ctx) {
        return QueryParams.of(ctx).flag("preview");
    }

    /**
     * @param changes in words
     * @param missing how many records lack a value that would be required
     * @param duplicates how many records have a value that another has as well
     * @param examples up to 20 of each
     * @param converted how many values can be converted to another type; null without one
     * @param failed how many cannot, or do not have the format
     */
    private record PreviewView(
            boolean allowed,
            List<String> changes,
            List<FieldFault> refused,
            long missing,
            long duplicates,
            List<ExampleView> examples,
            @Nullable Long converted,
            @Nullable Long failed) {}

    private record ExampleView(
            String id, @Nullable String value, @Nullable String reason) {}

    private static void preview(Context ctx, Supplier<SchemaChanges.Outcome> previewed) {
        var language = RequestLanguage.of(ctx);
        try {
            var outcome = previewed.get();
            var findings = outcome.findings();
            ctx.json(new PreviewView(
                    findings.refused().isEmpty(),
                    outcome.changes().stream()
                            .map(change -> change.in(language))
                            .toList(),
                    FieldFault.of(findings.refused(), language),
                    findings.missing(),
                    findings.duplicates(),
                    findings.examples().stream()
                            .map(found -> new ExampleView(
                                    found.id().toString(),
                                    found.value(),
                                    found.reason() == null
                                            ? null
                                            : found.reason().in(language)))
                            .toList(),
                    null,
                    findings.misfits() == 0 ? null : (Long) findings.misfits()));
        } catch (RecordsProblem refusal) {
            if (refusal.kind() != Problem.Kind.CONFLICT) {
                throw refusal;
            }
            ctx.json(new PreviewView(
                    false, List.of(), FieldFault.of(refusal.fields(), language), 0, 0, List.of(), null, null));
        }
    }

    private static JsonNode body(Context ctx) {
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), JsonNode.class);
        if (!body.isObject()) {
            throw RecordsProblem.invalid("body", Text.of("records.field.object"));
        }
        return body;
    }

    /** The fields that are given; null takes a title or default away. */
    private static AttributeChange change(Context ctx, Set<String> known) {
        var body = body(ctx);
        var errors = new ArrayList<FieldError>();
        for (var field : body.propertyNames()) {
            if (!known.contains(field) && !(body.has("type") && OF_TYPE.contains(field))) {
                errors.add(new FieldError(field, Text.of("records.field.cannot-change")));
            }
        }
        var name = text(body, "name", false, errors);
        var title = text(body, "title", true, errors);
        var required = flag(body, "required", errors);
        var unique = flag(body, "unique", errors);
        var format = text(body, "format", true, errors);
        var currency = text(body, "currency", true, errors);
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.request-invalid"), errors);
        }
        return new AttributeChange(
                name,
                title,
                required,
                unique,
                body.get("default"),
                QueryParams.of(ctx).flag("reuse"),
                format,
                currency);
    }

    private static @Nullable Boolean flag(JsonNode body, String field, List<FieldError> errors) {
        var given = body.get(field);
        if (given != null && !given.isBoolean()) {
            errors.add(new FieldError(field, Text.of("http.field.boolean")));
        }
        return (given == null || !given.isBoolean()) ? null : (Boolean) given.booleanValue();
    }

    private static @Nullable String text(JsonNode body, String field, boolean nullable, List<FieldError> errors) {
        var given = body.get(field);
        if (given == null) {
            return null;
        }
        if (given.isString()) {
            return given.stringValue();
        }
        if (given.isNull() && nullable) {
            return "";
        }
        errors.add(new FieldError(field, Text.of("records.field.text")));
        return null;
    }

    private void show(Context ctx, ProjectAccess access, Schema schema) {
        ctx.json(SchemaView.of(access, schema, schemas.list(access)));
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }
}
